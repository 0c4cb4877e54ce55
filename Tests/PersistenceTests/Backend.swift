import DictionaryStore
import Persistence
import TestSupport
import Testing

/// The stores that every behaviour is tested on.
enum Backend: String, CaseIterable, CustomTestStringConvertible {
  case memory, sqlite, dictionaries

  var testDescription: String { rawValue }

  /// A new, empty store.
  func makeStore(_ model: ManagedObjectModel, in folder: TemporaryFolder) throws -> PersistentStore
  {
    switch self {
    case .memory: InMemoryStore(model: model)
    case .dictionaries: DictionaryStore(configuration: StoreConfiguration(model: model))
    case .sqlite:
      try SQLiteStore.create(at: folder.url.appending(path: "store.sqlite"), model: model)
    }
  }
}

/// A context on a fresh store, and what it takes to make a second one.
final class Stack {
  let model: ManagedObjectModel
  let store: PersistentStore
  let context: ManagedObjectContext
  private let folder: TemporaryFolder
  private var freshContexts: [ManagedObjectContext] = []

  init(_ backend: Backend, _ model: ManagedObjectModel) throws {
    self.model = model
    folder = try TemporaryFolder()
    store = try backend.makeStore(model, in: folder)
    context = Self.context(on: store)
  }

  /// Another context on the same store, with nothing read yet. Lives as long as the stack, since
  /// objects are of no use without their context.
  func freshContext() -> ManagedObjectContext {
    let context = Self.context(on: store)
    freshContexts.append(context)
    return context
  }

  private static func context(on store: PersistentStore) -> ManagedObjectContext {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    return ManagedObjectContext(coordinator: coordinator)
  }

  @discardableResult
  func insert(_ entity: String, _ values: [String: Any] = [:]) -> ManagedObject {
    let object = EntityDescription.insertNewObject(forEntityName: entity, into: context)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }
}

extension ManagedObjectContext {
  func all(_ entity: String, _ format: String? = nil) throws -> [ManagedObject] {
    let request = FetchRequest<ManagedObject>(entityName: entity)
    request.predicate = try format.map { try Predicate.parse($0) }
    return try fetch(request)
  }

  func strings(_ entity: String, _ key: String, _ format: String? = nil) throws -> [String] {
    try all(entity, format).compactMap { $0.value(forKey: key) as? String }
  }
}
