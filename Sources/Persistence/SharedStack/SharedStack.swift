import Synchronization

/// A simple set-up: one coordinator, made once, contexts on it as needed, and one shared context for
/// the main queue that follows what all others save.
///
/// Nothing here throws: if the stores can't be opened, there are no contexts, and ``failure`` says
/// why.
public final class SharedStack: Sendable {
  private let open: @Sendable () throws -> PersistentStoreCoordinator
  private let opened = Mutex<Opened?>(nil)
  private let shared = Mutex<FollowingContext?>(nil)

  private enum Opened {
    case coordinator(PersistentStoreCoordinator)
    case failure(any Error)
  }

  /// - Parameter open: Makes the coordinator and opens its stores. Called once, by whoever needs the
  ///   coordinator first.
  public init(opening open: @escaping @Sendable () throws -> PersistentStoreCoordinator) {
    self.open = open
  }

  private func result() -> Opened {
    opened.withLock { opened in
      if let opened { return opened }
      let new: Opened
      do { new = .coordinator(try open()) } catch { new = .failure(error) }
      opened = new
      return new
    }
  }

  /// The one coordinator; nil when its stores couldn't be opened.
  public var persistentStoreCoordinator: PersistentStoreCoordinator? {
    if case .coordinator(let coordinator) = result() { coordinator } else { nil }
  }

  /// Why there is no coordinator.
  public var failure: (any Error)? {
    if case .failure(let error) = result() { error } else { nil }
  }

  /// A new context on the coordinator. What it changed wins over what others saved meanwhile,
  /// property by property.
  ///
  /// - Parameter concurrencyType: By default the thread that makes the context, which is obsolete
  ///   and warned of.
  /// - Returns: nil when there is no coordinator.
  public func context(
    concurrencyType: ManagedObjectContextConcurrencyType = .confinementConcurrencyType
  ) -> ManagedObjectContext? {
    guard let coordinator = persistentStoreCoordinator else { return nil }
    let context = ManagedObjectContext(concurrencyType: concurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.mergePolicy = .mergeByPropertyObjectTrump
    return context
  }

  /// The context of the main queue, meant for reading: what others save to the same coordinator is
  /// merged into it, on the main queue. The same one at every call.
  public var sharedContext: ManagedObjectContext? {
    shared.withLock { shared in
      if shared == nil {
        shared = context(concurrencyType: .mainQueueConcurrencyType).map(FollowingContext.init)
      }
      return shared?.context
    }
  }
}

/// A context with the observer that merges into it.
private struct FollowingContext {
  let context: ManagedObjectContext
  let merger: SaveMerger

  init(_ context: ManagedObjectContext) {
    self.context = context
    merger = SaveMerger(into: context)
  }
}
