/// The models that stores keep of themselves, taken as a model with a version for each that differs.
///
/// A version has its store's name without suffix.
package enum StoreModel {
  private static let pathExtensions: Set = ["sqlite", "sqlite3", "store", "db"]

  /// Loads a model file as `VersionedModel.load(contentsOf:reading:)` does, or the model in a store or those in a folder
  /// of nothing but stores, which stay as they are.
  /// - Throws: `ModelFileError`; ``Diagnostics`` for a store that can't be read or has no model.
  package static func loadModel(
    orStoreAt url: URL, reading reader: VersionReader = VersionReader()
  ) throws -> VersionedModel {
    if let stores = stores(at: url) { return try load(stores, named: url.baseName, at: url) }
    var model = try VersionedModel.load(contentsOf: url, reading: reader)
    // An app has stores as resources.
    guard isPlainFolder(url), url.pathExtension != "app", let beside = try? stores(in: url),
      let first = beside.first
    else { return model }
    let more = beside.count == 1 ? "" : " and \(beside.count - 1) more"
    model.notes.append(
      ModelFileNote(
        message:
          "the model in this folder is taken, and no store as a version: \(ShownPath.of(first))\(more); name stores "
          + "themselves to take their models", file: ShownPath.of(url)))
    return model
  }

  /// Loads what `VersionedModel.loadCandidates(contentsOf:)` does, or the models in stores.
  /// - Throws: As ``loadModel(orStoreAt:reading:)``.
  package static func loadCandidates(orStoreAt url: URL) throws -> [VersionedModel] {
    try stores(at: url).map { [try load($0, named: url.baseName, at: url)] }
      ?? VersionedModel.loadCandidates(contentsOf: url)
  }

  /// Loads one model, or several stores as the versions of one.
  /// - Throws: As ``loadModel(orStoreAt:reading:)``; ``Diagnostics`` for several that aren't all stores.
  package static func loadModel(orStoresAt urls: [URL]) throws -> VersionedModel {
    if urls.count == 1 { return try loadModel(orStoreAt: urls[0]) }
    if let other = urls.first(where: { !isStore($0) }) {
      let isMissing = FileKind(of: other) == .missing
      let problem =
        isMissing
        ? "no such file" : "this is no store; of models one can be given, of stores several"
      throw Diagnostics(file: other.relativePath, problem)
    }
    return try load(
      urls, named: urls.map(\.lastPathComponent).joined(separator: ", "), at: urls[0])
  }

  /// Whether it is a file that says so by its suffix or its first bytes.
  package static func isStore(_ url: URL) -> Bool {
    guard !url.isFolder, FileManager.default.fileExists(atPath: url.path),
      !VersionedModel.pathExtensions.contains(url.pathExtension)
    else { return false }
    // A file that can't be opened is for those who read models to complain about.
    return pathExtensions.contains(url.pathExtension.lowercased())
      || PersistentStoreFiles(url).beginAsDatabase
  }

  /// Whether it is a store, or a folder of nothing but stores.
  package static func holdsStores(_ url: URL) -> Bool { stores(at: url) != nil }

  /// The store, or those in a folder without models; nil where there are none.
  private static func stores(at url: URL) -> [URL]? {
    if isStore(url) { return [url] }
    // What can't be searched is for those who read models to complain about.
    guard isPlainFolder(url),
      let models = try? FolderSearch(url).files(withExtensions: VersionedModel.pathExtensions),
      models.isEmpty, let stores = try? stores(in: url)
    else { return nil }
    return stores.isEmpty ? nil : stores
  }

  /// The stores in a folder, and the folders in it, that say so by their suffix.
  /// - Throws: What `FileManager` throws for a folder that can't be read.
  package static func stores(in folder: URL) throws -> [URL] {
    try FolderSearch(folder).files(withExtensions: pathExtensions)
  }

  private static func isPlainFolder(_ url: URL) -> Bool {
    url.isFolder && !VersionedModel.pathExtensions.contains(url.pathExtension)
  }

  /// Of stores with the same version hashes the first by name has the version. One of several that can't be read, or has
  /// no model, is none of the versions.
  private static func load(
    _ stores: [URL], named name: String, at url: URL
  ) throws -> VersionedModel {
    var versions: [ManagedObjectModel] = []
    var notes: [ModelFileNote] = []
    var unreadable: [(name: String, problem: Diagnostics)] = []
    for (version, store) in try named(stores) {
      let model: ManagedObjectModel
      do { model = try Self.model(in: store, named: version) } catch let problem as Diagnostics {
        unreadable.append((version, problem))
        continue
      }
      let same = versions.first {
        $0.entityVersionHashesByName == model.entityVersionHashesByName
      }
      guard let same else {
        versions.append(model)
        continue
      }
      let places = ModelDifference(from: model, to: same).places
      notes.append(
        ModelFileNote(
          message: "has the version hashes of '\(same.name ?? "")', and is no version of its own"
            + (places.isEmpty
              ? ""
              : ", though its model differs in what no hash has: "
                + places.listed(most: 5)),
          file: ShownPath.of(store)))
    }
    if versions.isEmpty, let first = unreadable.first { throw first.problem }
    var model = VersionedModel(
      name: name, url: url, versions: versions,
      currentVersionName: versions.count == 1 ? versions[0].name : nil, notes: notes)
    model.currentVersionIsAssumed = versions.count > 1
    for (version, problem) in unreadable {
      let message = problem.all.map(\.message).joined(separator: "; ")
      let file = problem.all.compactMap(\.file).first ?? url.path
      model.unreadableVersions[version] = ModelFileError(.noModelInStore(message), file: file)
    }
    return model.ordered()
  }

  /// Stores of one name are told apart by their folders.
  private static func named(_ stores: [URL]) throws -> [(name: String, store: URL)] {
    let isPlain = Set(stores.map(\.baseName)).count == stores.count
    let named = stores.map { store in
      let folder = store.deletingLastPathComponent().lastPathComponent
      return (name: isPlain ? store.baseName : "\(folder) \(store.baseName)", store: store)
    }.sorted { XcodeModel.precedes($0.name, $1.name) }
    for (one, other) in zip(named, named.dropFirst()) where one.name == other.name {
      throw Diagnostics(
        file: ShownPath.of(other.store),
        "\(ShownPath.of(one.store)) would be a version of the same name, '\(one.name)'; rename one of them"
      )
    }
    return named
  }

  private static func model(in url: URL, named name: String) throws -> ManagedObjectModel {
    let place = ShownPath.of(url)
    do {
      guard let cached = try StoreFile(readingFrom: url).cachedModel() else {
        throw Diagnostics(
          file: place,
          "the store has no model of its own (Z_MODELCACHE); give the model that it was made with")
      }
      // Others have the same model under other names.
      return try ManagedObjectModel(byMerging: [cached], name: name)
    } catch let error as CoreDataError {
      throw Diagnostics(file: place, "no model can be read from this store: \(error.reason)")
    }
  }
}

extension ModelDifference {
  /// The properties that differ, and the entities that differ as such.
  fileprivate var places: [String] {
    entities.flatMap { entity in
      let name = entity.destinationName ?? entity.sourceName ?? ""
      let properties = entity.properties.map {
        "\(name).\($0.destinationName ?? $0.sourceName ?? "")"
      }
      return properties.isEmpty ? [name] : properties
    }
  }
}

extension VersionedModel {
  /// What is wrong with the stores that were to be versions and are none.
  package var unreadableStores: [ModelFileError] {
    unreadableVersions.sorted { $0.key < $1.key }.map(\.value).filter {
      if case .noModelInStore = $0.kind { true } else { false }
    }
  }
}
