/// Reads and writes archived fetch requests: `NSFetchRequest`.
///
/// No archive with one was at hand. The fields go by Apple's names of the properties; when reading, a
/// field counts by the end of its name, whatever stands before it.
struct ArchivedRequest {
  private let archived: ArchivedObject

  init(_ archived: ArchivedObject) { self.archived = archived }

  private enum Field: String {
    case entityName = "EntityName"
    case predicate = "Predicate"
    case sortDescriptors = "SortDescriptors"
    case fetchLimit = "FetchLimit"
    case fetchBatchSize = "FetchBatchSize"
    case includesSubentities = "IncludesSubentities"
    case includesPendingChanges = "IncludesPendingChanges"
    case includesPropertyValues = "IncludesPropertyValues"
    case returnsObjectsAsFaults = "ReturnsObjectsAsFaults"
    case returnsDistinctResults = "ReturnsDistinctResults"
    case resultType = "ResultType"
  }

  private subscript(field: Field) -> ArchivedValue {
    let wanted = field.rawValue.lowercased()
    let key = archived.keys.first {
      $0.lowercased().hasSuffix(wanted) && !$0.lowercased().hasSuffix("having" + wanted)
    }
    return key.map { archived[$0] } ?? .null
  }

  /// The request; nil for an object without an entity.
  /// - Parameter entityName: The entity where the request itself names none.
  func template(named name: String, entityName: String? = nil) -> FetchRequestTemplate? {
    let own =
      archived["NSEntity"].objectValue?["NSEntityName"].stringValue
      ?? archived["NSEntity"].stringValue ?? self[.entityName].stringValue
    guard let entityName = own ?? entityName else { return nil }
    var template = FetchRequestTemplate(
      name: name, entityName: entityName,
      predicateFormat: ArchivedFormat.predicate(self[.predicate]))
    template.sortKeys = self[.sortDescriptors].elements.compactMap(\.objectValue).compactMap(
      sortKey)
    template.fetchLimit = count(.fetchLimit)
    template.fetchBatchSize = count(.fetchBatchSize)
    template.includesSubentities = flag(.includesSubentities, absent: true)
    template.includesPendingChanges = flag(.includesPendingChanges, absent: true)
    template.includesPropertyValues = flag(.includesPropertyValues, absent: true)
    template.returnsObjectsAsFaults = flag(.returnsObjectsAsFaults, absent: true)
    template.returnsDistinctResults = flag(.returnsDistinctResults, absent: false)
    template.resultType = UInt(count(.resultType))
    return template
  }

  private func count(_ field: Field) -> Int {
    self[field].integerValue.flatMap { Int32(exactly: $0) }.map { max(Int($0), 0) } ?? 0
  }

  private func flag(_ field: Field, absent: Bool) -> Bool {
    self[field].isNull ? absent : self[field].isTrue
  }

  private func sortKey(_ object: ArchivedObject) -> FetchRequestTemplate.SortKey? {
    object["NSKey"].stringValue.map {
      FetchRequestTemplate.SortKey(
        keyPath: $0, isAscending: object["NSAscending"].isTrue,
        selectorName: object["NSSelector"].stringValue)
    }
  }
}

// MARK: - Writing

extension ModelArchiveWriter {
  /// Adds a fetch request; what is as in a new request is left out.
  func add(_ template: FetchRequestTemplate) -> Reference {
    let predicate = template.predicateFormat.flatMap { predicates?.add(predicate: $0, to: writer) }
    var fields: Fields = [
      ("NSEntity", .reference(model.entity(named: template.entityName).map(reference) ?? .null)),
      ("NSEntityName", .reference(writer.add(template.entityName))),
      ("NSPredicate", .reference(predicate ?? .null)),
    ]
    if !template.sortKeys.isEmpty {
      let keys = writer.add(array: template.sortKeys.map(add))
      fields.append(("NSSortDescriptors", .reference(keys)))
    }
    fields += numbers(of: template) + flags(of: template)
    return writer.add("NSFetchRequest", "NSPersistentStoreRequest", fieldList: fields)
  }

  private func numbers(of template: FetchRequestTemplate) -> Fields {
    [
      ("NSFetchLimit", template.fetchLimit), ("NSFetchBatchSize", template.fetchBatchSize),
      ("NSResultType", Int(template.resultType)),
    ].filter { $0.1 != 0 }.map { ($0.0, .integer(Int64($0.1))) }
  }

  private func flags(of template: FetchRequestTemplate) -> Fields {
    [
      ("NSIncludesSubentities", template.includesSubentities, true),
      ("NSIncludesPendingChanges", template.includesPendingChanges, true),
      ("NSIncludesPropertyValues", template.includesPropertyValues, true),
      ("NSReturnsObjectsAsFaults", template.returnsObjectsAsFaults, true),
      ("NSReturnsDistinctResults", template.returnsDistinctResults, false),
    ].filter { $0.1 != $0.2 }.map { ($0.0, .bool($0.1)) }
  }

  private func add(_ key: FetchRequestTemplate.SortKey) -> Reference {
    writer.add(
      "NSSortDescriptor",
      fields: [
        "NSKey": .reference(writer.add(key.keyPath)), "NSAscending": .bool(key.isAscending),
        "NSSelector": .reference(writer.add(key.selectorName)),
      ])
  }
}
