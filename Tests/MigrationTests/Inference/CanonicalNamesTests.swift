import Migration
import TestSupport
import Testing

/// Random names and renaming identifiers, against the definition: elements are one if their canonical names are
/// equal, and only then.
@Suite(.tags(.random), .tiered) struct CanonicalNamesTests {
  /// An attribute's name and, if it has one, its renaming identifier.
  private struct Named: Hashable {
    let name: String
    let identifier: String?
    var canonical: String { identifier ?? name }
  }

  private static func attributes(_ generator: inout RandomSource) -> [Named] {
    var pool = ["a", "b", "c", "d"]
    return (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      let name = pool.remove(at: Int.random(in: 0..<pool.count, using: &generator))
      let other = ["a", "b", "c", "d", "e"].randomElement(using: &generator)
      return Named(name: name, identifier: Bool.random(using: &generator) ? other : nil)
    }
  }

  private static func model(_ version: Int, _ attributes: [Named]) throws -> ManagedObjectModel {
    let entity = EntityDescription(name: "A")
    // Each version has other hashes, so that nothing is the same to a store.
    entity.ownProperties =
      attributes.map { attribute($0.name, was: $0.identifier) }
      + [attribute("only\(version)", .integer16)]
    return try ManagedObjectModel(entities: [entity], name: "v\(version)")
  }

  /// The attributes that have a value after a step, by the definition; nil where several were known by one name, and
  /// none of them has kept its own.
  private static func expected(
    _ old: [Named], _ new: [Named], _ values: [String: String]
  ) -> [String: String]? {
    var origins: [String: String] = [:]
    for attribute in new {
      let known = old.filter { $0.canonical == attribute.canonical }
      let own = known.first { $0.name == attribute.name }
      if known.count > 1, own == nil { return nil }
      origins[attribute.name] = (own ?? known.first)?.name
    }
    // What nobody is known as goes on under its name, if nothing else was it.
    let left = Set(old.map(\.name)).subtracting(origins.values)
    for attribute in new where origins[attribute.name] == nil && left.contains(attribute.name) {
      origins[attribute.name] = attribute.name
    }
    return origins.compactMapValues { values[$0] }
  }

  @Test(arguments: 0..<150) func valuesFollowCanonicalNames(seed: UInt64) throws {
    var generator = RandomSource(seed: seed)
    var versions = [Self.attributes(&generator)]
    var values: [String: String] = [:]
    for attribute in versions[0] { values[attribute.name] = "value of \(attribute.name)" }
    let first = values
    var isRefused = false
    for _ in 0..<2 {
      let next = Self.attributes(&generator)
      guard let after = Self.expected(versions[versions.count - 1], next, values) else {
        versions.append(next)
        isRefused = true
        break
      }
      (values, versions) = (after, versions + [next])
    }
    let models = try versions.enumerated().map { try Self.model($0.offset, $0.element) }
    let steps = zip(models, models.dropFirst()).map { MigrationStep(from: $0, to: $1) }
    for backend in Backend.allCases {
      let stage = try Stage(backend, models[0]) { context in
        context.insert("A", first)
      }
      let (store, report) = stage.run(steps)
      if isRefused {
        let error = try #require(report.failure?.error as? CoreDataError)
        #expect((error.underlying as? CoreDataError)?.code == .inferredMappingModel)
        continue
      }
      let names = versions[versions.count - 1].map(\.name) + ["only\(versions.count - 1)"]
      let text = names.sorted().map { "\($0): \(values[$0] ?? "nil")" }
      let found = try store.map(dump)
      #expect(found == ["A(\(text.joined(separator: ", ")))"], "\(backend), \(versions)")
    }
  }
}
