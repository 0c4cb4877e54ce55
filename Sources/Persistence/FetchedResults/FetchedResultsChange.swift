/// What can happen to a row or a section. Raw values are Core Data's own.
public enum FetchedResultsChangeType: UInt, Sendable, Hashable {
  case insert = 1
  case delete = 2
  case move = 3
  case update = 4
}

/// What changed between two states of a fetched results controller.
///
/// Paths and numbers of what was there count in the old sections, those of what is there now in the
/// new ones. To bring a list up to date: take out deleted and moved rows, then deleted sections; put
/// in inserted sections, then inserted and moved rows, in ascending order.
public struct FetchedResultsChange: Sendable {
  /// One changed object.
  /// Sendable unchecked: for the context's queue, where it is told.
  public struct Row: @unchecked Sendable {
    public let object: ManagedObject
    public let type: FetchedResultsChangeType
    /// Where it was; nil for an inserted one.
    public let indexPath: IndexPath?
    /// Where it is now; nil for a deleted one. An updated one is told where it was only.
    public let newIndexPath: IndexPath?
  }

  /// Sections that are gone, by their old numbers.
  public internal(set) var deletedSections: [Int] = []
  /// Sections that are new, by their new numbers.
  public internal(set) var insertedSections: [Int] = []
  /// Deleted rows first, then inserted, moved and updated ones in their new order.
  public internal(set) var rows: [Row] = []

  public var isEmpty: Bool {
    deletedSections.isEmpty && insertedSections.isEmpty && rows.isEmpty
  }
}

// MARK: - Comparing

extension FetchedResultsChange {
  /// - Parameter changed: The objects that may have other values than before; all others kept
  ///   their order among each other.
  init(from old: FetchedRows, to new: FetchedRows, changed: Set<ManagedObject>) {
    compareSections(old.sectionNames, new.sectionNames)
    let rebuilt = Set(deletedSections.map { old.name(ofSection: $0) })
      .intersection(insertedSections.map { new.name(ofSection: $0) })
    for (place, row) in old.rows.enumerated() where !new.contains(row.object) {
      rows.append(
        Row(
          object: row.object, type: .delete, indexPath: old.indexPath(atPlace: place),
          newIndexPath: nil))
    }
    for (place, row) in new.rows.enumerated() {
      let isRebuilt = rebuilt.contains(row.section)
      guard isRebuilt || changed.contains(row.object) || !old.contains(row.object) else { continue }
      rows.append(
        Self.row(row, new.indexPath(atPlace: place), from: old, isRebuilt: isRebuilt))
    }
  }

  /// The sections that keep their names and their order stay; of those that change places, as few
  /// as possible are deleted and inserted.
  private mutating func compareSections(_ old: [String], _ new: [String]) {
    for change in new.difference(from: old) {
      switch change {
      case .remove(let number, _, _): deletedSections.append(number)
      case .insert(let number, _, _): insertedSections.append(number)
      }
    }
    deletedSections.sort()
    insertedSections.sort()
  }

  /// What is told of an object that is there now. One whose sort keys or section changed moved,
  /// even to where it was; that it is updated goes without saying then.
  private static func row(
    _ row: FetchedRow, _ path: IndexPath, from old: FetchedRows, isRebuilt: Bool
  ) -> Row {
    guard let before = old.row(of: row.object), let oldPath = old.indexPath(of: row.object) else {
      return Row(object: row.object, type: .insert, indexPath: nil, newIndexPath: path)
    }
    if isRebuilt || before.keys != row.keys || before.section != row.section {
      return Row(object: row.object, type: .move, indexPath: oldPath, newIndexPath: path)
    }
    return Row(object: row.object, type: .update, indexPath: oldPath, newIndexPath: nil)
  }
}
