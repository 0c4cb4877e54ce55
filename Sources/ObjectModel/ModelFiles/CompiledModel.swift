/// Loads models that Xcode compiled, as they lie in an app: `.momd` and `.mom`.
///
/// `.omo` files are private memory images of some `.mom` beside them, and are passed over.
enum CompiledModel {
  /// Loads an `.momd` with all its versions.
  /// - Throws: ``ModelFileError``.
  static func loadVersions(
    in folder: URL, reading reader: VersionReader
  ) throws -> VersionedModel {
    let files = try versionFiles(of: folder)
    let versions = try files.filter { reader.wants($0.baseName) }.map { file in
      try reader.version(in: file) { (try loadVersion(file), []) }.model
    }
    let info = try VersionInfo(of: folder)
    let names = files.map(\.baseName)
    let current = CurrentVersion(
      named: { names throws(ModelFileError) in try info?.currentVersion(among: names) },
      among: names, of: folder)
    var model = VersionedModel(
      name: folder.baseName, url: folder, versions: versions, currentVersionName: current.name,
      notes: (current.note.map { [$0] } ?? []) + (info?.notes(on: versions) ?? []))
    model.currentVersionIsAssumed = current.isAssumed
    model.unreadVersionNames = names.filter { !reader.wants($0) }
    return model.ordered()
  }

  /// Loads a `.mom` as a model with one version.
  /// - Throws: ``ModelFileError``.
  static func loadSingleVersion(_ file: URL) throws -> VersionedModel {
    let model = try loadVersion(file)
    return VersionedModel(
      name: file.baseName, url: file, versions: [model], currentVersionName: model.name)
  }

  private static func loadVersion(_ file: URL) throws -> ManagedObjectModel {
    let data = try Data(modelFile: file)
    do {
      return try ModelArchive.decodeCompiledModel(data, name: file.baseName)
    } catch let error as KeyedArchiveError {
      throw ModelFileError(.badArchive(error), file: file.path)
    } catch let error as ModelArchiveError {
      throw ModelFileError(.badCompiledModel(error), file: file.path)
    } catch let error as ModelError {
      throw ModelFileError(.contradiction(error), file: file.path)
    }
  }

  private static func versionFiles(of folder: URL) throws -> [URL] {
    let files = try folder.members().filter { $0.pathExtension == "mom" }
    if files.isEmpty { throw ModelFileError(.noCompiledVersions, file: folder.path) }
    return files.sorted { XcodeModel.precedes($0.baseName, $1.baseName) }
  }
}
