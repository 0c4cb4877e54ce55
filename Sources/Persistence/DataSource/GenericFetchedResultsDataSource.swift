/// The objects of an entity in its own order, in sections if wanted, narrowed to those that belong
/// to another object and to those that have a term in their text.
open class GenericFetchedResultsDataSource<Entity: GenericDataObject>:
  BasicFetchedResultsDataSource<Entity>
{
  public let allowsGrouping: Bool
  public let allowsTextSearching: Bool
  /// What went wrong when a changed term or object was looked for; nil after a success.
  public private(set) var fetchError: (any Error)?

  public init(
    context: ManagedObjectContext, view: (any DataSourceView)? = nil, allowsGrouping: Bool = true,
    allowsTextSearching: Bool = true
  ) {
    self.allowsGrouping = allowsGrouping
    self.allowsTextSearching = allowsTextSearching
    super.init(context: context, view: view)
  }

  /// The text that is looked for. Setting it fetches, if searching is allowed.
  public var currentSearchTerm: String? {
    didSet { if allowsTextSearching { fetchAgain() } }
  }

  /// The object that shown objects must belong to; what nil means is the entity's decision. Setting
  /// it fetches.
  public var constraintObject: ManagedObject? {
    didSet { fetchAgain() }
  }

  private func fetchAgain() {
    do {
      try updateRequestAndFetch()
      fetchError = nil
    } catch {
      fetchError = error
      FinderLog.write("Fetch Error: \(error)")
    }
  }

  open override var sectionName: ((ManagedObject) throws -> String?)? {
    allowsGrouping ? { try Entity.groupIndex(of: $0) } : nil
  }

  open override var sortDescriptorsForFetchRequest: [SortDescriptor] {
    Entity.defaultSortDescriptors()
  }

  open override var searchPredicateForFetchRequest: Predicate? {
    let parts = [
      Entity.relationshipFilterPredicate(for: constraintObject),
      allowsTextSearching ? Entity.searchPredicate(for: currentSearchTerm) : nil,
    ].compactMap { $0 }
    return parts.count < 2
      ? parts.first : CompoundPredicate(andPredicateWithSubpredicates: parts)
  }
}
