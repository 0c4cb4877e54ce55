package import Synchronization

/// Where Core Data raises an Objective-C exception, the engine raises into a trap.
///
/// Apple's API has calls that can't throw in Swift and raise exceptions for a programmer's mistake:
/// an undefined key, a value of the wrong type, an unparsable predicate. An app crashes there. A
/// test harness must report it instead, so whoever runs foreign code (the migration manager around
/// each policy hook, the runner around each step) sets a trap, and the first exception raised in it
/// becomes an error. Without a trap the process stops with the exception's text, as on a device.
/// Sendable unchecked: what it has is guarded by its lock.
public final class ExceptionTrap: @unchecked Sendable {
  @TaskLocal private static var current: ExceptionTrap?
  private let lock = NSLock()
  private var first: (any Error)?
  private let isFilled = Atomic<Bool>(false)

  private init() {}

  /// Told, on the spot, of what is thrown only when foreign code has returned: exceptions, and
  /// migrations that are cancelled. An exception comes along.
  package static let observer = Mutex<(@Sendable ((any Error)?) -> Void)?>(nil)

  /// Tells of something that will become an error.
  package static func tellObserver(_ exception: (any Error)? = nil) {
    observer.withLock(\.self)?(exception)
  }

  /// Runs `body`; an exception raised in it is thrown when it returns.
  public static func catching<Result>(_ body: () throws -> Result) throws -> Result {
    let trap = ExceptionTrap()
    let result = $current.withValue(trap) { Swift.Result { try body() } }
    // An exception comes before any error that the body threw after it: it is the cause.
    if let raised = trap.lock.withLock({ trap.first }) { throw raised }
    return try result.get()
  }

  /// The trap that exceptions go to now, to be taken along to another thread.
  package static var innermost: ExceptionTrap? { current }

  /// Runs `body`, on whatever thread, with its exceptions going to this trap.
  package func holding<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self) { try body() }
  }

  /// Raises `error` as an exception: the innermost trap keeps the first one. The caller goes on
  /// with a harmless result, which is thrown away with the rest of the trapped work.
  public static func raise(_ error: any Error) {
    guard let trap = current else {
      fatalError("*** Terminating due to uncaught exception: \(error)")
    }
    trap.lock.withLock { trap.first = trap.first ?? error }
    trap.isFilled.store(true, ordering: .releasing)
    tellObserver(error)
  }

  /// Keeps `error` as an exception of the innermost trap, if there is one: for a call that throws
  /// here and raises on a device, where the caller's `try?` hides nothing.
  public static func note(_ error: any Error) {
    if current != nil { raise(error) }
  }

  /// Runs `body`, whose errors are exceptions on a device: a caller's `try?` and `catch` hide nothing.
  package static func noting<Result>(_ body: () throws -> Result) rethrows -> Result {
    do { return try body() } catch {
      note(error)
      throw error
    }
  }

  /// Whether an exception was raised in the innermost trap; long loops stop early on it.
  public static var hasRaised: Bool { current?.hasRaised ?? false }

  /// Whether an exception was raised in this trap.
  package var hasRaised: Bool { isFilled.load(ordering: .acquiring) }
}
