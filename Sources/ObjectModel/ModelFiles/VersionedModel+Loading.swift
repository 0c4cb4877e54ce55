extension VersionedModel {
  package static let pathExtensions = XcodeModel.pathExtensions.union(["momd", "mom"])

  /// Loads a model in any form that an app team has it in: an `.xcdatamodeld` or `.xcdatamodel` of
  /// Xcode's; a compiled `.momd` or `.mom`; or a folder, such as an app bundle, with any of these in
  /// it, however deep. Several models in a folder are merged, as `mergedModel(from:)` does.
  ///
  /// - Throws: ``ModelFileError`` with the file, and with line and column where it is text.
  /// - Complexity: O(*n*) in the size of all versions' files.
  public static func load(contentsOf url: URL) throws -> VersionedModel {
    try load(contentsOf: url, reading: VersionReader())
  }

  /// Loads a model as ``load(contentsOf:)`` does, in a way of one's own: only some of its versions, or
  /// those that were read before. A version that can't be read is missing among those of the result.
  package static func load(
    contentsOf url: URL, reading reader: VersionReader
  ) throws -> VersionedModel {
    let url = url.standardizedFileURL
    guard url.exists else { throw ModelFileError(.noSuchFile, file: url.path) }
    switch url.pathExtension {
    case "xcdatamodeld", "xcdatamodel": return try XcodeModel.load(contentsOf: url, reading: reader)
    case "momd": return try CompiledModel.loadVersions(in: url, reading: reader)
    case "mom": return try CompiledModel.loadSingleVersion(url)
    default:
      guard url.isFolder else { throw ModelFileError(.notAModel, file: url.path) }
      return try ModelFolder(url: url).load()
    }
  }

  /// Loads all that a store may have been written with: of a folder with several models each for
  /// itself, and all merged where they can be; of any other path the one model.
  /// - Throws: As ``load(contentsOf:)``.
  public static func loadCandidates(contentsOf url: URL) throws -> [VersionedModel] {
    let url = url.standardizedFileURL
    guard url.isFolder, !pathExtensions.contains(url.pathExtension) else {
      return [try load(contentsOf: url)]
    }
    let models = try ModelFolder(url: url).loadEach()
    // Models that don't fit together are still models, each by itself.
    let merged = models.count > 1 ? try? VersionedModel(merging: models, at: url) : nil
    return models + (merged.map { [$0] } ?? [])
  }

  /// The version that new stores get.
  /// - Throws: ``ModelFileError`` when the model doesn't say, or names one that isn't there.
  public func requiredCurrentVersion() throws -> ManagedObjectModel {
    if let currentVersion { return currentVersion }
    throw currentVersionProblem ?? ModelFileError(.noCurrentVersion, file: url.path)
  }
}
