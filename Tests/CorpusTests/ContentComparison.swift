import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Two stores that a migration made, compared by the engine behind `heavyweight diff`.
enum ContentComparison {
  /// - Returns: What differs: `Entity.property`, or `Entity` for objects that only one has.
  static func differences(_ a: PersistentStore, _ b: PersistentStore) throws -> Set<String> {
    func summary(_ store: PersistentStore) -> StoreDifferences.Store {
      .init(
        name: store.type, versions: [], modelOrigin: "", identifier: store.identifier, findings: [])
    }
    var found = StoreDifferences(stores: Both(summary(a), summary(b)))
    try StoreComparison(a, b).run(into: &found)
    try #require(found.entities.contains { $0.counts.a > 0 }, "nothing was compared")
    return Set(
      found.entities.flatMap { entity in
        entity.changedProperties.keys.map { "\(entity.name).\($0)" }
          + (entity.only.a + entity.only.b > 0 ? [entity.name] : [])
      })
  }
}
