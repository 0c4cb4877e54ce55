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

  /// Whether the caller is on the queue already, or was when it went to wait on another one.
  var isCurrent: Bool {
    if isMain && Self.isOnMain { return true }
    let own = isMain ? Self.mainOwner : ObjectIdentifier(self)
    return DispatchQueue.getSpecific(key: Self.owner) == own || Self.held.contains(own)
  }

  /// Whether the caller is on the main queue. After `dispatchMain()` its blocks run on whatever thread.
  static var isOnMain: Bool {
    DispatchQueue.getSpecific(key: owner) == mainOwner || Thread.isMainThread
  }

  /// Runs `block` on the queue and waits for it. Exceptions go to the caller's trap.
  func sync<Result>(_ block: () throws -> Result) rethrows -> Result {
    if isCurrent { return try block() }
    let trap = ExceptionTrap.innermost
    let waiting = DispatchQueue.getSpecific(key: Self.owner).map { Self.held.union([$0]) }
    return try queue.sync {
      let outer = Self.held
      Self.held = waiting ?? outer
      defer { Self.held = outer }
      guard let trap else { return try block() }
      return try trap.holding(block)
    }
  }

  /// The queues that wait for what this thread does: they are its own meanwhile, so that a parent's
  /// block may run a child's that saves into the parent. Not task-local, for a task that is begun here
  /// goes on when nobody waits any more.
  private static var held: Set<ObjectIdentifier> {
    get { Thread.current.threadDictionary[heldKey] as? Set<ObjectIdentifier> ?? [] }
    set { Thread.current.threadDictionary[heldKey] = newValue.isEmpty ? nil : newValue }
  }
  private static let heldKey = "heavyweight.heldQueues"

  func async(_ block: @escaping () -> Void) {
    let work = UncheckedWork(run: block)
    queue.async { work.run() }
  }

  /// A block that is used by the queue's thread alone once it was given away.
  private struct UncheckedWork: @unchecked Sendable {
    let run: () -> Void
  }
}
