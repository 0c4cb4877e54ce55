/// What a notification says has changed in a context.
struct ContextChange {
  let deleted: Set<ManagedObject>
  /// All objects that may have other values than before, deleted ones included.
  var touched: Set<ManagedObject>
  /// Of these, the ones that others inserted and saved, and nothing else.
  let merged: Set<ManagedObject>
}

/// Listens to the changes of one context, as long as it lives.
final class ContextObserver {
  private let token: any NSObjectProtocol

  init(_ context: ManagedObjectContext, _ body: @escaping (ContextChange) -> Void) {
    let body = UncheckedBody(body)
    token = NotificationCenter.default.addObserver(
      forName: ManagedObjectContext.didChangeObjectsNotification, object: context, queue: nil
    ) { body.run(ContextChange($0)) }
  }

  deinit { NotificationCenter.default.removeObserver(token) }

  /// A context tells of its changes on its own queue, where the controller belongs as well.
  private struct UncheckedBody: @unchecked Sendable {
    let run: (ContextChange) -> Void
    init(_ run: @escaping (ContextChange) -> Void) { self.run = run }
  }
}

extension ContextChange {
  init(_ notification: Notification) {
    func objects(_ key: ManagedObjectContext.NotificationKey) -> Set<ManagedObject> {
      notification.userInfo?[key.rawValue] as? Set<ManagedObject> ?? []
    }
    deleted = objects(.deletedObjects)
    let keys: [ManagedObjectContext.NotificationKey] = [
      .updatedObjects, .deletedObjects, .refreshedObjects, .invalidatedObjects,
    ]
    let known = keys.reduce(into: Set()) { $0.formUnion(objects($1)) }
    let inserted = objects(.insertedObjects).subtracting(known)
    touched = known.union(inserted)
    merged = inserted.filter { !$0.hasChanges }
  }
}
