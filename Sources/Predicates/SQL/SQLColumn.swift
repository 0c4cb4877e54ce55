/// An expression as a column of a SELECT, with the type of its values.
package struct SQLColumn {
  package let fragment: SQLFragment
  /// `.objectID` for the primary key of an object of ``destination``; `.undefined` for nil.
  package let type: AttributeType
  /// The root entity of the objects whose keys the values are.
  package let destination: EntityDescription?
}

extension SQLTranslator {
  /// A scalar of each object, with the values that it has in memory.
  ///
  /// - Parameter variable: A variable that stands for the object, as SELF does.
  /// - Throws: ``UntranslatablePredicate``.
  package func column(
    _ expression: Expression, entity: EntityDescription, variable: String? = nil
  ) throws -> SQLColumn {
    var translation = SQLTranslation(schema: schema, logic: logic)
    var scope = SQLScope(object: SQLRow(alias: alias, entity: entity))
    if let variable { scope.variables[variable] = scope.object }
    let operand = try translation.operand(expression, scope)
    guard let type = operand.kind.attributeType else {
      throw UntranslatablePredicate(expression, "its values are read in memory")
    }
    var destination: EntityDescription?
    if case .object(let hierarchy) = operand.kind { destination = hierarchy }
    return SQLColumn(fragment: operand.fragment, type: type, destination: destination)
  }
}

extension SQLOperand.Kind {
  /// The type of attributes that have such values; nil for data that SQL can't look into.
  fileprivate var attributeType: AttributeType? {
    switch self {
    case .integer, .integerOrDouble: .integer64
    case .double: .double
    case .decimal: .decimal
    case .text: .string
    case .date: .date
    case .uuid: .uuid
    case .uri: .uri
    case .object: .objectID
    case .null: .undefined
    case .opaque: nil
    }
  }
}
