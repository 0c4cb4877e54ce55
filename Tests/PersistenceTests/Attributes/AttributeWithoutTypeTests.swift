import TestSupport
import Testing

@testable import Persistence

/// What is kept has a type: without one there is no column for it, and its values would be lost.
@Suite struct AttributeWithoutTypeTests {
  private static func model(isTransient: Bool) throws -> ManagedObjectModel {
    let tag = try ModelNotation.entity("Tag", properties: ["name": "string?"])
    let extra = AttributeDescription(name: "extra", type: .undefined)
    extra.isOptional = true
    extra.isTransient = isTransient
    tag.ownProperties.append(extra)
    return try ManagedObjectModel(entities: [tag])
  }

  private static func open(
    _ type: PersistentStore.StoreType, isTransient: Bool
  ) throws -> PersistentStoreCoordinator {
    let coordinator = PersistentStoreCoordinator(
      managedObjectModel: try model(isTransient: isTransient))
    try coordinator.addPersistentStore(type: type, at: URL(fileURLWithPath: "/dev/null"))
    return coordinator
  }

  @Test(arguments: [PersistentStore.StoreType.sqlite, .inMemory])
  func storesRefuseIt(_ type: PersistentStore.StoreType) {
    let error = #expect(throws: CoreDataError.self) { try Self.open(type, isTransient: false) }
    #expect(error?.code == .persistentStoreIncompatibleSchema)
    #expect(error?.reason == "The attribute extra has no type")
    #expect(error?.place.entity == "Tag" && error?.place.property == "extra")
  }

  @Test(arguments: [PersistentStore.StoreType.sqlite, .inMemory])
  func transientOnesMayHaveNone(_ type: PersistentStore.StoreType) throws {
    #expect(try Self.open(type, isTransient: true).persistentStores.count == 1)
  }
}
