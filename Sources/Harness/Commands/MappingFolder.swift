/// The mapping models in a folder, each made for the two versions that its file names.
struct MappingFolder {
  let candidates: [MappingCandidate]
  /// The files that are for other models, and why.
  let unused: [String]

  /// Without arguments, of no folder.
  init(candidates: [MappingCandidate] = [], unused: [String] = []) {
    self.candidates = candidates
    self.unused = unused
  }

  /// Reads every `.xcmappingmodel` in a folder, or the one that `folder` itself is.
  ///
  /// Files are taken in numeric order of names, which is the order in which those for the same step
  /// run.
  /// - Throws: ``Diagnostics`` when the folder can't be read or holds no mapping model;
  ///   `MappingFileError` for a file that is broken or doesn't fit the versions it names.
  init(contentsOf folder: URL, for model: VersionedModel) throws {
    var candidates: [MappingCandidate] = []
    var unused: [String] = []
    for url in try Self.files(in: folder) {
      let file = try XcodeMappingFile.load(contentsOf: url)
      switch Self.versions(of: file, in: model) {
      case .success(let (source, destination)):
        candidates.append(
          MappingCandidate(
            name: file.name,
            model: try file.mappingModel(source: source, destination: destination),
            versions: (source.shownName, destination.shownName)))
      case .failure(let reason): unused.append("\(file.name): \(reason.text)")
      }
    }
    self.init(candidates: candidates, unused: unused)
  }

  private static let pathExtension = "xcmappingmodel"

  private static func files(in folder: URL) throws -> [URL] {
    if folder.pathExtension == pathExtension { return [folder] }
    let members: [URL]
    do {
      members = try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
    } catch {
      throw Diagnostics([
        Diagnostic(file: folder.relativePath, "can't read the folder: \(error.plainText)")
      ])
    }
    let files = members.filter { $0.pathExtension == pathExtension }
    if files.isEmpty {
      throw Diagnostics([
        Diagnostic(file: folder.relativePath, "there is no .\(pathExtension) in this folder")
      ])
    }
    return files.sorted {
      $0.lastPathComponent.compare($1.lastPathComponent, options: .numeric) == .orderedAscending
    }
  }

  // MARK: Versions

  /// Why a mapping file is for other models.
  private struct Mismatch: Error {
    let text: String
  }

  private static func versions(
    of file: XcodeMappingFile, in model: VersionedModel
  ) -> Result<(ManagedObjectModel, ManagedObjectModel), Mismatch> {
    Result {
      () throws(Mismatch) in
      (
        try version(file.sourceModelHint, in: model),
        try version(file.destinationModelHint, in: model)
      )
    }
  }

  private static func version(
    _ hint: ModelPathHint?, in model: VersionedModel
  ) throws(Mismatch) -> ManagedObjectModel {
    guard let hint else { throw Mismatch(text: "the file doesn't say for which versions it is") }
    if let other = hint.modelName, other != model.name {
      throw Mismatch(text: "it is for the model '\(other)'")
    }
    guard let version = model.version(named: hint.versionName) else {
      throw Mismatch(text: "there is no version '\(hint.versionName)'")
    }
    return version
  }
}
