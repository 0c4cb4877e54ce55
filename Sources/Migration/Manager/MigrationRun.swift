/// The state of one migration: its programs, where it is, and whether it shall stop.
final class MigrationRun {
  let programs: [EntityMappingProgram]
  /// What is checked when all objects are there.
  let checks: MigrationPlan.Checks
  private let programsByName: [String: EntityMappingProgram]
  /// By the entity that a relationship leads to.
  private var programsReaching: [ObjectIdentifier: [EntityMappingProgram]] = [:]
  /// The program whose hooks are running.
  var current: EntityMappingProgram?
  /// Where destination instances are made.
  let destinationContext: ManagedObjectContext
  /// The object whose hook is running.
  var object: ManagedObject?
  var pass = MigrationPass.instances
  var visitsDone = 0
  var cancellation: (any Error)?
  /// Where exceptions of the running hook go.
  var trap: ExceptionTrap?
  /// Whether somebody measures: a weak reference takes too long to ask for with each object.
  let isMetered: Bool
  /// Takes hold of what all programs made. Outside of the manager, which is retained for each object: a
  /// weak reference would make that several times as slow.
  let holder: DestinationHolder

  init(
    _ programs: [EntityMappingProgram], checks: MigrationPlan.Checks,
    in destinationContext: ManagedObjectContext, isMetered: Bool
  ) {
    self.programs = programs
    self.isMetered = isMetered
    self.checks = checks
    self.destinationContext = destinationContext
    holder = DestinationHolder(programs)
    programsByName = Dictionary(
      programs.map { ($0.mapping.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  var progress: Float {
    programs.isEmpty ? 1 : Float(visitsDone) / Float(3 * programs.count)
  }

  func program(for mapping: EntityMapping) -> EntityMappingProgram? {
    if let current, current.mapping === mapping { return current }
    return programs.first { $0.mapping === mapping } ?? program(named: mapping.name)
  }

  func program(named name: String) -> EntityMappingProgram? {
    if let current, current.mapping.name == name { return current }
    return programsByName[name]
  }

  /// The programs that take the objects a source relationship leads to.
  func programs(reachedBy relationship: RelationshipDescription) -> [EntityMappingProgram] {
    guard let entity = relationship.destinationEntity else { return [] }
    if let known = programsReaching[ObjectIdentifier(entity)] { return known }
    let reached = programs.filter { program in
      program.mapping.fetchesSource && program.plan.source?.isKindOf(entity: entity) == true
    }
    programsReaching[ObjectIdentifier(entity)] = reached
    return reached
  }

  func forgetAssociations() {
    for program in programs {
      program.associations =
        destinationContext.findsNewObjectsByKey
        ? AssociationTable(findingIn: destinationContext) : AssociationTable()
    }
  }

  /// Stops when a policy cancelled the migration, or when something raised an exception.
  func checkStop() throws {
    if let cancellation { throw cancellation }
    // The trap around the pass puts the exception in the place of this error.
    if trap?.hasRaised ?? ExceptionTrap.hasRaised { throw CancellationError() }
  }
}

/// Has programs hold their destination instances.
final class DestinationHolder {
  private let programs: [EntityMappingProgram]
  init(_ programs: [EntityMappingProgram]) { self.programs = programs }

  func holdDestinations() {
    for program in programs { program.associations.holdDestinations() }
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
