import Foundation
import Testing

@testable import Persistence

/// Every request is NSCopying: a copy asks for the same, and changes of it leave the original alone.
@Suite("Copies of requests") struct RequestCopyTests {
  @Test func aCopyAsksForTheSameOnItsOwn() throws {
    let update = BatchUpdateRequest(entityName: "Item")
    update.predicate = try Predicate.parse("pages > 1")
    update.propertiesToUpdate = ["pages": 1]
    update.includesSubentities = false
    update.resultType = .count
    update.affectedStores = []
    let copy = try #require(update.copy() as? BatchUpdateRequest)
    #expect(copy !== update && copy.entityName == "Item" && copy.predicate == update.predicate)
    #expect(copy.propertiesToUpdate?["pages"] as? Int == 1 && !copy.includesSubentities)
    #expect(copy.resultType == .count && copy.affectedStores?.isEmpty == true)
    copy.predicate = nil
    #expect(update.predicate != nil)

    let fetch = FetchRequest<ManagedObject>(entityName: "Item")
    let deletion = BatchDeleteRequest(fetchRequest: fetch)
    deletion.resultType = .objectIDs
    let other = try #require(deletion.copy() as? BatchDeleteRequest)
    #expect(other !== deletion && other.resultType == .objectIDs)
    #expect(other.fetchRequest !== fetch && other.fetchRequest?.entityName == "Item")

    let insertion = BatchInsertRequest(entityName: "Item", objects: [["pages": 1]])
    let third = try #require(insertion.copy() as? BatchInsertRequest)
    #expect(third !== insertion && third.entityName == "Item")

    let later = AsynchronousFetchRequest(fetchRequest: fetch)
    later.estimatedResultCount = 3
    let fourth = try #require(later.copy() as? AsynchronousFetchRequest<ManagedObject>)
    #expect(fourth !== later && fourth.estimatedResultCount == 3 && fourth.fetchRequest !== fetch)

    let history = PersistentHistoryChangeRequest.fetchHistory(after: Date())
    history.resultType = .count
    let fifth = try #require(history.copy() as? PersistentHistoryChangeRequest)
    #expect(fifth !== history && fifth.resultType == .count)
  }
}
