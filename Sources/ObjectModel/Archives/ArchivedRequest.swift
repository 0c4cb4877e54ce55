/// Reads and writes archived fetch requests: `NSFetchRequest`.
/// Core Data: observed in compiled models of public apps.
struct ArchivedRequest {
  private let archived: ArchivedObject

  init(_ archived: ArchivedObject) { self.archived = archived }

  /// The bits of `NSFetchRequestFlags`.
  // Core Data: observed for 1, 4 and 16; assumed which of 2 and 8 is which, since no request has one without the other.
  private static let flags:
    [(bit: Int64, setting: WritableKeyPath<FetchRequestTemplate, Bool> & Sendable)] = [
      (1, \.returnsDistinctResults), (2, \.includesSubentities), (4, \.includesPropertyValues),
      (8, \.returnsObjectsAsFaults), (16, \.includesPendingChanges),
    ]

  /// The request; nil for an object without an entity.
  /// - Parameter entityName: The entity where the request itself names none.
  func template(named name: String, entityName: String? = nil) -> FetchRequestTemplate? {
    let own =
      archived["NSEntity"].objectValue?["NSEntityName"].stringValue
      ?? archived["NSEntityName"].stringValue
    guard let entityName = own ?? entityName else { return nil }
    var template = FetchRequestTemplate(
      name: name, entityName: entityName,
      predicateFormat: ArchivedFormat.predicate(archived["NSPredicate"]))
    template.sortKeys = archived["NSSortDescriptors"].elements.compactMap(\.objectValue).compactMap(
      sortKey)
    template.fetchLimit = count("NSFetchLimit")
    template.fetchOffset = count("NSFetchOffset")
    template.fetchBatchSize = count("NSBatchSize")
    template.resultType = UInt(count("NSResultType"))
    if let bits = archived["NSFetchRequestFlags"].integerValue {
      for (bit, setting) in Self.flags { template[keyPath: setting] = bits & bit != 0 }
    }
    return template
  }

  static func bits(of template: FetchRequestTemplate) -> Int64 {
    flags.reduce(0) { $0 | (template[keyPath: $1.setting] ? $1.bit : 0) }
  }

  private func count(_ key: String) -> Int {
    archived[key].integerValue.flatMap { Int32(exactly: $0) }.map { max(Int($0), 0) } ?? 0
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
  /// Adds a fetch request, with all the keys that Core Data writes.
  func add(_ template: FetchRequestTemplate) -> Reference {
    let predicate = template.predicateFormat.flatMap { predicates?.add(predicate: $0, to: writer) }
    let sortKeys = template.sortKeys.map(add)
    return writer.add(
      "NSFetchRequest", "NSPersistentStoreRequest",
      fields: [
        "NSEntity": .reference(model.entity(named: template.entityName).map(reference) ?? .null),
        "NSPredicate": .reference(predicate ?? .null),
        "NSSortDescriptors": .reference(sortKeys.isEmpty ? .null : writer.add(array: sortKeys)),
        "NSFetchLimit": .integer(Int64(template.fetchLimit)),
        "NSFetchOffset": .integer(Int64(template.fetchOffset)),
        "NSBatchSize": .integer(Int64(template.fetchBatchSize)),
        "NSResultType": .integer(Int64(template.resultType)), "NSAllocationType": .integer(0),
        "NSFetchRequestFlags": .integer(ArchivedRequest.bits(of: template)),
        "NSHasFetchRequestFlags": .bool(true), "NSValuesToFetch": .reference(.null),
        "NSValuesToGroupBy": .reference(.null), "NSHavingPredicate": .reference(.null),
        "NSRelationshipKeyPathsForPrefetching": .reference(.null),
      ])
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
