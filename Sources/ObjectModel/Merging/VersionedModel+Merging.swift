extension VersionedModel {
  /// One model out of several that an app uses together, as `mergedModel(from:)` makes it.
  ///
  /// Nothing records which versions of different models belong together. The current ones do; from
  /// there the models are taken to have moved in step, one version of each at a time, and a model
  /// that has no more versions stays at its last. A model that doesn't say which version is current
  /// counts as being at its newest.
  /// - Throws: ``ModelFileError`` when two models have different entities of one name.
  init(merging models: [VersionedModel], at url: URL) throws {
    let currents = models.map { $0.indexOfCurrentVersion ?? $0.versions.count - 1 }
    let offsets = zip(models, currents).map { (-$1)...($0.versions.count - 1 - $1) }
    let first = offsets.map(\.lowerBound).min() ?? 0
    let last = offsets.map(\.upperBound).max() ?? 0
    let versions = try (first...last).map { offset in
      try Self.merge(
        zip(models, currents).map { model, current in
          model.versions[min(max(current + offset, 0), model.versions.count - 1)]
        }, at: url)
    }
    let isPartlyVersioned = models.map(\.versions.count).arePartlyVersions
    for version in versions { version.isPartlyVersionedMerge = isPartlyVersioned }
    let names = versions.map { $0.name ?? "" }
    let order = VersionOrder(
      names, evidence: names.dropFirst().map { _ in .inStep },
      contradictions: models.flatMap(\.order.contradictions),
      unknown: models.allSatisfy(\.order.unknown.isEmpty) ? [] : [names])
    let allSay = models.allSatisfy { $0.currentVersion != nil }
    self.init(
      name: models.map(\.name).joined(separator: " + "), url: url, versions: versions,
      currentVersionName: allSay ? versions[-first].name : nil, notes: models.flatMap(\.notes),
      currentVersionProblem: models.lazy.compactMap(\.currentVersionProblem).first, order: order)
  }

  private var indexOfCurrentVersion: Int? {
    versions.firstIndex { $0.name == currentVersionName }
  }

  private static func merge(
    _ versions: [ManagedObjectModel], at url: URL
  ) throws -> ManagedObjectModel {
    do {
      return try ManagedObjectModel(
        byMerging: versions, name: versions.compactMap(\.name).joined(separator: " + "))
    } catch let contradiction as ModelError {
      throw ModelFileError(.contradiction(contradiction), file: url.path)
    }
  }
}

extension [Int] {
  /// Whether, of models with so many versions, some have several and others don't.
  // Core Data: observed in a public report: error 134130 where a store was written by a merge of several models,
  // and only one of them has an old version in the bundle.
  package var arePartlyVersions: Bool { contains(1) && contains { $0 > 1 } }
}
