/// Loads the models that Xcode edits.
public enum XcodeModel {
  static let pathExtensions: Set = ["xcdatamodeld", "xcdatamodel"]

  /// Loads an `.xcdatamodeld` with all its versions, or a single `.xcdatamodel`.
  ///
  /// - Throws: ``ModelFileError`` with file, line and column.
  /// - Complexity: O(*n*) in the size of all versions' files.
  public static func load(contentsOf url: URL) throws -> VersionedModel {
    try load(contentsOf: url, reading: VersionReader())
  }

  static func load(
    contentsOf url: URL, reading reader: VersionReader
  ) throws -> VersionedModel {
    let url = url.standardizedFileURL
    guard url.exists else { throw ModelFileError(.noSuchFile, file: url.path) }
    switch url.pathExtension {
    case "xcdatamodeld": return try loadVersions(in: url, reading: reader)
    case "xcdatamodel": return try loadSingleVersion(url, reading: reader)
    default: throw ModelFileError(.notAModel, file: url.path)
    }
  }

  /// Loads one version, the folder `*.xcdatamodel`.
  /// - Returns: The model, named as the folder without suffix, and what was passed over.
  /// - Throws: ``ModelFileError`` with file, line and column.
  public static func loadVersion(
    contentsOf folder: URL
  ) throws -> (model: ManagedObjectModel, notes: [ModelFileNote]) {
    try loadVersion(contentsOf: folder, reading: VersionReader())
  }

  private static func loadVersion(
    contentsOf folder: URL, reading reader: VersionReader
  ) throws -> VersionReader.Version {
    let file = try contentsFile(of: folder)
    return try reader.version(in: file) { try loadVersion(from: file, of: folder) }
  }

  private static func loadVersion(
    from file: URL, of folder: URL
  ) throws -> VersionReader.Version {
    let data = try Data(modelFile: file)
    if data.isLargeFilePointer { throw ModelFileError(.largeFilePointer, file: file.path) }
    let reader = ModelFileReader(data, file: file.path)
    let model = try reader.model(named: folder.baseName)
    return (model, reader.notes)
  }

  /// The folders of a model's versions, in numeric order of names, without loading them.
  /// - Throws: ``ModelFileError`` when there are none.
  public static func versionFolders(of url: URL) throws -> [URL] {
    // What can't be listed has no versions, which is an error.
    let members = try? FileManager.default.contentsOfDirectory(
      at: url.resolvingSymlinksInPath(), includingPropertiesForKeys: nil)
    let folders = (members ?? []).filter { $0.pathExtension == "xcdatamodel" }
    if folders.isEmpty { throw ModelFileError(.noVersions, file: url.path) }
    // A name is asked of each folder once: there may be a hundred.
    return folders.map { (name: $0.baseName, folder: $0) }.sorted { precedes($0.name, $1.name) }
      .map(\.folder)
  }
}

// MARK: - Folders

extension XcodeModel {
  private static func loadVersions(
    in url: URL, reading reader: VersionReader
  ) throws -> VersionedModel {
    var notes: [ModelFileNote] = []
    var versions: [ManagedObjectModel] = []
    var unreadable: [String: ModelFileError] = [:]
    let folders = try versionFolders(of: url)
    let wanted = folders.filter { reader.wants($0.baseName) }
    let read = wanted.mapOnAllCores { folder in
      Result { try loadVersion(contentsOf: folder, reading: reader) }
    }
    for (folder, version) in zip(wanted, read) {
      do {
        let (model, more) = try version.get()
        versions.append(model)
        notes += more
      } catch let error as ModelFileError where error.kind == .xcode3Format {
        // Apps keep versions that no store is of any more; whoever needs one is told then.
        unreadable[folder.baseName] = error
        notes.append(ModelFileNote(passingOver: error))
      }
    }
    if versions.isEmpty, let error = unreadable.values.first { throw error }
    var current = CurrentVersion(
      named: { names throws(ModelFileError) in try currentVersion(of: url, among: names) },
      among: folders.map(\.baseName), of: url)
    if let name = current.name, let error = unreadable[name] {
      (current.name, current.problem) = (nil, error)
    }
    notes += current.note.map { [$0] } ?? []
    var model = VersionedModel(
      name: url.baseName, url: url, versions: versions, currentVersionName: current.name,
      notes: notes,
      currentVersionProblem: current.name == nil && !current.isAssumed ? current.problem : nil)
    model.currentVersionIsAssumed = current.isAssumed
    model.unreadableVersions = unreadable
    model.unreadVersionNames = folders.map(\.baseName).filter { !reader.wants($0) }
    return model.ordered()
  }

  private static func loadSingleVersion(
    _ url: URL, reading reader: VersionReader
  ) throws -> VersionedModel {
    let (model, notes) = try loadVersion(contentsOf: url, reading: reader)
    return VersionedModel(
      name: url.baseName, url: url, versions: [model], currentVersionName: model.name,
      notes: notes)
  }

  /// - Returns: Nil where the file is missing, as copying tools lose it.
  private static func currentVersion(
    of url: URL, among names: [String]
  ) throws(ModelFileError) -> String? {
    let file = url.appending(path: ".xccurrentversion")
    guard file.exists else { return nil }
    let plist = try PropertyListFile.dictionary(in: file)
    guard let folder = plist["_XCCurrentVersionName"] as? String else {
      throw ModelFileError(.noCurrentVersion, file: file.path)
    }
    let name = folder.hasSuffix(".xcdatamodel") ? String(folder.dropLast(12)) : folder
    if names.contains(name) { return name }
    throw .missingCurrentVersion(folder, in: file)
  }

  private static func contentsFile(of folder: URL) throws -> URL {
    let file = folder.appending(path: "contents")
    if file.exists { return file }
    let isXcode3 = ["elements", "layout"].contains { folder.appending(path: $0).exists }
    throw ModelFileError(isXcode3 ? .xcode3Format : .noContents, file: folder.path)
  }

  /// Numbers within names count as numbers.
  package static func precedes(_ a: String, _ b: String) -> Bool {
    let order = a.compare(b, options: [.numeric, .caseInsensitive])
    return order == .orderedSame ? a < b : order == .orderedAscending
  }
}
