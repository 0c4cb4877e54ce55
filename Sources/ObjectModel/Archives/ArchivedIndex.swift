/// Reads one archived fetch index.
/// Core Data: observed in model caches for indexes over properties; assumed, from Apple's names, for
/// expressions and partial indexes, since no archive with one was at hand.
struct ArchivedIndex {
  private let archived: ArchivedObject

  init(_ archived: ArchivedObject) { self.archived = archived }

  /// The index; nil for one without name.
  var description: FetchIndexDescription? {
    guard let name = archived["NSIndexName"].stringValue else { return nil }
    return FetchIndexDescription(
      name: name,
      elements: archived["NSIndexElements"].elements.compactMap(\.objectValue).compactMap(element),
      partialPredicateFormat: ArchivedFormat.predicate(archived["NSPartialIndexPredicate"]))
  }

  private func element(_ archived: ArchivedObject) -> FetchIndexDescription.Element? {
    let isAscending = archived["NSAscending"].isTrue
    var element: FetchIndexDescription.Element
    if let described = expressionDescription(in: archived) {
      guard let text = ArchivedFormat.expression(described["NSExpression"]) else { return nil }
      let type = described["NSExpressionResultType"].integerValue
      element = .init(
        expressionFormat: text,
        type: type.flatMap { UInt(exactly: $0) }.flatMap(AttributeType.init) ?? .undefined,
        isAscending: isAscending)
    } else {
      guard let name = archived["NSPropertyName"].stringValue else { return nil }
      element = .init(propertyName: name, isAscending: isAscending)
    }
    let collation = archived["NSFetchIndexElementType"].integerValue ?? 0
    element.collation =
      UInt(exactly: collation).flatMap(FetchIndexDescription.Collation.init) ?? .binary
    return element
  }

  /// The `NSExpressionDescription` that stands for a property, under whatever name.
  private func expressionDescription(in element: ArchivedObject) -> ArchivedObject? {
    element.keys.lazy.compactMap { element[$0].objectValue }
      .first { $0.classNames.contains("NSExpressionDescription") }
  }
}

// MARK: - Writing

extension ModelArchiveWriter {
  func addIndexes(of entity: EntityDescription) -> Reference {
    // Core Data: observed in 39 stores with R-trees: none lists one.
    let indexes =
      form == .compiledModel ? entity.indexes : entity.storedIndexes.filter { !$0.isRTree }
    return writer.add(array: indexes.map { add($0, of: entity) }, mutable: true)
  }

  private func add(_ index: FetchIndexDescription, of entity: EntityDescription) -> Reference {
    let reference = writer.reserve()
    let elements = index.elements.compactMap { add($0, of: reference) }
    let predicate = index.partialPredicateFormat.flatMap {
      predicates?.add(predicate: $0, to: writer)
    }
    writer.define(
      reference, as: ["NSFetchIndexDescription"],
      fields: [
        ("NSIndexName", .reference(writer.add(index.name))),
        ("NSIndexElements", .reference(writer.add(array: elements, mutable: true))),
        ("NSPartialIndexPredicate", .reference(predicate ?? .null)),
        ("NSEntity", .reference(self.reference(entity))),
      ])
    return reference
  }

  /// - Returns: Nil for an expression that can't be archived.
  private func add(
    _ element: FetchIndexDescription.Element, of index: Reference
  ) -> Reference? {
    var fields: Fields = [
      ("NSFetchIndexElementType", .integer(Int64(element.collation.rawValue))),
      ("NSAscending", .bool(element.isAscending)),
      ("NSFetchIndexDescription", .reference(index)),
    ]
    if let format = element.expressionFormat {
      guard let expression = predicates?.add(expression: format, to: writer) else { return nil }
      fields.append(("NSProperty", .reference(add(expression, of: element.expressionType))))
    } else {
      fields.append(("NSPropertyName", .reference(writer.add(element.propertyName))))
    }
    return writer.add("NSFetchIndexElementDescription", fieldList: fields)
  }

  private func add(_ expression: Reference, of type: AttributeType) -> Reference {
    writer.add(
      "NSExpressionDescription", "NSPropertyDescription",
      fieldList: [
        ("NSExpression", .reference(expression)),
        ("NSExpressionResultType", .integer(Int64(type.rawValue))),
      ])
  }
}
