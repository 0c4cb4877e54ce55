// What of a difference a store can show.

extension ModelDifference {
  /// Without what a store's own model doesn't have, or has in another form: class names, user info,
  /// requests, and what is for other frameworks.
  package var keptInStores: ModelDifference {
    ModelDifference(entities: entities.compactMap { $0.keeping { !Self.stripped.contains($0) } })
  }

  /// Only what changes version hashes.
  package var noticedByStores: ModelDifference {
    ModelDifference(
      entities: entities.compactMap {
        $0.keeping { $0 == .transient || VersionFeatures.hashed.contains($0) }
      })
  }

  /// Requests are in stores as trees, whose text may be another than in the model file.
  private static var stripped: Set<ModelFeature> {
    [.className, .userInfo, .spotlight, .externalRecord, .cloudEncryption, .fetchRequest]
  }
}

extension EntityDifference {
  /// nil when nothing is left.
  fileprivate func keeping(_ isKept: (ModelFeature) -> Bool) -> EntityDifference? {
    let kept = EntityDifference(
      change: change, sourceName: sourceName, destinationName: destinationName,
      features: features.filter { isKept($0.feature) },
      properties: properties.compactMap { $0.keeping(isKept) },
      changesVersionHash: changesVersionHash)
    let isEmpty =
      change == .changed && sourceName == destinationName && kept.features.isEmpty
      && kept.properties.isEmpty
    return isEmpty ? nil : kept
  }
}

extension PropertyDifference {
  /// nil when nothing is left.
  fileprivate func keeping(_ isKept: (ModelFeature) -> Bool) -> PropertyDifference? {
    let kept = PropertyDifference(
      change: change, sourceName: sourceName, destinationName: destinationName,
      features: features.filter { isKept($0.feature) })
    let isEmpty = change == .changed && sourceName == destinationName && kept.features.isEmpty
    return isEmpty ? nil : kept
  }
}
