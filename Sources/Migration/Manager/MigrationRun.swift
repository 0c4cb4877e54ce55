/// The state of one migration: its plans, where it is, and whether it shall stop.
final class MigrationRun {
  let plans: [EntityMappingProgram]
  private let plansByName: [String: EntityMappingProgram]
  /// By the entity that a relationship leads to.
  private var plansReaching: [ObjectIdentifier: [EntityMappingProgram]] = [:]
  /// The plan whose hooks are running.
  var current: EntityMappingProgram?
  /// Where destination instances are made.
  let destinationContext: ManagedObjectContext
  /// The object whose hook is running.
  var object: ManagedObject?
  var pass = MigrationPass.instances
  var visitsDone = 0
  var cancellation: (any Error)?
  /// Where exceptions of the running hook go.
  var trap: ExceptionTrap? {
    didSet { trapInPlace = trap.map { .passUnretained($0) } }
  }
  /// The same, asked after each object without being retained.
  private var trapInPlace: Unmanaged<ExceptionTrap>?
  /// Takes hold of what all plans made. Outside of the manager, which is retained for each object: a
  /// weak reference would make that several times as slow.
  let holder: DestinationHolder

  init(_ plans: [EntityMappingProgram], in destinationContext: ManagedObjectContext) {
    self.plans = plans
    self.destinationContext = destinationContext
    holder = DestinationHolder(plans)
    plansByName = Dictionary(
      plans.map { ($0.mapping.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  var progress: Float {
    plans.isEmpty ? 1 : Float(visitsDone) / Float(3 * plans.count)
  }

  /// Does something with the plan for a mapping.
  /// - Returns: Whether there is one.
  @inline(__always)
  func withPlan(for mapping: EntityMapping, _ body: (EntityMappingProgram) -> Void) -> Bool {
    if let current, current.mapping === mapping {
      body(current)
      return true
    }
    guard let plan = plan(for: mapping) else { return false }
    body(plan)
    return true
  }

  func plan(for mapping: EntityMapping) -> EntityMappingProgram? {
    if let current, current.mapping === mapping { return current }
    return plans.first { $0.mapping === mapping } ?? plan(named: mapping.name)
  }

  func plan(named name: String) -> EntityMappingProgram? {
    if let current, current.mapping.name == name { return current }
    return plansByName[name]
  }

  /// The plans that take the objects a source relationship leads to.
  func plans(reachedBy relationship: RelationshipDescription) -> [EntityMappingProgram] {
    guard let entity = relationship.destinationEntity else { return [] }
    if let known = plansReaching[ObjectIdentifier(entity)] { return known }
    let reached = plans.filter { plan in
      plan.mapping.fetchesSource && plan.sourceEntity?.isKindOf(entity: entity) == true
    }
    plansReaching[ObjectIdentifier(entity)] = reached
    return reached
  }

  func forgetAssociations() {
    for plan in plans {
      plan.associations =
        destinationContext.findsNewObjectsByKey
        ? AssociationTable(findingIn: destinationContext) : AssociationTable()
    }
  }

  /// Stops when a policy cancelled the migration, or when something raised an exception.
  func checkStop() throws {
    if let cancellation { throw cancellation }
    // The trap around the pass puts the exception in the place of this error.
    let hasRaised = trapInPlace?.takeUnretainedValue().hasRaised
    if hasRaised ?? ExceptionTrap.hasRaised { throw CancellationError() }
  }
}

/// Has plans hold their destination instances.
final class DestinationHolder {
  private let plans: [EntityMappingProgram]
  init(_ plans: [EntityMappingProgram]) { self.plans = plans }

  func holdDestinations() {
    for plan in plans { plan.associations.holdDestinations() }
  }
}

/// The passes of a migration, by the words of Apple's guide.
public enum MigrationPass: String, CaseIterable, Sendable {
  case instances = "instance creation"
  case relationships = "relationship creation"
  case validation = "validation"
  case save = "save"
  /// Before and after the step of a stage: what its handlers do.
  case willMigrate, didMigrate
}
