/// The SQL of a predicate for a fetch from a device's store.
struct PredicateSQL {
  let entity: EntityDescription
  let result: Result<SQLFragment, any Error>
  /// Why a device refuses a fetch with the predicate; nil when it doesn't.
  let refusal: UnsupportedByStore?

  /// Lays out an empty store, since the names of tables and columns are the store's.
  init(_ predicate: Predicate, entity: EntityDescription, of model: ManagedObjectModel) {
    self.entity = entity
    refusal = Self.refusal(of: predicate, entity)
    result = Result { try Self.statement(for: predicate, of: entity, in: model) }
  }

  private static func refusal(
    of predicate: Predicate, _ entity: EntityDescription
  ) -> UnsupportedByStore? {
    do {
      try StoreSupport(entity: entity).check(predicate)
      return nil
    } catch { return error as? UnsupportedByStore }
  }

  private static func statement(
    for predicate: Predicate, of entity: EntityDescription, in model: ManagedObjectModel
  ) throws -> SQLFragment {
    try ScratchFolder.with { folder in
      let store = try SQLiteStore.create(at: folder.appending(path: "store.sqlite"), model: model)
      let statement = try store.statement(
        fetching: entity, where: predicate, logic: .threeValued)
      try store.close()
      return statement
    }
  }

  /// The statement and the values of its parameters, or why there is none; and what a device says.
  var lines: [String] {
    guard let refusal else { return statementLines }
    return statementLines + [
      "refused by Core Data's SQLite store: \(refusal)", "do: \(refusal.advice)",
    ]
  }

  private var statementLines: [String] {
    switch result {
    case .success(let statement):
      [statement.sql]
        + statement.bindings.enumerated().map { index, value in
          "?\(index + 1) = \(Expression.constant(value).expressionFormat)"
        }
    case .failure(let error): ["none; fetches evaluate it in memory", "\(error)"]
    }
  }

  /// The entity's properties with their types, by name.
  var entityLine: String {
    let properties = entity.propertiesByName.values.sorted { $0.name < $1.name }
    return "\(entity.name): " + properties.map(Self.notation).joined(separator: ", ")
  }

  private static func notation(_ property: PropertyDescription) -> String {
    switch property {
    case let attribute as AttributeDescription:
      "\(attribute.name) \(attribute.attributeType.name)"
    case let relationship as RelationshipDescription:
      relationship.isToMany
        ? "\(relationship.name) [\(relationship.destinationEntityName)]"
        : "\(relationship.name) \(relationship.destinationEntityName)"
    default: property.name
    }
  }
}
