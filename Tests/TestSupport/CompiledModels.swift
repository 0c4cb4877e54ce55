import ObjectModel

extension TemporaryFolder {
  /// Writes bytes to a file in the folder, making the folders on the way.
  @discardableResult
  public func write(_ data: Data, to path: String) throws -> URL {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
    return file
  }

  /// Writes an `.momd` as Xcode compiles one: a `.mom` for each version, and `VersionInfo.plist`.
  @discardableResult
  public func writeCompiled(
    _ versions: [String: ManagedObjectModel], current: String, to path: String
  ) throws -> URL {
    for (name, model) in versions {
      try write(ModelArchive.encodeCompiledModel(model), to: "\(path)/\(name).mom")
    }
    let info: [String: Any] = [
      "NSManagedObjectModel_CurrentVersionName": current,
      "NSManagedObjectModel_VersionHashes": versions.mapValues(\.entityVersionHashesByName),
    ]
    let list = try PropertyListSerialization.data(
      fromPropertyList: info, format: .binary, options: 0)
    try write(list, to: "\(path)/VersionInfo.plist")
    return url.appending(path: path)
  }
}
