import Synchronization

/// Where automatic migration finds models and mapping models: on a device, the app's bundles.
public struct MigrationLibrary {
  /// All versions of all models, model by model.
  public var models: [ManagedObjectModel]
  /// The mapping models, in the order in which they are looked through.
  public var mappings: [MappingCandidate]
  /// How many versions the model has that a model is one of, as far as files say so.
  private(set) var versionCounts: [ObjectIdentifier: Int] = [:]
  /// Files and folders that can't be read, and why.
  public private(set) var unreadable: [String] = []
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
  /// names, as these are in the bundles. As in Core Data, a file that can't be read is as good as none, and hides no
  /// other: see ``unreadable``.
  public init(contentsOf bundles: [URL]) {
    self.init()
    var resources: [URL] = []
    for folder in bundles.flatMap(Self.folders) {
      reading(folder) { _ in resources += try Self.members(of: folder) }
    }
    var found: [VersionedModel] = []
    for url in resources where url.isModel {
      reading(url) { _ in found.append(try ReadFiles.shared.model(at: url)) }
    }
    models = found.flatMap(\.versions)
    for model in found {
      for version in model.versions {
        versionCounts[ObjectIdentifier(version)] = model.versions.count
      }
    }
    for url in resources where MappingFile.pathExtensions.contains(url.pathExtension) {
      reading(url) { library in
        let file = try ReadFiles.shared.mapping(at: url)
        switch file {
        case .source(let source): try library.add(source, for: found)
        case .compiled(let compiled):
          library.mappings.append(MappingCandidate(name: file.name, model: compiled.mappingModel))
        }
      }
    }
  }

  /// Reads one file, or notes why that can't be.
  private mutating func reading(_ url: URL, _ read: (inout Self) throws -> Void) {
    do { try read(&self) } catch {
      unreadable.append("\(url.path): \(error)")
      Self.tell("CoreData: ignored, since it can't be read: \(url.path): \(error)")
    }
  }

  /// Says something once in a process.
  private static func tell(_ text: String) {
    if told.withLock({ $0.insert(text).inserted }) { NSLog("%@", text) }
  }

  private static let told = Mutex<Set<String>>([])

  private static func folders(of bundle: URL) -> [URL] {
    [bundle] + ["Resources", "Contents/Resources"].map { bundle.appending(path: $0) }
  }

  /// - Throws: When the folder is there and can't be looked into: a mapping model may be in it.
  private static func members(of folder: URL) throws -> [URL] {
    guard folder.isFolder else { return [] }
    return try FolderSearch.members(of: folder).sorted { a, b in
      a.lastPathComponent.compare(b.lastPathComponent, options: .numeric) == .orderedAscending
    }
  }

  private mutating func add(_ file: XcodeMappingFile, for models: [VersionedModel]) throws {
    // Those of the name that the file has come first.
    let named = models.filter { $0.name == file.sourceModelHint?.modelName }
    for model in named + models {
      let placed = PlacedMapping(.source(file), in: model)
      if case .outdated(_, _, let error) = placed.place { throw error }
      guard let candidate = placed.candidate else { continue }
      mappings.append(candidate)
      return
    }
    unused.append("\(file.name): the versions it was made for don't exist")
  }
}

extension URL {
  fileprivate var isModel: Bool {
    ["momd", "mom", "xcdatamodeld", "xcdatamodel"].contains(pathExtension)
  }
}

// MARK: - The app's own

extension MigrationLibrary {
  private static let lock = NSLock()
  // Guarded by the lock.
  nonisolated(unsafe) private static var chosen: MigrationLibrary?

  /// What is used where nothing else is named: the main bundle's, unless it was set.
  public static func main() -> MigrationLibrary {
    let (named, besides) = lock.withLock { (chosen, folders) }
    if let named { return named }
    return MigrationLibrary(contentsOf: [Bundle.main.bundleURL] + besides)
  }

  // Guarded by the lock.
  nonisolated(unsafe) private static var folders: [URL] = []

  /// Makes a folder be searched after the main bundle: one that a model was loaded from by its URL,
  /// which stands for the bundle where an app's tests run without one.
  package static func search(_ folder: URL) {
    let folder = folder.standardizedFileURL
    lock.withLock {
      if folders.contains(folder) { return }
      // What is gone has nothing to be found.
      folders.removeAll { !$0.isFolder }
      folders.append(folder)
    }
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
    let urls = try (places + lock.withLock { folders }).flatMap(folders(of:)).flatMap(members)
      .filter(\.isModel)
    // Another app's, or a damaged one, isn't what the mapping model is for; without a model for it the
    // initializer fails.
    let models = urls.compactMap { try? ReadFiles.shared.model(at: $0) }
    var library = MigrationLibrary()
    try library.add(source, for: models)
    if let found = library.mappings.first { return found.model }
    if let named = main().mappings.first(where: { $0.name == source.name }) {
      return named.model
    }
    throw CoreDataError.modelsOfMappingNotFound
  }

  /// What some bundles hold; ``main()`` for nil.
  init(of bundles: [Bundle]?) {
    self = bundles.map { Self(contentsOf: $0.map(\.bundleURL)) } ?? Self.main()
  }
}

// MARK: - Finding mapping models

extension MigrationLibrary {
  /// The model that a store was written with: one of the models, or the merge of several that have
  /// different entities; nil when there is none.
  ///
  /// - Parameter configuration: The part of the model that the store holds; nil for all of it.
  public func model(
    forStoreMetadata metadata: [String: Any], configuration: String? = nil
  ) -> ManagedObjectModel? {
    let single = models.first {
      $0.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)
    }
    return single ?? (configuration == nil ? merge(for: metadata) : nil)
  }

  /// The models whose entities are all in the store, put together until nothing is missing.
  private func merge(for metadata: [String: Any]) -> ManagedObjectModel? {
    let stored = metadata["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
    var missing = Set(stored.keys)
    var parts: [ManagedObjectModel] = []
    for model in models {
      let hashes = model.entityVersionHashesByName
      guard hashes.allSatisfy({ stored[$0.key] == $0.value }),
        !missing.isDisjoint(with: hashes.keys)
      else { continue }
      parts.append(model)
      missing.subtract(hashes.keys)
    }
    guard missing.isEmpty, parts.count > 1 else { return nil }
    // Core Data: `mergedModel(from:forStoreMetadata:)` gives nil for what doesn't fit together.
    let merged = try? ManagedObjectModel(
      byMerging: parts, name: parts.compactMap(\.name).joined(separator: " + "))
    let counts = parts.map { versionCounts[ObjectIdentifier($0)] ?? 0 }
    merged?.isPartlyVersionedMerge = counts.arePartlyVersions
    return merged
  }

  /// The mapping models that fit a pair of models, in the library's order. Core Data takes the
  /// first; several are worth a word.
  public func mappings(
    forSourceModel source: ManagedObjectModel, destinationModel: ManagedObjectModel
  ) -> [MappingCandidate] {
    mappings.fitting(source: source, destination: destinationModel)
  }
}

extension ManagedObjectModel {
  /// The model in some bundles that a store was written with, all versions looked through; nil for
  /// `bundles` stands for the app's own. Nil when there is none.
  ///
  /// As in Core Data, a file that can't be read is as good as none; ask ``MigrationLibrary`` to
  /// learn what is wrong with it.
  public class func mergedModel(
    from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]
  ) -> ManagedObjectModel? {
    MigrationLibrary(of: bundles).model(forStoreMetadata: metadata)
  }
}

extension MappingModel {
  /// The first mapping model in some bundles whose every entity mapping has the version hashes of
  /// the two models; nil for `bundles` stands for the app's own. Nil when none fits (any more), which
  /// is no error in Core Data either.
  ///
  // Core Data: observed in a public app's tests, which name a bundle without mapping models: those of the other
  // bundles that are loaded are found all the same.
  public convenience init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: ManagedObjectModel?,
    destinationModel: ManagedObjectModel?
  ) {
    guard let sourceModel, let destinationModel else { return nil }
    func first(in bundles: [Bundle]?) -> MappingCandidate? {
      MigrationLibrary(of: bundles).mappings(
        forSourceModel: sourceModel, destinationModel: destinationModel
      ).first
    }
    guard let found = first(in: bundles) ?? bundles.flatMap({ _ in first(in: nil) }) else {
      return nil
    }
    self.init(entityMappings: found.model.entityMappings)
  }
}
