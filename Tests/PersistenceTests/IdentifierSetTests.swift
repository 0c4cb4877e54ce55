import TestSupport
import Testing

@testable import Persistence

/// The identifiers of a relationship's members: in order, each once, few or many.
@Suite struct IdentifierSetTests {
  private let entity: EntityDescription

  init() throws {
    let note = EntityDescription(name: "Note")
    _ = try ManagedObjectModel(entities: [note])
    entity = note
  }

  @Test func identifiersKeepTheirOrderAndComeOnce() {
    let ids = (0..<30).map { _ in ManagedObjectID(temporaryFor: entity) }
    var set: IdentifierSet = []
    for (count, id) in ids.enumerated() {
      let before = (set.contains(id), set.has(id))
      #expect(before == (false, false))
      let isNew = (set.append(id), set.append(ids[count / 2]))
      #expect(isNew == (true, false))
      let after = (set.contains(id), set.has(id), set.count)
      #expect(after == (true, true, count + 1))
    }
    #expect(set.elementsEqual(ids) { $0 === $1 })
    #expect(set.union([ids[3]]).count == 30)
  }

  /// Against an array, at random, with additions that are said to be new.
  @Test(arguments: 1...20) func changesAreThoseOfAnArrayWithoutRepetitions(_ seed: UInt64) {
    var random = RandomSource(seed: seed)
    let ids = (0..<40).map { _ in ManagedObjectID(temporaryFor: entity) }
    var set: IdentifierSet = []
    var wanted: [ManagedObjectID] = []
    for step in 0..<400 {
      guard let id = ids.randomElement(using: &random) else { return }
      let isMember = wanted.contains { $0 === id }
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        let isNew = set.append(id)
        #expect(isNew == !isMember)
        if !isMember { wanted.append(id) }
      case 2 where !isMember:
        set.appendNew(id)
        wanted.append(id)
      case 3:
        let wasMember = set.remove(id)
        #expect(wasMember == isMember)
        wanted.removeAll { $0 === id }
      case 4 where step % 50 == 0:
        set.removeAll { $0 === id }
        wanted.removeAll { $0 === id }
      default:
        let found = set.has(id)
        #expect(found == isMember)
      }
      #expect(set.contains(id) == wanted.contains { $0 === id })
      #expect(set.elementsEqual(wanted) { $0 === $1 })
    }
  }
}
