/// A folder with models somewhere in it: an app or framework bundle, or part of a project.
struct ModelFolder {
  let url: URL

  /// The model in the folder; several are merged.
  ///
  /// Of a model that is there both compiled and as Xcode edits it, the latter counts. Copies of one
  /// model, as an app and its extensions have them, count once.
  /// - Throws: ``ModelFileError``: `.noModels`, or `.severalModels` when different models have one
  ///   name.
  func load() throws -> VersionedModel {
    let models = try loadEach()
    return models.count == 1 ? models[0] : try VersionedModel(merging: models, at: url)
  }

  /// The models in the folder, each for itself.
  /// - Throws: As ``load()``.
  func loadEach() throws -> [VersionedModel] {
    let found = try modelURLs()
    if found.isEmpty { throw ModelFileError(.noModels, file: url.path) }
    let byName = Dictionary(grouping: found, by: \.baseName)
    return try byName.keys.sorted(by: XcodeModel.precedes).map {
      try model(among: byName[$0] ?? [])
    }
  }

  /// The one model that all these are.
  private func model(among urls: [URL]) throws -> VersionedModel {
    let sources = urls.filter { XcodeModel.pathExtensions.contains($0.pathExtension) }
    let candidates = try (sources.isEmpty ? urls : sources).map(VersionedModel.load)
    let first = candidates[0]
    if let other = candidates.dropFirst().first(where: { !$0.hasSameVersions(as: first) }) {
      throw ModelFileError(.severalModels(first.url.path, other.url.path), file: url.path)
    }
    return first
  }

  private func modelURLs() throws -> [URL] {
    do {
      return try FolderSearch(url).files(withExtensions: VersionedModel.pathExtensions)
    } catch {
      throw ModelFileError(.unreadable(error.plainText), file: url.path)
    }
  }
}

extension VersionedModel {
  fileprivate func hasSameVersions(as other: VersionedModel) -> Bool {
    currentVersionName == other.currentVersionName
      && versions.map(\.name) == other.versions.map(\.name)
      && zip(versions, other.versions).allSatisfy {
        $0.entityVersionHashesByName == $1.entityVersionHashesByName
      }
  }
}
