/// Loads the models that Xcode edits.
public enum XcodeModel {
  static let pathExtensions: Set = ["xcdatamodeld", "xcdatamodel"]

  /// Loads an `.xcdatamodeld` with all its versions, or a single `.xcdatamodel`.
  ///
  /// - Throws: ``ModelFileError`` with file, line and column.
  /// - Complexity: O(*n*) in the size of all versions' files.
  public static func load(contentsOf url: URL) throws -> VersionedModel {
    let url = url.standardizedFileURL
    guard url.exists else { throw ModelFileError(.noSuchFile, file: url.path) }
    switch url.pathExtension {
    case "xcdatamodeld": return try loadVersions(in: url)
    case "xcdatamodel": return try loadSingleVersion(url)
    default: throw ModelFileError(.notAModel, file: url.path)
    }
  }

  /// Loads one version, the folder `*.xcdatamodel`.
  /// - Returns: The model, named as the folder without suffix, and what was passed over.
  /// - Throws: ``ModelFileError`` with file, line and column.
  public static func loadVersion(
    contentsOf folder: URL
  ) throws -> (model: ManagedObjectModel, notes: [ModelFileNote]) {
    let file = try contentsFile(of: folder)
    let reader = ModelFileReader(try Data(reading: file), file: file.path)
    let model = try reader.model(named: folder.baseName)
    return (model, reader.notes)
  }

  /// The folders of a model's versions, in numeric order of names, without loading them.
  /// - Throws: ``ModelFileError`` when there are none.
  public static func versionFolders(of url: URL) throws -> [URL] {
    // What can't be listed has no versions, which is an error.
    let members = try? FileManager.default.contentsOfDirectory(
      at: url, includingPropertiesForKeys: nil)
    let folders = (members ?? []).filter { $0.pathExtension == "xcdatamodel" }
    if folders.isEmpty { throw ModelFileError(.noVersions, file: url.path) }
    return folders.sorted { precedes($0.baseName, $1.baseName) }
  }
}

// MARK: - Folders

extension XcodeModel {
  private static func loadVersions(in url: URL) throws -> VersionedModel {
    var notes: [ModelFileNote] = []
    var versions: [ManagedObjectModel] = []
    for folder in try versionFolders(of: url) {
      let (model, more) = try loadVersion(contentsOf: folder)
      versions.append(model)
      notes += more
    }
    var problem: ModelFileError?
    let current = currentVersion(of: url, among: versions.compactMap(\.name), &problem)
    if let problem { notes.append(ModelFileNote(problem)) }
    return VersionedModel(
      name: url.baseName, url: url, versions: versions, currentVersionName: current, notes: notes,
      currentVersionProblem: current == nil ? problem : nil)
  }

  private static func loadSingleVersion(_ url: URL) throws -> VersionedModel {
    let (model, notes) = try loadVersion(contentsOf: url)
    return VersionedModel(
      name: url.baseName, url: url, versions: [model], currentVersionName: model.name,
      notes: notes)
  }

  /// What `.xccurrentversion` names; the only version where the file is missing, as copying tools
  /// lose it.
  private static func currentVersion(
    of url: URL, among names: [String], _ problem: inout ModelFileError?
  ) -> String? {
    let file = url.appending(path: ".xccurrentversion")
    let only = names.count == 1 ? names.first : nil
    guard file.exists else { return only }
    do throws(ModelFileError) {
      let plist = try PropertyListFile.dictionary(in: file)
      guard let folder = plist["_XCCurrentVersionName"] as? String else {
        throw ModelFileError(.noCurrentVersion, file: file.path)
      }
      let name = folder.hasSuffix(".xcdatamodel") ? String(folder.dropLast(12)) : folder
      if names.contains(name) { return name }
      throw .missingCurrentVersion(folder, in: file)
    } catch {
      problem = error
      return only
    }
  }

  private static func contentsFile(of folder: URL) throws -> URL {
    let file = folder.appending(path: "contents")
    if file.exists { return file }
    let isXcode3 = ["elements", "layout"].contains { folder.appending(path: $0).exists }
    throw ModelFileError(isXcode3 ? .xcode3Format : .noContents, file: folder.path)
  }

  /// Numbers within names count as numbers.
  static func precedes(_ a: String, _ b: String) -> Bool {
    let order = a.compare(b, options: [.numeric, .caseInsensitive])
    return order == .orderedSame ? a < b : order == .orderedAscending
  }
}
