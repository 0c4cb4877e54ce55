/// A mapping file, and what it has to do with the versions of a model.
struct PlacedMapping {
  enum Place {
    /// The file names these two versions.
    case versions(source: ManagedObjectModel, destination: ManagedObjectModel, MappingModel)
    /// A compiled mapping model, which fits by its hashes alone.
    case compiled(MappingModel)
    /// The file names two versions that don't have its entities or properties (any more).
    case outdated(source: ManagedObjectModel, destination: ManagedObjectModel, MappingFileError)
    /// The file is for another model, or doesn't say for which.
    case elsewhere(reason: String)
  }

  let file: MappingFile
  let place: Place

  /// Whether another file is called alike, so that the folder belongs to the name.
  var hasNamesake = false

  var name: String {
    if !hasNamesake { return file.name }
    return "\(file.url.deletingLastPathComponent().lastPathComponent)/\(file.name)"
  }

  /// The versions that the file names; nil where it names none of the model's.
  var namedVersions: (source: ManagedObjectModel, destination: ManagedObjectModel)? {
    switch place {
    case .versions(let source, let destination, _), .outdated(let source, let destination, _):
      (source, destination)
    case .compiled, .elsewhere: nil
    }
  }

  /// The mapping model on offer for steps.
  var candidate: MappingCandidate? {
    switch place {
    case .versions(let source, let destination, let model):
      MappingCandidate(name: name, model: model, versions: (source, destination))
    case .compiled(let model): MappingCandidate(name: name, model: model)
    case .outdated, .elsewhere: nil
    }
  }
}

extension PlacedMapping {
  /// Finds the versions that a file is for.
  init(_ file: MappingFile, in model: VersionedModel) {
    self.file = file
    switch file {
    case .compiled(let compiled): place = .compiled(compiled.mappingModel)
    case .source(let source): place = Self.place(of: source, in: model)
    }
  }

  private static func place(of file: XcodeMappingFile, in model: VersionedModel) -> Place {
    do {
      let versions = MappingVersions(of: file, in: model)
      let source = try versions.source()
      let destination = try versions.destination()
      do {
        let mapping = try file.mappingModel(source: source, destination: destination)
        return .versions(source: source, destination: destination, mapping)
      } catch let error as MappingFileError {
        return .outdated(source: source, destination: destination, error)
      }
    } catch let mismatch as MappingVersions.Mismatch {
      return .elsewhere(reason: mismatch.text)
    } catch {
      return .elsewhere(reason: "\(error)")
    }
  }
}

/// The versions of a model that a mapping file names.
struct MappingVersions {
  private let file: XcodeMappingFile
  private let model: VersionedModel

  /// Why a mapping file is for other models.
  struct Mismatch: Error {
    let text: String
  }

  init(of file: XcodeMappingFile, in model: VersionedModel) {
    self.file = file
    self.model = model
  }

  func source() throws -> ManagedObjectModel {
    try version(file.sourceModelHint) { try file.modelSnapshots().source }
  }

  func destination() throws -> ManagedObjectModel {
    try version(file.destinationModelHint) { try file.modelSnapshots().destination }
  }

  /// The version by its path; else, since people rename versions, the one that is equal to the
  /// file's own copy of it.
  private func version(
    _ hint: ModelPathHint?, snapshot: () throws -> ManagedObjectModel?
  ) throws -> ManagedObjectModel {
    guard let hint else { throw Mismatch(text: "the file doesn't say for which versions it is") }
    if let other = hint.modelName, other != model.name, !model.isMerged {
      throw Mismatch(text: "it is for the model '\(other)'")
    }
    if let version = model.version(named: hint.versionName) { return version }
    // Without a copy the version isn't found by it, and that is told.
    if let hashes = (try? snapshot())?.entityVersionHashesByName,
      let equal = model.versions.first(where: { $0.entityVersionHashesByName == hashes })
    {
      return equal
    }
    throw Mismatch(text: "there is no version '\(hint.versionName)'")
  }
}
