/// The file `VersionInfo.plist` of a compiled model: which version is current, and the version
/// hashes of all.
struct VersionInfo {
  private let file: URL
  private let content: [String: Any]

  /// - Throws: ``ModelFileError`` for a file that is no property list; nil where there is none.
  init?(of folder: URL) throws {
    file = folder.appending(path: "VersionInfo.plist")
    guard file.exists else { return nil }
    content = try PropertyListFile.dictionary(in: file)
  }

  func currentVersion(among names: [String]) throws(ModelFileError) -> String {
    guard let name = content["NSManagedObjectModel_CurrentVersionName"] as? String else {
      throw ModelFileError(.noCurrentVersion, file: file.path)
    }
    if names.contains(name) { return name }
    throw .missingCurrentVersion(name, in: file)
  }

  /// Versions that the file lists and that aren't there, and those whose hashes it has otherwise.
  func notes(on versions: [ManagedObjectModel]) -> [ModelFileNote] {
    let recorded = content["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]] ?? [:]
    let byName = Dictionary(versions.map { ($0.name ?? "", $0) }) { first, _ in first }
    return recorded.sorted { XcodeModel.precedes($0.key, $1.key) }.compactMap { name, hashes in
      guard let version = byName[name] else {
        return ModelFileNote(
          message: "there is no version '\(name)', or no longer", file: file.path)
      }
      let changed = version.entitiesThatDiffer(from: hashes)
      if changed.isEmpty || !version.versionHashesAreReliable { return nil }
      let entities = changed.joined(separator: ", ")
      return ModelFileNote(
        message: "the version '\(name)' has other hashes than recorded here: \(entities)",
        file: file.path)
    }
  }
}

extension ManagedObjectModel {
  /// The names of entities that have other version hashes, or are on one side only; sorted.
  public func entitiesThatDiffer(from hashes: [String: Data]) -> [String] {
    let own = entityVersionHashesByName
    return Set(own.keys).union(hashes.keys).filter { own[$0] != hashes[$0] }.sorted()
  }
}
