/// A fetch request as a model file states it; predicates stay text on this layer.
public struct FetchRequestTemplate: Hashable, Sendable {
  public var name: String
  public var entityName: String
  public var predicateFormat: String?
  public var sortKeys: [SortKey] = []
  /// Most results to give; 0 for all.
  public var fetchLimit = 0
  /// How many results to leave out at the beginning. Only compiled models say so.
  public var fetchOffset = 0
  /// How many objects' values are read together; 0 for all.
  public var fetchBatchSize = 0
  public var includesSubentities = true
  public var includesPendingChanges = true
  public var includesPropertyValues = true
  public var returnsObjectsAsFaults = true
  public var returnsDistinctResults = false
  /// Core Data's own number: 0 for objects, 1 for identifiers, 2 for dictionaries, 4 for the count.
  public var resultType: UInt = 0

  /// A key path to sort by.
  public struct SortKey: Hashable, Sendable {
    public var keyPath: String
    public var isAscending: Bool
    /// The comparison, `compare:` where it is the plain one.
    public var selectorName: String?

    public init(keyPath: String, isAscending: Bool = true, selectorName: String? = nil) {
      self.keyPath = keyPath
      self.isAscending = isAscending
      self.selectorName = selectorName
    }
  }

  /// What Xcode calls the request inside a fetched property.
  package static let fetchedPropertyName = "fetchedPropertyFetchRequest"

  public init(name: String, entityName: String, predicateFormat: String? = nil) {
    self.name = name
    self.entityName = entityName
    self.predicateFormat = predicateFormat
  }
}

extension FetchRequestTemplate {
  /// The request in a line: the entity, the predicate, and whatever isn't as it ordinarily is.
  package var summary: String {
    let parts: [String?] = [
      predicateFormat.map { "where \($0)" },
      sortKeys.isEmpty ? nil : "by " + sortKeys.map(\.summary).joined(separator: ", "),
      fetchLimit == 0 ? nil : "limit \(fetchLimit)",
      fetchOffset == 0 ? nil : "offset \(fetchOffset)",
      fetchBatchSize == 0 ? nil : "batch size \(fetchBatchSize)",
      includesSubentities ? nil : "without subentities",
      includesPendingChanges ? nil : "without pending changes",
      includesPropertyValues ? nil : "without property values",
      returnsObjectsAsFaults ? nil : "not as faults",
      returnsDistinctResults ? "distinct" : nil,
      resultType == 0 ? nil : "result type \(resultType)",
    ]
    return ([entityName] + parts.compactMap { $0 }).joined(separator: " ")
  }
}

extension FetchRequestTemplate.SortKey {
  fileprivate var summary: String {
    keyPath + (isAscending ? "" : " descending") + (selectorName.map { " \($0)" } ?? "")
  }
}
