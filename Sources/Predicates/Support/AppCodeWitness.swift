import Synchronization

/// Something that an app's code has the engine do, of which nobody knows what a device makes of it.
public enum AppCodeDoubt: String, Hashable, Sendable, Codable, CustomStringConvertible {
  /// Several new objects of one save have the same values of a uniqueness constraint.
  // Core Data: assumed to become the first of them, which takes over the others' values where the merge policy
  // prefers what is in memory; whose values stay on a device isn't known.
  case newDuplicates
  /// A changed object was deleted by others, and the merge policy goes by properties.
  // Core Data: assumed to be made again where what is in memory wins; a public suite lets the deletion stand.
  case deletedByOthers
  /// A migration manager migrates once more.
  // Core Data: assumed to make no difference; one author saw the second run validate before it linked.
  case managerUsedAgain
  /// A function of numbers, other than arithmetic, was computed of nil, in memory.
  // Core Data: assumed to give nil; for arithmetic an exception is observed.
  case functionOfNil
  /// Dictionaries with aggregates were fetched from an app's own store in memory.
  // Core Data: assumed to be computed; a report of 2014 has an exception.
  case aggregatesInMemory

  /// An attribute was set to a number that its type can't hold: a fraction, or one too large for it.
  // Core Data: assumed to lose the fraction, and to refuse what is too large; nobody is known to have looked.
  case unfitNumber

  public var description: String {
    switch self {
    case .newDuplicates: "new objects have the same values of a uniqueness constraint"
    case .deletedByOthers: "an object was changed that others had deleted"
    case .managerUsedAgain: "a migration manager migrated once more"
    case .aggregatesInMemory: "aggregates were fetched from a store in memory"
    case .unfitNumber: "an attribute was set to a number that it can't hold, such as 1.5"
    case .functionOfNil: "a function was computed of nil, such as nil & 1"
    }
  }
}

/// Sees what nobody knows a device to do, in all that runs in its task.
package final class AppCodeWitness: Sendable {
  @TaskLocal package static var current: AppCodeWitness?
  private let seen = Mutex<[AppCodeDoubt]>([])

  package init() {}

  package var doubts: [AppCodeDoubt] { seen.withLock(\.self) }

  package static func tell(_ doubt: AppCodeDoubt) {
    current?.seen.withLock { if !$0.contains(doubt) { $0.append(doubt) } }
  }
}
