import Testing

@testable import Persistence

/// What is left of an object that was deleted.
@Suite struct DeletedObjectTests {
  @Test(arguments: Backend.allCases)
  func deletionEndsWithTheSave(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let tag = stack.insert("Tag", ["name": "a"])
    try stack.context.save()
    stack.context.delete(tag)
    #expect(tag.isDeleted && tag.hasChanges)
    try stack.context.save()
    #expect(!tag.isDeleted && !tag.hasChanges && tag.managedObjectContext == nil)
  }

  @Test(arguments: Backend.allCases)
  func whatWasInsertedAndDeletedIsNowhere(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let tag = stack.insert("Tag", ["name": "a"])
    #expect(try stack.context.existingObject(with: tag.objectID) === tag)
    stack.context.delete(tag)
    let error = #expect(throws: CoreDataError.self) {
      try stack.context.existingObject(with: tag.objectID)
    }
    #expect(error?.code == .managedObjectReferentialIntegrity)
  }

  @Test func anEntityIsFoundByItsClass() throws {
    let feedback = EntityDescription(name: "Feedback")
    feedback.managedObjectClassName = "App.FeedbackOfTheSecondKind"
    _ = PersistentStoreCoordinator(
      managedObjectModel: try ManagedObjectModel(entities: [feedback]))
    #expect(ObjectClasses.entityName(ofClassNamed: "FeedbackOfTheSecondKind") == "Feedback")
    #expect(ObjectClasses.entityName(ofClassNamed: "SomeOtherFeedback") == nil)
  }

  @Test func anEntityIsFoundByItsClassInTheLastModelThatIsStillThere() throws {
    func coordinator() throws -> PersistentStoreCoordinator {
      let reply = EntityDescription(name: "Reply")
      reply.managedObjectClassName = "App.ReplyOfTheSecondKind"
      return PersistentStoreCoordinator(
        managedObjectModel: try ManagedObjectModel(entities: [reply]))
    }
    let first = try coordinator()
    _ = try coordinator()
    let found = ObjectClasses.entity(ofClassNamed: "ReplyOfTheSecondKind")
    #expect(found === first.managedObjectModel.entity(named: "Reply"))
  }
}
