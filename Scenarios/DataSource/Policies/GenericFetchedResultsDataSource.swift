import CoreData

@objc protocol Sortable: NSFetchRequestResult {
  static func defaultSortDescriptors() -> [NSSortDescriptor]!
}

@objc protocol Groupable: NSFetchRequestResult {
  var groupIndex: String! { get }
}

@objc protocol RelationshipFilterable: NSFetchRequestResult {
  /// Which objects belong to another one; without one it is the class's decision.
  static func relationshipFilterPredicate(for constraintObject: NSManagedObject?) -> NSPredicate?
}

@objc protocol TextSearchable: NSFetchRequestResult {
  /// nil for all objects.
  static func searchPredicate(for searchTerm: String?) -> NSPredicate?
}

@objc protocol MyGenericDataObject: Sortable, Groupable, RelationshipFilterable, TextSearchable {}

/// Sorted, in sections, of one owner, and searched, as far as is wanted.
class GenericFetchedResultsDataSource<T: NSManagedObject & MyGenericDataObject>:
  BasicFetchedResultsDataSource<T>
{
  let allowsGrouping: Bool
  let allowsTextSearching: Bool

  init(
    context: NSManagedObjectContext, listView: ListView, allowsGrouping: Bool = true,
    allowsTextSearching: Bool = true
  ) {
    self.allowsGrouping = allowsGrouping
    self.allowsTextSearching = allowsTextSearching
    super.init(context: context, listView: listView)
  }

  var currentSearchTerm: String? {
    didSet { if allowsTextSearching { fetchAgain() } }
  }

  var constraintObject: NSManagedObject? {
    didSet { fetchAgain() }
  }

  private func fetchAgain() {
    do { try updateRequestAndFetch() } catch { print("Fetch Error: \(error)") }
  }

  override var sectionNameKeyPath: String? {
    return allowsGrouping ? #keyPath(MyGenericDataObject.groupIndex) : nil
  }

  override var sortDescriptorsForFetchRequest: [NSSortDescriptor]! {
    return T.defaultSortDescriptors()
  }

  override var searchPredicateForFetchRequest: NSPredicate? {
    let parts = [
      T.relationshipFilterPredicate(for: constraintObject),
      allowsTextSearching ? T.searchPredicate(for: currentSearchTerm) : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: parts)
  }
}
