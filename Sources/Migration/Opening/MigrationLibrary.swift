/// Where automatic migration finds models and mapping models: on a device, the app's bundles.
public struct MigrationLibrary {
  /// All versions of all models, model by model.
  public var models: [ManagedObjectModel]
  /// The mapping models, in the order in which they are looked through.
  public var mappings: [MappingCandidate]
  /// How many versions the model has that a model is one of, as far as files say so.
  private(set) var versionCounts: [ObjectIdentifier: Int] = [:]
  /// Mapping models that are for other models, and why.
  public private(set) var unused: [String] = []

  public init(models: [ManagedObjectModel] = [], mappings: [MappingCandidate] = []) {
    self.models = models
    self.mappings = mappings
  }

  /// What bundles hold at their top, or where bundles keep resources: models and mapping models,
  /// compiled or as Xcode edits them; in the order of the bundles, then of names.
  ///
  /// A compiled mapping model has version hashes of its own; one as Xcode edits it has the hashes of the versions that it
  /// names, as these are in the bundles.
  /// - Throws: ``ModelFileError`` or ``MappingFileError`` for a file that is broken.
  public init(contentsOf bundles: [URL]) throws {
    let resources = try bundles.flatMap(Self.resources)
    let models = try resources.filter { $0.isModel }.map { try VersionedModel.load(contentsOf: $0) }
    self.init(models: models.flatMap(\.versions))
    for model in models {
      for version in model.versions {
        versionCounts[ObjectIdentifier(version)] = model.versions.count
      }
    }
    for url in resources where MappingFile.pathExtensions.contains(url.pathExtension) {
      let file = try MappingFile.load(contentsOf: url)
      switch file {
      case .source(let source): try add(source, for: models)
      case .compiled(let compiled):
        mappings.append(MappingCandidate(name: file.name, model: compiled.mappingModel))
      }
    }
  }

  /// - Throws: When a folder is there that can't be looked into: a mapping model may be in it.
  private static func resources(in bundle: URL) throws -> [URL] {
    let folders = [bundle] + ["Resources", "Contents/Resources"].map { bundle.appending(path: $0) }
    return try folders.filter(\.isFolder).flatMap { folder in
      let members = try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
      return members.sorted { a, b in
        a.lastPathComponent.compare(b.lastPathComponent, options: .numeric) == .orderedAscending
      }
    }
  }

  private mutating func add(_ file: XcodeMappingFile, for models: [VersionedModel]) throws {
    guard let source = file.sourceModelHint?.version(among: models),
      let destination = file.destinationModelHint?.version(among: models)
    else {
      unused.append("\(file.name): the versions that it is for aren't there")
      return
    }
    mappings.append(
      MappingCandidate(
        name: file.name, model: try file.mappingModel(source: source, destination: destination),
        versions: (source, destination)))
  }
}

extension URL {
  fileprivate var isModel: Bool {
    ["momd", "mom", "xcdatamodeld", "xcdatamodel"].contains(pathExtension)
  }
}

extension ModelPathHint {
  fileprivate func version(among models: [VersionedModel]) -> ManagedObjectModel? {
    let namesakes = models.filter { modelName == nil || $0.name == modelName }
    return namesakes.lazy.compactMap { $0.version(named: versionName) }.first
  }
}

// MARK: - The app's own

extension MigrationLibrary {
  private static let lock = NSLock()
  // Guarded by the lock.
  nonisolated(unsafe) private static var chosen: MigrationLibrary?

  /// What is used where nothing else is named: the main bundle's, unless it was set.
  /// - Throws: As ``init(contentsOf:)``.
  public static func main() throws -> MigrationLibrary {
    let (named, besides) = lock.withLock { (chosen, folders) }
    if let named { return named }
    return try MigrationLibrary(contentsOf: [Bundle.main.bundleURL] + besides)
  }

  // Guarded by the lock.
  nonisolated(unsafe) private static var folders: [URL] = []

  /// Makes a folder be searched after the main bundle: one that a model was loaded from by its URL,
  /// which stands for the bundle where an app's tests run without one.
  package static func search(_ folder: URL) {
    let folder = folder.standardizedFileURL
    lock.withLock { if !folders.contains(folder) { folders.append(folder) } }
  }

  /// Sets what ``main()`` gives; nil for the main bundle's again.
  public static func setMain(_ library: MigrationLibrary?) { lock.withLock { chosen = library } }

  /// The mapping model in one file, whatever others of its name lie elsewhere; for the versions that
  /// it names, of a model beside it or, failing that, in the app's own library.
  /// - Throws: ``MappingFileError``; `CoreDataError` when the versions aren't found.
  package static func mapping(at url: URL) throws -> MappingModel {
    let source: XcodeMappingFile
    switch try MappingFile.load(contentsOf: url) {
    case .compiled(let compiled): return compiled.mappingModel
    case .source(let file): source = file
    }
    let places = [url.deletingLastPathComponent(), Bundle.main.bundleURL]
    let urls = try (places + lock.withLock { folders }).flatMap(resources).filter(\.isModel)
    // Another app's, or a damaged one, isn't what the mapping model is for; without a model for it the
    // initializer fails.
    let models = urls.compactMap { try? VersionedModel.load(contentsOf: $0) }
    var library = MigrationLibrary()
    try library.add(source, for: models)
    if let found = library.mappings.first { return found.model }
    if let named = try main().mappings.first(where: { $0.name == source.name }) {
      return named.model
    }
    throw CoreDataError(
      .migrationMissingMappingModel, "The models that the mapping is for can't be found",
      advice: "Keep the versioned model beside the mapping model.")
  }

  /// What some bundles hold; ``main()`` for nil.
  init(of bundles: [Bundle]?) throws {
    if let bundles {
      try self.init(contentsOf: bundles.map(\.bundleURL))
    } else {
      self = try Self.main()
    }
  }
}
