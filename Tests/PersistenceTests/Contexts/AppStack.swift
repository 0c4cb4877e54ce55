import Persistence
import TestSupport
import Testing

/// A coordinator with a store and contexts as an app makes them.
final class AppStack {
  let coordinator: PersistentStoreCoordinator
  let store: PersistentStore
  private let folder: TemporaryFolder
  private var contexts: [ManagedObjectContext] = []

  init(_ backend: Backend, _ model: ManagedObjectModel) throws {
    folder = try TemporaryFolder()
    coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    store = try backend.makeStore(model, in: folder)
    coordinator.add(store)
  }

  /// A context that is kept as long as the stack.
  func context(
    _ policy: MergePolicy = .error, _ type: ManagedObjectContext.ConcurrencyType = .privateQueue,
    parent: ManagedObjectContext? = nil
  ) -> ManagedObjectContext {
    let context = ManagedObjectContext(concurrencyType: type)
    if let parent {
      context.parent = parent
    } else {
      context.persistentStoreCoordinator = coordinator
    }
    context.mergePolicy = policy
    contexts.append(context)
    return context
  }
}

extension ManagedObjectContext {
  @discardableResult
  func insert(_ entity: String, _ values: [String: Any] = [:]) -> ManagedObject {
    let object = EntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  func one(_ entity: String, _ format: String? = nil) throws -> ManagedObject {
    try #require(try all(entity, format).first)
  }
}

/// Collects the notifications of one context, on whatever thread they come.
final class NotificationLog: @unchecked Sendable {
  private let lock = NSLock()
  private var notifications: [Notification] = []
  private var observers: [any NSObjectProtocol] = []

  init(of context: ManagedObjectContext?, _ names: [Notification.Name]) {
    for name in names {
      observers.append(
        NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
          [weak self] note in
          self?.lock.withLock { self?.notifications.append(note) }
        })
    }
  }

  deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

  var all: [Notification] { lock.withLock { notifications } }

  /// How many objects each key of the last notification has, as `inserted: 1, updated: 2`.
  var last: String {
    let info = all.last?.userInfo ?? [:]
    let counts = info.compactMap { key, value in
      (value as? Set<ManagedObject>).map { "\(key): \($0.count)" }
    }
    return counts.sorted().joined(separator: ", ")
  }
}
