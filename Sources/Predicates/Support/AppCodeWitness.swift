import Dispatch
import Synchronization

/// Something that an app's code has the engine do, of which nobody knows what a device makes of it.
public enum AppCodeDoubt: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Several new objects of one save have the same values of a uniqueness constraint.
  // Core Data: assumed to become the first of them, which takes over the others' values where the merge policy
  // prefers what is in memory, and keeps its own where it prefers what is stored.
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
  // Core Data: assumed to lose the fraction, and to refuse what 64 bits can't hold; nobody is known to have looked.
  case unfitNumber
  /// A stage's handler returned before all that it left to a context's queue was saved.
  // Core Data: assumed to be waited for, so that each run has the same result; nothing says that a device does.
  case lateWork
  /// A migration of the app's own did what is unknown of a step, too.
  case migration(String)

  public var description: String {
    switch self {
    case .newDuplicates: "new objects have the same values of a uniqueness constraint"
    case .deletedByOthers: "an object was changed that others had deleted"
    case .managerUsedAgain: "a migration manager migrated once more"
    case .aggregatesInMemory: "aggregates were fetched from a store in memory"
    case .unfitNumber:
      "an attribute was set to a number that it can't hold, as 1.5, or 70000 as Integer 16"
    case .lateWork: "a stage's handler returned before its work was done"
    case .migration(let what): "in a migration by the app's code, \(what)"
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

  // MARK: Work that is left to queues

  private let work = DispatchGroup()
  private let hasReturned = Mutex(false)
  /// A block that waits for the caller's own thread is never done.
  private static let longestWait = 1.0

  /// A block for a queue, which the witness of the current task sees there, too.
  package static func following(_ block: @escaping () -> Void) -> () -> Void {
    guard let current else { return block }
    current.work.enter()
    return {
      defer { current.work.leave() }
      $current.withValue(current, operation: block)
    }
  }

  /// Waits for what an app's code, which has returned, left to queues.
  package static func awaitWork() {
    guard let current else { return }
    current.hasReturned.withLock { $0 = true }
    if current.work.wait(timeout: .now() + longestWait) == .timedOut { tell(.lateWork) }
  }

  /// Sees that something is written; blocks that only end after the code that waits for them are nothing to tell.
  package static func noteWriting() {
    if current?.hasReturned.withLock(\.self) == true { tell(.lateWork) }
  }
}
