/// On which thread a context and its objects are used.
public enum ManagedObjectContextConcurrencyType: UInt, Sendable {
  /// The thread that made the context. Obsolete on a device; accepted with a warning.
  case confinementConcurrencyType = 0
  /// A queue of the context's own.
  case privateQueueConcurrencyType = 1
  /// The main queue.
  case mainQueueConcurrencyType = 2

  public static var privateQueue: Self { .privateQueueConcurrencyType }
  public static var mainQueue: Self { .mainQueueConcurrencyType }
}

extension ManagedObjectContext {
  public typealias ConcurrencyType = ManagedObjectContextConcurrencyType
}

/// The queue of a context.
final class ContextQueue: Sendable {
  let queue: DispatchQueue
  private let isMain: Bool
  private static let owner = DispatchSpecificKey<ObjectIdentifier>()
  private static let mainOwner = ObjectIdentifier(DispatchQueue.main)

  /// The queue for a type; nil for contexts that are confined to a thread.
  init?(_ type: ManagedObjectContextConcurrencyType) {
    isMain = type == .mainQueueConcurrencyType
    switch type {
    case .confinementConcurrencyType: return nil
    case .mainQueueConcurrencyType:
      queue = .main
      queue.setSpecific(key: Self.owner, value: Self.mainOwner)
    case .privateQueueConcurrencyType:
      queue = DispatchQueue(label: "heavyweight.context")
      queue.setSpecific(key: Self.owner, value: ObjectIdentifier(self))
    }
  }

  /// Whether the caller is on the queue already.
  var isCurrent: Bool {
    let current = DispatchQueue.getSpecific(key: Self.owner)
    if !isMain { return current == ObjectIdentifier(self) }
    // After `dispatchMain()` the main queue's blocks run on whatever thread.
    return current == Self.mainOwner || Thread.isMainThread
  }

  /// Runs `block` on the queue and waits for it. Exceptions go to the caller's trap.
  func sync<Result>(_ block: () throws -> Result) rethrows -> Result {
    if isCurrent { return try block() }
    let trap = ExceptionTrap.innermost
    return try queue.sync {
      guard let trap else { return try block() }
      return try trap.holding(block)
    }
  }

  func async(_ block: @escaping () -> Void) {
    let work = UncheckedWork(run: block)
    queue.async { work.run() }
  }

  /// A block that is used by the queue's thread alone once it was given away.
  private struct UncheckedWork: @unchecked Sendable {
    let run: () -> Void
  }
}
