/// A mapping file, and what it has to do with the versions of a model.
package struct PlacedMapping {
  package enum Place {
    /// The file is for these two versions.
    case versions(source: ManagedObjectModel, destination: ManagedObjectModel, MappingModel)
    /// It fits by its hashes alone: a compiled mapping model, or one that names no versions which are there.
    case byHashes(MappingModel)
    /// The file names two versions that don't have its entities or properties (any more).
    case outdated(source: ManagedObjectModel, destination: ManagedObjectModel, MappingFileError)
    /// For which versions it is can't be told.
    case elsewhere(reason: String)
    /// It names another model, which is there.
    case ofOtherModel(reason: String)
  }

  package let file: MappingFile
  package let place: Place

  /// Whether another file is called alike, so that the folder belongs to the name.
  package var hasNamesake = false

  package var name: String {
    if !hasNamesake { return file.name }
    return "\(file.url.deletingLastPathComponent().lastPathComponent)/\(file.name)"
  }

  /// The versions that the file is for; nil where it names none of the model's.
  package var namedVersions: (source: ManagedObjectModel, destination: ManagedObjectModel)? {
    switch place {
    case .versions(let source, let destination, _), .outdated(let source, let destination, _):
      (source, destination)
    case .byHashes, .elsewhere, .ofOtherModel: nil
    }
  }

  /// The mapping model on offer for steps.
  package var candidate: MappingCandidate? {
    switch place {
    case .versions(let source, let destination, let model):
      MappingCandidate(name: name, model: model, versions: (source, destination))
    case .byHashes(let model): MappingCandidate(name: name, model: model)
    case .outdated, .elsewhere, .ofOtherModel: nil
    }
  }

  /// Finds the versions that a file is for.
  package init(_ file: MappingFile, in model: VersionedModel) {
    self.file = file
    switch file {
    case .compiled(let compiled): place = .byHashes(compiled.mappingModel)
    case .source(let source): place = MappingVersions(of: source, in: model).place
    }
  }
}

/// The versions of a model that a mapping file is for: those at the paths that it names, which are what Xcode
/// compiles it for; else those that are equal to its own copies of them, since people rename versions and models.
private struct MappingVersions {
  let file: XcodeMappingFile
  let model: VersionedModel

  init(of file: XcodeMappingFile, in model: VersionedModel) {
    self.file = file
    self.model = model
  }

  /// Why it can't be told what an end of the file's step is.
  private struct Mismatch: Error {
    let reason: String
    var isOtherModel = false
  }

  var place: PlacedMapping.Place {
    do throws(Mismatch) {
      let source = try end(file.sourceModelHint, \.source)
      let destination = try end(file.destinationModelHint, \.destination)
      do {
        let mapping = try file.mappingModel(source: source, destination: destination)
        let areVersions = [source, destination].allSatisfy { end in
          model.versions.contains { $0 === end }
        }
        return areVersions
          ? .versions(source: source, destination: destination, mapping) : .byHashes(mapping)
      } catch let error as MappingFileError {
        return .outdated(source: source, destination: destination, error)
      } catch {
        return .elsewhere(reason: "\(error)")
      }
    } catch {
      return error.isOtherModel
        ? .ofOtherModel(reason: error.reason) : .elsewhere(reason: error.reason)
    }
  }

  private func end(
    _ hint: ModelPathHint?, _ copy: KeyPath<XcodeMappingFile.Copies, ManagedObjectModel?>
  ) throws(Mismatch) -> ManagedObjectModel {
    let named = hint?.modelName
    let isNamed = named == nil || named == model.name || model.isMerged
    if isNamed, let version = hint.flatMap({ model.version(named: $0.versionName) }) {
      return version
    }
    // Nobody asked for it.
    if isNamed, let name = hint?.versionName, model.unreadVersionNames.contains(name) {
      throw Mismatch(reason: "the version '\(name)' isn't one of those given", isOtherModel: true)
    }
    let other = named.map { "it is for the model '\($0)'" } ?? ""
    if !isNamed, hint?.modelFolder(from: file.url) != nil {
      throw Mismatch(reason: other, isOtherModel: true)
    }
    // A copy that can't be decoded is none.
    if let copy = (try? file.modelSnapshots())?[keyPath: copy] {
      let hashes = copy.entityVersionHashesByName
      return model.versions.first { $0.entityVersionHashesByName == hashes } ?? copy
    }
    guard let hint else {
      throw Mismatch(reason: "the file doesn't say for which versions it is")
    }
    throw Mismatch(
      reason: isNamed ? "there is no version '\(hint.versionName)'" : other + ", which isn't there")
  }
}
