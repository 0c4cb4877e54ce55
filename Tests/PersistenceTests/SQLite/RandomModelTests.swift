import TestSupport
import Testing

@testable import Persistence

/// Stores of random models, with relationships of every kind: without inverse, their own inverse,
/// ordered, between families of entities. Some objects are deleted beside them.
@Suite("Stores of random models", .tags(.random), .tiered)
struct RandomModelTests {
  private static let seeds = 1...60 as ClosedRange<UInt64>

  @Test(arguments: seeds)
  func agreeInMemoryAndInSQLite(seed: UInt64) throws {
    let contents = try Backend.allCases.map { backend in
      var random = RandomModel(
        seed: seed, .init(hasSelfInverse: true, hasToManyWithoutInverse: false))
      let stack = try Stack(backend, try random.make())
      try random.fill(stack.store)
      return try stack.content()
    }
    #expect(contents[0] == contents[1], "seed \(seed)")
    #expect(contents[0].isEmpty == false)
  }

  @Test(arguments: seeds)
  func haveModelsThatAreTheSameInXcodesFiles(seed: UInt64) throws {
    var random = RandomModel(seed: seed, .init(hasSelfInverse: true))
    let model = try random.make()
    let contents = ModelFileWriter.contents(of: model)
    #expect(try ModelFileWriter.losses(of: model, in: contents) == [], "seed \(seed)")
  }

  @Test(arguments: seeds)
  func haveNothingWrongButWhatDeletingLeaves(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "store.sqlite")
    var random = RandomModel(seed: seed, .init(hasSelfInverse: true))
    let model = try random.make()
    let store = try SQLiteStore.create(at: url, model: model)
    try random.fill(store)
    try store.checkpointAndClose()
    let wrong = try StoreInspector(of: url).inspect(with: model).findings.filter { finding in
      // Values are random, and saved without validation.
      ![.missingValue, .duplicateValues, .invalidValue].contains(finding.kind)
        && !finding.isAboutRelationshipWithoutInverse(in: model)
    }
    #expect(wrong.map { "\($0)" } == [], "seed \(seed)")
  }
}

extension IntegrityFinding {
  /// Whether it is a dangling reference where Core Data would leave one, too.
  fileprivate func isAboutRelationshipWithoutInverse(in model: ManagedObjectModel) -> Bool {
    guard let entity = entity.flatMap(model.entity(named:)), let property else { return false }
    let relationship = entity.relationship(named: property)
    return kind == .danglingReference && relationship != nil
      && relationship?.inverseRelationship == nil
  }
}

extension Stack {
  /// Every object with its values and links, as a fresh context reads them.
  fileprivate func content() throws -> [String] {
    let context = freshContext()
    let roots = model.entities.filter { $0.superentity == nil }
    return try roots.flatMap { try context.all($0.name) }.map(line).sorted()
  }

  private func line(_ object: ManagedObject) -> String {
    let values = object.entity.properties.filter { !$0.isTransient }.map { property -> String in
      guard let relationship = property as? RelationshipDescription else {
        return "\(property.name)=\(object.attributeValue(at: property.slot))"
      }
      let ids =
        relationship.isToMany
        ? object.destinationIDs(of: relationship)
        : object.destinationID(of: relationship).map { [$0] } ?? []
      let keys = ids.map(\.primaryKey)
      return "\(property.name)=\(relationship.isOrdered ? keys : keys.sorted())"
    }
    return "\(object.entity.name)/\(object.objectID.primaryKey): " + values.joined(separator: " ")
  }
}
