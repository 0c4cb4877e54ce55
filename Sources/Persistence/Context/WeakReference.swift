import Synchronization

struct WeakReference<Object: AnyObject> {
  weak var object: Object?
  init(_ object: Object) { self.object = object }
}

/// Contexts that want to know of saves, held weakly.
final class ContextListeners: Sendable {
  private let contexts = Mutex<[WeakReference<ManagedObjectContext>]>([])

  func add(_ context: ManagedObjectContext) {
    contexts.withLock { contexts in
      contexts.removeAll { $0.object == nil || $0.object === context }
      contexts.append(WeakReference(context))
    }
  }

  func remove(_ context: ManagedObjectContext) {
    contexts.withLock { $0.removeAll { $0.object == nil || $0.object === context } }
  }

  var all: [ManagedObjectContext] { contexts.withLock { $0.compactMap(\.object) } }
}
