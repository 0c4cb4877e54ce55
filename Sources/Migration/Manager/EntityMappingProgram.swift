/// One entity mapping under way in a migration manager: its plan, its policy, and what it has made.
final class EntityMappingProgram {
  let mapping: EntityMapping
  let plan: EntityPlan
  let policy: EntityMigrationPolicy
  let attributes: [PropertyStep<AttributeDescription, ValueSource>]
  let relationships: [PropertyStep<RelationshipDescription, LinkSource>]
  var associations = AssociationTable()
  /// The variables of expressions; those that change are set before each evaluation.
  var variables: [String: Value]
  /// The property whose expression threw an error.
  var failedProperty: String?
  /// The row of `associations` that the second pass is at.
  var row = 0
  /// What was given as member of a to-many relationship, and to whom; where members may have one owner only.
  var owners: [String: [ManagedObjectID: ManagedObjectID]] = [:]
  /// How many objects its policy and its expressions have fetched.
  var fetchedCount = 0
  /// What the calls of its policy's hooks did, in the order of the first calls; where somebody measures.
  var hookWork: [HookWork] = []

  /// Whether the mapping's own policy adds nothing to Core Data's.
  let usesDefaultPolicy: Bool
  /// Whether anything is done for each object in the second pass.
  let mayLinkObjects: Bool

  /// - Parameter plan: What `mapping` was compiled to.
  init(
    _ mapping: EntityMapping, _ plan: EntityPlan, policy: EntityMigrationPolicy,
    manager: MigrationManager
  ) {
    self.mapping = mapping
    self.plan = plan
    self.policy = policy
    usesDefaultPolicy = type(of: policy) == EntityMigrationPolicy.self
    attributes = zip(plan.attributes, (mapping.attributeMappings ?? []).withExpressions).map {
      PropertyStep(property: $0.attribute, source: $0.source, mapping: $1)
    }
    relationships = zip(plan.relationships, (mapping.relationshipMappings ?? []).withExpressions)
      .map { PropertyStep(property: $0.relationship, source: $0.source, mapping: $1) }
    mayLinkObjects =
      !relationships.isEmpty || !(usesDefaultPolicy || policy.leavesLinkingToCoreData)
    variables = [
      MigrationVariable.manager.rawValue: .object(manager),
      MigrationVariable.entityMapping.rawValue: .object(mapping),
      MigrationVariable.entityPolicy.rawValue: .object(policy),
      MigrationVariable.source.rawValue: .null,
      MigrationVariable.destination.rawValue: .null,
      MigrationVariable.propertyMapping.rawValue: .null,
    ]
  }

  /// Lets go of what the variables hold: the manager, which holds this program.
  func finish() { variables = [:] }

  /// Whether `source` has the slots that the steps were made for: those of the mapping's source
  /// entity, which its subentities share.
  func reads(_ source: ManagedObject) -> Bool {
    if source.entity === plan.source { return true }
    return plan.source.map { source.entity.isKindOf(entity: $0) } ?? false
  }

  /// Evaluates an expression for one property of one object.
  func value<Property, Source>(
    of step: PropertyStep<Property, Source>, source: ManagedObject?, destination: ManagedObject
  ) throws -> Value {
    if let error = step.mapping.unreadable {
      throw CoreDataError.unreadableExpression(error)
        .at(entity: plan.destination?.name, property: step.property.name)
    }
    guard let expression = step.mapping.valueExpression else { return .null }
    let object = source.map { Value.object($0) } ?? .null
    variables[MigrationVariable.source.rawValue] = object
    variables[MigrationVariable.destination.rawValue] = .object(destination)
    variables[MigrationVariable.propertyMapping.rawValue] = .object(step.mapping)
    do { return try expression.value(for: object, variables: variables) } catch {
      throw located(error, in: expression, property: step.property.name)
    }
  }

  /// The objects that a source expression gave.
  func managedObjects(in value: Value) throws -> [ManagedObject] {
    switch value {
    case .null: return []
    case .object(let object as ManagedObject): return [object]
    case .collection(let collection): return try collection.elements.flatMap(managedObjects(in:))
    default:
      throw CoreDataError.sourceExpressionGivesNoObjects
        .at(entityMapping: mapping.name, entity: plan.source?.name)
        .with(value: value.boxed.map { "\($0)" })
    }
  }

  /// An error of the engine with its place; a policy's own error as it is.
  private func located(
    _ error: any Error, in expression: Expression, property: String
  ) -> any Error {
    failedProperty = property
    switch error {
    case let error as CoreDataError:
      return error.at(entity: plan.destination?.name, property: property)
    case is PredicateEvaluationError:
      return CoreDataError.noValue(of: expression, error)
        .at(entity: plan.destination?.name, property: property)
    default: return error
    }
  }
}

/// One property to be set on each destination object.
struct PropertyStep<Property: PropertyDescription, Source> {
  let property: Property
  let source: Source
  /// What the plan's part was compiled of; policies may ask for it.
  let mapping: PropertyMapping
}

/// The variables that value expressions know, by Core Data's names.
public enum MigrationVariable: String, Sendable, CaseIterable {
  /// The migration manager (`NSMigrationManagerKey`).
  case manager
  /// The source object; nil in an add mapping (`NSMigrationSourceObjectKey`).
  case source
  /// The destination object (`NSMigrationDestinationObjectKey`).
  case destination
  /// The current entity mapping (`NSMigrationEntityMappingKey`).
  case entityMapping
  /// The current property mapping (`NSMigrationPropertyMappingKey`).
  case propertyMapping
  /// The policy of the current entity mapping (`NSMigrationEntityPolicyKey`).
  case entityPolicy
}
