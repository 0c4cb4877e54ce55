import DictionaryStore
import Migration
import TestSupport
import Testing

/// The stores that every migration is tested on.
enum Backend: String, CaseIterable, CustomTestStringConvertible {
  case memory, sqlite, dictionaries

  var testDescription: String { rawValue }

  func makeStore(
    _ model: ManagedObjectModel, in folder: TemporaryFolder, name: String = "source"
  ) throws -> PersistentStore {
    switch self {
    case .memory: InMemoryStore(model: model)
    case .dictionaries: DictionaryStore(configuration: StoreConfiguration(model: model))
    case .sqlite:
      try SQLiteStore.create(at: folder.url.appending(path: "\(name).sqlite"), model: model)
    }
  }

  /// Where a chain's stores go; the result is at `destination.sqlite`.
  func stores(in folder: TemporaryFolder) -> any StoreFactory {
    switch self {
    case .memory: InMemoryStoreFactory()
    case .dictionaries: DictionaryStoreFactory()
    case .sqlite:
      SQLiteStoreFactory(destination: folder.url.appending(path: "destination.sqlite"))
    }
  }
}

/// Steps in stores of dictionaries.
private struct DictionaryStoreFactory: StoreFactory {
  func makeStore(
    model: ManagedObjectModel, identifier: String, metadata: [String: Any]
  ) -> PersistentStore {
    DictionaryStore(
      configuration: StoreConfiguration(model: model), identifier: identifier, metadata: metadata)
  }

  func makeCopy(of store: PersistentStore) throws -> PersistentStore {
    DictionaryStore(copying: try #require(store as? DictionaryStore))
  }

  func seal(_ store: PersistentStore, isLast: Bool) -> PersistentStore { store }
  func discard(_ store: PersistentStore) {}
  func publish(_ store: PersistentStore) -> PersistentStore { store }
}

/// A store with a context on it, in a folder of its own.
final class Stage {
  let folder: TemporaryFolder
  let backend: Backend
  let source: PersistentStore
  /// As few new objects as can be are kept in memory, so that what could be lost would be.
  var limits = SpillLimits(kept: 1, waiting: 1)
  /// Whatever can be is done on a second thread, so that what it could disturb would be.
  var secondThread = SecondThread.always

  /// Makes a store of `model` and fills it.
  init(
    _ backend: Backend, _ model: ManagedObjectModel,
    seed: (ManagedObjectContext) throws -> Void = { _ in }
  ) throws {
    self.backend = backend
    folder = try TemporaryFolder()
    source = try backend.makeStore(model, in: folder)
    let context = ManagedObjectContext(on: source)
    try seed(context)
    try context.save()
  }

  /// Runs one mapping model into a new store and gives that, open.
  func migrate(
    to model: ManagedObjectModel, _ mapping: MappingModel,
    policies: any PolicyProvider = PolicyRegistry(),
    configure: (MigrationManager) -> Void = { _ in }
  ) throws -> (store: PersistentStore, manager: MigrationManager) {
    let manager = MigrationManager(sourceModel: source.model, destinationModel: model)
    manager.policyProvider = policies
    configure(manager)
    let store = try backend.makeStore(
      model, in: folder, name: "destination-\(UUID().uuidString.prefix(8))")
    try store.beginBulk(undoesSaves: true)
    try SpillLimits.$current.withValue(limits) {
      try SecondThread.$current.withValue(secondThread) {
        try manager.migrate(from: source, to: store, with: mapping)
      }
    }
    try store.endBulk(durably: true)
    return (store, manager)
  }

  /// Runs a chain and gives what it did.
  func run(
    _ steps: [MigrationStep], policies: PolicyRegistry = .init(),
    didFinishStep: MigrationChain.StepObserver = { _, _ in }
  ) -> (store: PersistentStore?, report: ChainReport) {
    var chain = MigrationChain(steps: steps, policies: policies)
    chain.recordsOrigins = true
    return SpillLimits.$current.withValue(limits) {
      SecondThread.$current.withValue(secondThread) {
        chain.run(from: source, into: backend.stores(in: folder), didFinishStep: didFinishStep)
      }
    }
  }

  /// Names of the files in the folder, journals and the source left out.
  var otherFiles: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []
    return names.filter { !$0.hasPrefix("source.sqlite") }.sorted()
  }
}

extension ManagedObjectContext {
  convenience init(on store: PersistentStore) {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    self.init(coordinator: coordinator)
  }

  @discardableResult
  func insert(_ entity: String, _ values: [String: Any?] = [:]) -> ManagedObject {
    let object = EntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      if let members = value as? NSOrderedSet, object.entity.relationship(named: key) != nil {
        object.setMembers(members, forKey: key)
      } else {
        object.setValue(value, forKey: key)
      }
    }
    return object
  }
}

extension ManagedObject {
  /// Sets the members of a to-many relationship, in order where it is ordered: the class of the collection
  /// has to be the relationship's.
  func setMembers(_ members: NSOrderedSet, forKey key: String) {
    let isOrdered = entity.relationship(named: key)?.isOrdered == true
    setValue(isOrdered ? members : NSSet(array: members.array), forKey: key)
  }
}
