/// A section of a fetched results controller, as it is shown.
public protocol FetchedResultsSectionInfo {
  /// The value of the section's key path as text; empty for nil, and without a key path.
  var name: String { get }
  /// What an index beside the list shows for it.
  var indexTitle: String? { get }
  var numberOfObjects: Int { get }
  /// The section's objects in order.
  var objects: [Any]? { get }
}

/// Consecutive objects with one section name.
struct FetchedResultsSection: FetchedResultsSectionInfo {
  let name: String
  let indexTitle: String?
  private(set) var members: ArraySlice<FetchedRow>

  init(name: String, indexTitle: String?, members: ArraySlice<FetchedRow>) {
    self.name = name
    self.indexTitle = indexTitle
    self.members = members
  }

  var numberOfObjects: Int { members.count }
  var objects: [Any]? { members.map(\.object) }

  /// The section once it is removed: it has no objects left.
  /// Core Data: observed by an app's tests of a delegate's section changes.
  var emptied: Self { Self(name: name, indexTitle: indexTitle, members: []) }
}

/// An object of the result, with what its place follows from.
struct FetchedRow {
  let object: ManagedObject
  /// The values it is sorted by.
  let keys: [Value]
  let section: String
}
