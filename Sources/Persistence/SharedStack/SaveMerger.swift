/// Merges what other contexts save to the same coordinator into one context, on its queue, as long as
/// it lives. Observers of the context are told in the same turn.
///
/// Saves of other coordinators, a migration's for example, are no concern of the context, and
/// neither are its own.
public final class SaveMerger: @unchecked Sendable {
  private let token: any NSObjectProtocol

  /// - Parameter context: The context to merge into; not kept alive.
  public init(into context: ManagedObjectContext) {
    let target = Target(context: context)
    token = NotificationCenter.default.addObserver(
      forName: ManagedObjectContext.didSaveObjectsNotification, object: nil, queue: nil
    ) { target.merge($0) }
  }

  deinit { NotificationCenter.default.removeObserver(token) }

  /// Used by whatever thread saves.
  private struct Target: @unchecked Sendable {
    weak var context: ManagedObjectContext?

    func merge(_ notification: Notification) {
      guard let context, concerns(notification, context) else { return }
      context.perform {
        context.mergeChanges(fromContextDidSave: notification)
        context.processPendingChanges()
      }
    }

    private func concerns(_ notification: Notification, _ context: ManagedObjectContext) -> Bool {
      guard let saving = notification.object as? ManagedObjectContext, saving !== context,
        notification.userInfo != nil
      else { return false }
      return saving.persistentStoreCoordinator != nil
        && saving.persistentStoreCoordinator === context.persistentStoreCoordinator
    }
  }
}
