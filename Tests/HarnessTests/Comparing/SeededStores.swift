import Foundation
import TestSupport

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Stores filled from the text of scenarios, for comparing them.
final class SeededStores {
  let folder: TemporaryFolder
  private let backend: Backend
  private var count = 0

  init(_ backend: Backend) throws {
    self.backend = backend
    folder = try TemporaryFolder()
  }

  /// A store with the objects of `seed`, in the notation of scenarios, each map in one line.
  func store(_ model: String, _ seed: String) throws -> PersistentStore {
    let scenario = try checked("scenario: s\nmodels: { v: \(model) }\nseed: \(seed)\n")
    let store = try empty(scenario.model("v"))
    guard let rows = scenario.seed(for: "v")?.rows else { return store }
    _ = try Seeder.seed(rows, into: ManagedObjectContext(readingFrom: store))
    return store
  }

  private func empty(_ model: ManagedObjectModel) throws -> PersistentStore {
    count += 1
    switch backend {
    case .memory: return InMemoryStore(model: model)
    case .sqlite: return try SQLiteStore.create(at: url(count), model: model)
    }
  }

  /// The file of the n-th store, counted from 1.
  func url(_ number: Int) -> URL { folder.url.appending(path: "\(number).sqlite") }
}

/// Compares two stores with rules as the command line has them.
func differences(
  _ a: PersistentStore, _ b: PersistentStore, identity: [String] = [], ignoring: [String] = [],
  listed: Int = 20
) throws -> StoreDifferences {
  var options = StoreComparison.Options()
  options.rules = try IdentityRules(arguments: identity)
  options.ignored = ignoring
  options.listed = listed
  func summary(_ name: String, _ store: PersistentStore) -> StoreDifferences.Store {
    .init(
      name: name, versions: ["v"], modelOrigin: "model file", identifier: store.identifier,
      findings: [])
  }
  var result = StoreDifferences(stores: Both(summary("a.sqlite", a), summary("b.sqlite", b)))
  try StoreComparison(a, b, options: options).run(into: &result)
  return result
}

extension StoreDifferences {
  /// The report as a person without a coloured terminal sees it.
  var plainText: String { text(style: TextStyle(isColoured: false)) }

  /// How the entity `name` was compared.
  func entity(_ name: String) -> Entity? { entities.first { $0.names.a == name } }

  /// What is listed: a mark, the object, and the names of what changed.
  var listing: [String] {
    objects.map { object in
      let mark = ["changed": "~", "onlyInA": "-", "onlyInB": "+"][object.kind.rawValue] ?? ""
      let names = object.attributes.map(\.name) + object.relationships.map(\.name)
      return ([mark, object.object] + names).joined(separator: " ")
    }
  }
}
