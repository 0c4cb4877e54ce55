import Persistence
import TestSupport
import Testing

/// Random edits, saved now and then, must leave the same content and give the same errors on
/// every store.
@Suite("The stores agree after random edits")
struct StoreAgreementTests {
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func onContentAndErrors(seed: UInt64) throws {
    let model = try LibraryModel.make { entities in
      entities["Tag"]?.uniquenessConstraints = [["name"]]
      let items = entities["Shelf"]?.ownProperties.first { $0.name == "items" }
      (items as? RelationshipDescription)?.deleteRule = seed % 2 == 0 ? .cascade : .deny
    }
    let runs = try Backend.allCases.map { backend in
      var run = RandomRun(stack: try Stack(backend, model), seed: seed)
      return try run.play(edits: 120)
    }
    for (backend, run) in zip(Backend.allCases, runs).dropFirst() {
      #expect(run == runs[0], "\(backend) differs from memory; seed \(seed)")
    }
    #expect(runs[0].last?.isEmpty == false)
  }
}

/// One sequence of edits, the same for the same seed whatever the store.
private struct RandomRun {
  let stack: Stack
  var random: RandomSource
  private var alive: [ManagedObject] = []
  private var saves: [String] = []

  init(stack: Stack, seed: UInt64) {
    self.stack = stack
    random = RandomSource(seed: seed)
  }

  /// What each save gave, and the content a fresh context reads at the end.
  mutating func play(edits: Int) throws -> [String] {
    for _ in 0..<edits { try ExceptionTrap.catching { edit() } }
    save()
    return saves + [try dump()]
  }

  private mutating func edit() {
    switch Int.random(in: 0..<12, using: &random) {
    case 0...3: insert()
    case 4...5: setAttribute()
    case 6...8: link()
    case 9: reorder()
    case 10: delete()
    default: save()
    }
  }

  private mutating func insert() {
    let names = ["Shelf", "Item", "Book", "Tag", "Chapter", "Cover"]
    guard let name = names.randomElement(using: &random) else { return }
    let object = stack.insert(name)
    for attribute in object.entity.attributes where !attribute.isOptional {
      object.setValue("\(name)\(alive.count)", forKey: attribute.name)
    }
    alive.append(object)
  }

  private mutating func setAttribute() {
    guard let object = alive.randomElement(using: &random) else { return }
    guard let attribute = object.entity.attributes.randomElement(using: &random) else { return }
    let number = Int.random(in: 0..<9, using: &random)
    switch attribute.attributeType {
    case .string: object.setValue(number == 0 ? nil : "t\(number)", forKey: attribute.name)
    default: object.setValue(number == 0 ? nil : number, forKey: attribute.name)
    }
  }

  private mutating func link() {
    guard let object = alive.randomElement(using: &random),
      let relationship = object.entity.relationships.randomElement(using: &random)
    else { return }
    let fitting = alive.filter { $0.entity.isKindOf(entity: relationship.destinationEntity) }
    let count = Int.random(in: 0...3, using: &random)
    let chosen = (0..<count).compactMap { _ in fitting.randomElement(using: &random) }
    if !relationship.isToMany {
      object.setValue(chosen.first, forKey: relationship.name)
    } else if Bool.random(using: &random) {
      object.setValue(
        relationship.isOrdered ? NSOrderedSet(array: chosen) : NSSet(array: chosen),
        forKey: relationship.name)
    } else if let one = chosen.first {
      if object.destinations(of: relationship).contains(one) {
        object.remove(one, from: relationship)
      } else {
        try? object.add(one, to: relationship)
      }
    }
  }

  private mutating func reorder() {
    let books = alive.filter { $0.entity.name == "Book" }
    guard let book = books.randomElement(using: &random),
      let chapters = book.entity.relationship(named: "chapters")
    else { return }
    let shuffled = book.destinations(of: chapters).shuffled(using: &random)
    book.setValue(NSOrderedSet(array: shuffled), forKey: "chapters")
  }

  private mutating func delete() {
    guard let object = alive.randomElement(using: &random) else { return }
    stack.context.delete(object)
    stack.context.processPendingChanges()
    alive.removeAll { $0.isDeleted }
  }

  private mutating func save() {
    do {
      try stack.context.save()
      saves.append("saved")
    } catch {
      let codes = (error as? CoreDataError).map { [$0] + $0.details }?.map(\.code.rawValue)
      saves.append("failed with \(codes ?? [])")
      stack.context.rollback()
      alive.removeAll { $0.managedObjectContext == nil }
    }
  }

  private func dump() throws -> String {
    let context = stack.freshContext()
    let roots = stack.model.entities.filter { $0.superentity == nil }
    let objects = try roots.flatMap { try context.all($0.name) }
    return objects.map(line).joined(separator: "\n")
  }

  private func line(_ object: ManagedObject) -> String {
    let values = object.entity.properties.map { property -> String in
      guard let relationship = property as? RelationshipDescription else {
        return "\(property.name)=\(object.attributeValue(at: property.slot))"
      }
      let ids =
        relationship.isToMany
        ? object.destinationIDs(of: relationship)
        : object.destinationID(of: relationship).map { [$0] } ?? []
      return "\(property.name)=\(ids.map(\.primaryKey))"
    }
    return "\(object.entity.name)/\(object.objectID.primaryKey): " + values.joined(separator: " ")
  }
}
