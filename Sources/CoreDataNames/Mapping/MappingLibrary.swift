/// The mapping models an app can find: in bundles, and in the folders of models that it loaded by
/// URL, which stand for the bundle where tests run without one.
final class MappingLibrary: Sendable {
  static let shared = MappingLibrary()

  /// The mapping models on offer for a pair of models, in order of their names, each with the
  /// version hashes of the models it was made for.
  func candidates(
    in bundles: [Bundle]?, from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> [MappingCandidate] {
    files(in: bundles).compactMap { file in
      mapping(file, source, destination).map {
        MappingCandidate(name: file.deletingPathExtension().lastPathComponent, model: $0)
      }
    }
  }

  private func files(in bundles: [Bundle]?) -> [URL] {
    let searched = bundles ?? ([Bundle.main] + Bundle.allBundles)
    let inBundles = searched.flatMap { bundle in
      Self.suffixes.flatMap {
        bundle.urls(forResourcesWithExtension: $0, subdirectory: nil) ?? []
      }
    }.map { ($0 as URL).standardizedFileURL }
    let folders = bundles == nil ? ModelLibrary.shared.foldersOfLoadedModels : []
    let besides = folders.flatMap { folder in
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
        ?? []
    }.filter { Self.suffixes.contains($0.pathExtension) }.map(\.standardizedFileURL)
    return Set(inBundles + besides).sorted { $0.path < $1.path }
  }

  private static let suffixes = ["cdm", "xcmappingmodel"]

  /// A file's mapping, as it was made for the versions that it names itself; where those aren't
  /// known, for the versions that are wanted.
  private func mapping(
    _ url: URL, _ source: ManagedObjectModel, _ destination: ManagedObjectModel
  ) -> MappingModel? {
    guard let file = try? XcodeMappingFile.load(contentsOf: url),
      let old = version(file.sourceModelHint, of: url, else: source),
      let new = version(file.destinationModelHint, of: url, else: destination)
    else { return nil }
    return try? file.mappingModel(source: old, destination: new)
  }

  /// The mapping in a file, for the versions that it names.
  func mappingModel(at url: URL) throws -> MappingModel {
    let file = try XcodeMappingFile.load(contentsOf: url)
    guard let old = version(file.sourceModelHint, of: url),
      let new = version(file.destinationModelHint, of: url)
    else {
      throw CoreDataError(
        .migrationMissingMappingModel, "The models that the mapping is for can't be found",
        advice: "Load the versioned model first, or keep it beside the mapping model."
      ).at(file: url.path)
    }
    return try file.mappingModel(source: old, destination: new)
  }

  /// The version that a file means; `wanted` where it doesn't say, or says its name.
  private func version(
    _ hint: ModelPathHint?, of file: URL, else wanted: ManagedObjectModel? = nil
  ) -> ManagedObjectModel? {
    guard let hint else { return wanted }
    let found = hint.find(from: file.deletingLastPathComponent())
      .flatMap { try? ModelLibrary.shared.model(at: $0) }
    let known = ModelLibrary.shared.allVersions(in: nil).first { $0.name == hint.versionName }
    return found ?? known ?? (wanted?.name == hint.versionName ? wanted : nil)
  }
}

extension MappingModel {
  /// The first mapping model in some bundles (nil: all there are) that was made for two models, by
  /// the version hashes of the entities it mentions; nil when there is none.
  public convenience init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: ManagedObjectModel?,
    destinationModel: ManagedObjectModel?
  ) {
    guard let sourceModel, let destinationModel else { return nil }
    let found = MappingLibrary.shared.candidates(
      in: bundles, from: sourceModel, to: destinationModel)
    guard
      let first = found.first(where: {
        $0.model.fits(source: sourceModel, destination: destinationModel)
      })
    else { return nil }
    self.init(entityMappings: first.model.entityMappings)
  }
}
