/// Where a store's possible versions, and the steps from each of them, come from.
package protocol RouteFinder {
  /// Finds a store's version by its version hashes, and the way from there.
  /// - Throws: `CoreDataError.migrationMissingSourceModel` (134130), naming the version that comes
  ///   nearest, when the store is of none of the versions, or of one from which no way leads on.
  func route(forStoreWith metadata: [String: Any]) throws -> MigrationRoute
}

extension RouteFinder {
  /// As ``route(forStoreWith:)``; of a store that fits no version the error says what its own model is good for.
  func route(forStoreAt store: URL) throws -> MigrationRoute {
    let metadata = try SQLiteStore.metadata(at: store)
    do { return try route(forStoreWith: metadata) } catch var error as CoreDataError
      where error.code == .migrationMissingSourceModel && error.metadata != nil
    {
      let own = try OwnModel(ofStoreAt: store)
      if let finder = self as? ModelRouteFinder, finder.takesStoreModel {
        guard let model = own.model else {
          throw Diagnostics(file: store.relativePath, "\(own)")
        }
        return try finder.route(from: model, ofStoreWith: metadata)
      }
      // The store of another app is nothing to migrate from.
      if let own = own.model, let finder = self as? ModelRouteFinder,
        finder.model.versions.allSatisfy({ version in
          own.entities.allSatisfy { version.entity(named: $0.name) == nil }
        })
      {
        throw error
      }
      let command =
        "`heavyweight migrate \(store.relativePath.shellQuoted) --models MODEL --from-store-model -o FILE`"
      let way = own.model == nil ? "." : "; \(command) does it."
      error.advice = (error.advice.map { "\($0) " } ?? "") + "\(own)\(way)"
      throw error
    }
  }
}

/// The way from a store's version to the one wanted.
package struct MigrationRoute {
  /// The names of all versions that fit the store, for versions can be equal to Core Data.
  package var versions: [String]
  /// The configuration of the versions that the store holds; nil when it holds all entities.
  package var configuration: String?
  /// The model to open the store with.
  package var source: ManagedObjectModel
  /// The name of the version to end with.
  package var target: String
  /// Whether the source is the model that the store keeps of itself, and none of the versions.
  var isFromStoreModel = false
  /// Without steps when the store is of the target's version already.
  package var chain: MigrationChain
  /// The mapping files that were given and don't run.
  package var unusedMappings: [UnusedMapping] = []
  /// Why the store isn't to take this way all the same.
  var refusal: RouteRefusal?
}

extension ManagedObjectModel {
  /// The version's name, or a description of a model without one.
  var shownName: String { name ?? "\(self)" }
}
