/// What a merge policy does. Raw values are Core Data's own.
public enum MergePolicyType: UInt, Sendable, CaseIterable {
  /// The save fails; the context is left as it is.
  case errorMergePolicyType = 0
  /// Property by property, what was changed in the store meanwhile wins.
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  /// Property by property, what was changed in the context wins.
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  /// The context's object wins as a whole.
  case overwriteMergePolicyType = 3
  /// The context's changes of the object are given up.
  case rollbackMergePolicyType = 4
}

/// Resolves the conflicts that a save meets: rows changed by others since they were read, and values
/// that a uniqueness constraint wants once.
///
/// A subclass overrides ``resolve(mergeConflicts:)`` or ``resolve(constraintConflicts:)``, and calls
/// super for the conflicts it leaves.
/// Sendable unchecked: nothing in it changes once it is made. Subclasses see to themselves.
open class MergePolicy: NSObject, @unchecked Sendable {
  public final let mergeType: MergePolicyType

  /// The policy of a type.
  public init(merge type: MergePolicyType) { mergeType = type }

  public static let error = MergePolicy(merge: .errorMergePolicyType)
  public static let rollback = MergePolicy(merge: .rollbackMergePolicyType)
  public static let overwrite = MergePolicy(merge: .overwriteMergePolicyType)
  public static let mergeByPropertyObjectTrump = MergePolicy(
    merge: .mergeByPropertyObjectTrumpMergePolicyType)
  public static let mergeByPropertyStoreTrump = MergePolicy(
    merge: .mergeByPropertyStoreTrumpMergePolicyType)

  /// Resolves all conflicts over rows that were changed by others.
  /// - Throws: 133020 with the conflicts, from the error policy.
  open func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
    try resolve(mergeConflicts: conflicts)
  }

  /// Resolves conflicts of either kind.
  /// - Parameter conflicts: Objects of ``MergeConflict`` or ``ConstraintConflict``.
  /// - Throws: 133020 or 133021 with the conflicts, from the error policy.
  open func resolve(mergeConflicts conflicts: [Any]) throws {
    let versions = conflicts.compactMap { $0 as? MergeConflict }
    if !versions.isEmpty { try resolveVersions(versions) }
    let constraints = conflicts.compactMap { $0 as? ConstraintConflict }
    if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
  }

  /// Resolves conflicts over uniqueness constraints.
  /// - Throws: 133021 with the conflicts, from the error policy.
  open func resolve(constraintConflicts conflicts: [ConstraintConflict]) throws {
    if mergeType == .errorMergePolicyType { throw CoreDataError.constraintsViolated(conflicts) }
    for conflict in conflicts { try resolve(conflict) }
  }

  private func resolveVersions(_ conflicts: [MergeConflict]) throws {
    if mergeType == .errorMergePolicyType { throw CoreDataError.changedSinceRead(conflicts) }
    // What others made again is settled first, since the rest may lead to it. What is made again here
    // is there before the links of anything are looked at: objects that lead to each other may all be.
    let again = conflicts.filter { $0.sourceObject.isInserted }
    let others = conflicts.filter { !$0.sourceObject.isInserted }
    let revived = others.filter(isToBeMadeAgain)
    for conflict in again { resolve(conflict) }
    for object in revived.map(\.sourceObject) { object.context?.makeAgain(object) }
    for conflict in others where !revived.contains(conflict) { resolve(conflict) }
    for conflict in revived { resolve(conflict) }
  }
}

// MARK: - Errors

extension CoreDataError {
  fileprivate static func changedSinceRead(_ conflicts: [MergeConflict]) -> CoreDataError {
    let first = conflicts.first?.sourceObject.objectID
    var error = CoreDataError(
      .managedObjectMerge, "Could not merge changes.",
      advice: "\(rows(conflicts.count)) changed or deleted by another context since this one read "
        + "\(conflicts.count == 1 ? "it" : "them"); refresh and save again, or set a merge policy."
    ).at(entity: first?.entity.name, object: first?.description)
    error.conflictList = conflicts
    return error
  }

  private static func rows(_ count: Int) -> String {
    count == 1 ? "The row was" : "\(count) rows were"
  }

  fileprivate static func constraintsViolated(_ conflicts: [ConstraintConflict]) -> CoreDataError {
    var error = CoreDataError(.managedObjectConstraintMerge, "Could not merge changes.")
    if let first = conflicts.first {
      error = constraintViolated(
        entity: first.entity.name, properties: first.constraint, values: first.key,
        objects: first.objects.map(\.objectID.current))
    }
    error.conflictList = conflicts
    return error
  }
}
