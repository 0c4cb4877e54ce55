import Testing

@testable import Migration

/// Rows that were written early are refused for the same missing values as objects that are kept.
@Suite struct EarlyValidationTests {
  private static func old() throws -> ManagedObjectModel {
    try model("v1", entity("Item", attribute("name")))
  }

  private static func new() throws -> ManagedObjectModel {
    try model(
      "v2",
      entity(
        "Item", attribute("name", required: true),
        attribute("weight", .double, required: true, default: .double(0)),
        toOne("owner", "Owner", inverse: "items", required: true)),
      entity("Box", parent: "Item", attribute("size", .integer32, required: true)),
      entity("Owner", attribute("name"), toMany("items", "Item", inverse: "owner")))
  }

  /// Makes an item, a box and their owner of each source object, and changes one of each kind.
  private final class Policy: EntityMigrationPolicy {
    var change: (_ item: ManagedObject, _ box: ManagedObject) -> Void = { _, _ in }

    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      let made = ["Item", "Box", "Owner"].map {
        EntityDescription.insertNewObject(forEntityName: $0, into: manager.destinationContext)
      }
      for item in made.prefix(2) {
        item.setValue(source.value(forKey: "name"), forKey: "name")
        item.setValue(made[2], forKey: "owner")
      }
      made[1].setValue(3, forKey: "size")
      if source.value(forKey: "name") as? String == "i5" { change(made[0], made[1]) }
      manager.associate(sourceInstance: source, withDestinationInstance: made[0], for: mapping)
    }
  }

  /// Content or the errors' codes and properties.
  private func outcome(
    _ limits: SpillLimits, _ change: @escaping (ManagedObject, ManagedObject) -> Void
  ) throws -> [String] {
    let (old, new) = (try Self.old(), try Self.new())
    let stage = try Stage(.sqlite, old) { context in
      for number in 1...8 { context.insert("Item", ["name": "i\(number)"]) }
    }
    stage.limits = limits
    let mapping = try MappingBuilder(source: old, destination: new).mappingModel([
      EntityMappingDraft(source: "Item", destination: "Item", policy: "Test.Policy")
    ])
    let policies = PolicyRegistry([
      "Test.Policy": {
        let policy = Policy()
        policy.change = change
        return policy
      }
    ])
    var step = MigrationStep(from: old, to: new)
    step.mappings = [MappingCandidate(name: "mapping", model: mapping)]
    let (store, report) = stage.run([step], policies: policies)
    if let store { return try dump(store) }
    let error = try #require(report.failure?.error as? CoreDataError)
    return ([error] + error.details).map { "\($0.code.rawValue) \($0.place.property ?? "-")" }
  }

  private func outcomes(
    _ change: @escaping (ManagedObject, ManagedObject) -> Void
  ) throws -> Set<[String]> {
    let early = [SpillLimits(kept: 0, waiting: 1), SpillLimits(kept: 3, waiting: 4)]
    return Set(try ([.never] + early).map { try outcome($0, change) })
  }

  @Test func rowsWithAllThatIsRequiredAreSaved() throws {
    let ends = try outcomes { item, _ in item.setValue(2.5, forKey: "weight") }
    #expect(ends.count == 1)
    #expect(ends.first?.contains { $0.hasPrefix("Item(") } == true)
  }

  @Test(arguments: ["name", "weight", "owner", "size"])
  func missingValuesAreRefused(_ key: String) throws {
    let ends = try outcomes { item, box in
      (key == "name" ? item : box).setValue(nil, forKey: key)
    }
    let code = CoreDataErrorCode.validationMissingMandatoryProperty.rawValue
    #expect(ends == [["\(code) \(key)"]])
  }

  /// A column has NULL in place of it.
  @Test func whatIsNoNumberIsNotMissing() throws {
    let ends = try outcomes { item, _ in item.setValue(Double.nan, forKey: "weight") }
    #expect(ends.count == 1)
    #expect(ends.first?.contains { $0.hasPrefix("Item(") } == true)
  }
}
