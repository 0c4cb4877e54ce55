// Locks.
//
// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, TypeNamesShouldBeCapitalized

/// A lock in memory that its user owns. Only its address counts, as on a device.
public struct os_unfair_lock_s {
  /// The thread that holds it; 0 for none.
  fileprivate var owner: UInt = 0
  public init() {}
}

public typealias os_unfair_lock = os_unfair_lock_s
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) { HeldLocks.shared.lock(lock) }
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { HeldLocks.shared.unlock(lock) }
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
  HeldLocks.shared.tryLock(lock)
}

/// The locks that are held, by their owners' memory. One condition guards them all: an app's locks are
/// held for moments, and hardly ever by two threads at once while it migrates.
/// A device ends a process that locks what it holds, or unlocks what it doesn't; so does this.
/// Sendable unchecked: guarded by its condition.
private final class HeldLocks: @unchecked Sendable {
  static let shared = HeldLocks()
  private let condition = NSCondition()

  func lock(_ lock: os_unfair_lock_t) {
    let thread = pthread_self()
    condition.lock()
    guard lock.pointee.owner != thread else {
      fatalError("the thread locks an os_unfair_lock that it holds already")
    }
    while lock.pointee.owner != 0 { condition.wait() }
    lock.pointee.owner = thread
    condition.unlock()
  }

  func tryLock(_ lock: os_unfair_lock_t) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    guard lock.pointee.owner == 0 else { return false }
    lock.pointee.owner = pthread_self()
    return true
  }

  func unlock(_ lock: os_unfair_lock_t) {
    condition.lock()
    guard lock.pointee.owner == pthread_self() else {
      fatalError("the thread unlocks an os_unfair_lock that it doesn't hold")
    }
    lock.pointee.owner = 0
    condition.broadcast()
    condition.unlock()
  }
}

/// A lock together with what it protects.
/// Sendable unchecked: the state is used under the lock only.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  private final class Storage {
    private let mutex = os_unfair_lock_t.allocate(capacity: 1)
    var state: State
    init(_ state: State) {
      self.state = state
      mutex.initialize(to: os_unfair_lock())
    }
    deinit { mutex.deallocate() }

    func lock() { os_unfair_lock_lock(mutex) }
    func unlock() { os_unfair_lock_unlock(mutex) }
    func tryLock() -> Bool { os_unfair_lock_trylock(mutex) }
  }

  private let storage: Storage

  public init(initialState: State) where State: Sendable { storage = Storage(initialState) }
  public init(uncheckedState: State) { storage = Storage(uncheckedState) }

  public func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    try withLockUnchecked(body)
  }

  public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    storage.lock()
    defer { storage.unlock() }
    return try body(&storage.state)
  }

  public func withLockIfAvailable<Result>(
    _ body: (inout State) throws -> Result
  ) rethrows -> Result? {
    guard storage.tryLock() else { return nil }
    defer { storage.unlock() }
    return try body(&storage.state)
  }
}

extension OSAllocatedUnfairLock where State == Void {
  public init() { self.init(uncheckedState: ()) }

  public func lock() { storage.lock() }
  public func unlock() { storage.unlock() }
  public func lockIfAvailable() -> Bool { storage.tryLock() }

  public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    try withLockUnchecked { _ in try body() }
  }
}
