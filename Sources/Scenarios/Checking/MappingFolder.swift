/// The mapping models in folders, each made for the two versions that its file names, or for those
/// that have its hashes.
package struct MappingFolder {
  /// In the order in which those for one step run.
  package let mappings: [PlacedMapping]
  /// Why that isn't the order of names.
  package let needs: [MappingNeed]
  /// In the order in which they were found: that of names, for those of a folder.
  private let found: [PlacedMapping]
  /// Files in folders that can't be read or aren't there as a whole.
  package let unreadable: [UnreadableFile]
  /// Files that lie elsewhere in the repository, and are for steps that nothing beside the model is for.
  package private(set) var elsewhere: [URL] = []
  /// Those of each place that was given.
  private let groups: [[PlacedMapping]]

  /// Without arguments, of no folder.
  package init() { (mappings, needs, found, unreadable, groups) = ([], [], [], [], []) }

  package struct UnreadableFile {
    package let url: URL
    package let error: MappingFileError

    /// The names of the versions of a model that the file names; nil where it names none of it.
    package func versions(of model: VersionedModel) -> StepEnds? {
      guard let named = XcodeMappingFile.namedModels(in: url),
        [named.source, named.destination].allSatisfy({
          $0.modelName == nil || $0.modelName == model.url.baseName
        })
      else { return nil }
      return StepEnds(source: named.source.versionName, destination: named.destination.versionName)
    }
  }

  /// What is said of files that are passed over.
  package var passedOverNotes: [String] {
    unreadable.map { "mapping file ignored: \($0.error.note)" }
      + elsewhere.map {
        "mapping file found elsewhere in the repository: \(RelativePath.shown($0))"
      }
  }

  /// What is said of files of which nobody can tell for which step they are.
  package var unplacedNotes: [String] {
    mappings.compactMap { mapping in
      guard case .elsewhere(let reason) = mapping.place else { return nil }
      return "mapping file \(mapping.name) ignored, whichever step it is for: \(reason)"
    }
  }

  /// The mapping models that steps may use.
  package var candidates: [MappingCandidate] { mappings.compactMap(\.candidate) }

  /// The mapping models that steps may use, as Core Data would come upon them. Of several that fit it
  /// takes the first.
  package var candidatesAsFound: [MappingCandidate] { found.compactMap(\.candidate) }

  /// Reads every `.xcmappingmodel` and `.cdm` in a folder and the folders in it, or the one that
  /// `folder` itself is. Of a mapping model that is there in both forms, the one that Xcode edits
  /// counts.
  ///
  /// - Throws: As the initializer for several places.
  package init(contentsOf folder: URL, for model: VersionedModel) throws {
    try self.init(contentsOf: [folder], for: model)
  }

  /// Reads mapping models given one by one, or in folders.
  ///
  /// Files for the same step run in the order in which they are given. Those of a folder run in
  /// numeric order of names, without those given before, but for one that needs what another makes:
  /// see ``MappingOrder``.
  /// - Throws: ``Diagnostics`` when a folder can't be read or holds no mapping model;
  ///   `MappingFileError` for a file that is broken.
  package init(contentsOf places: [URL], for model: VersionedModel) throws {
    try self.init(
      places.map { ($0, try Self.files(in: $0)) }, for: model, isGiven: true)
  }

  /// Reads the mapping models beside a model, as the app's bundle has them, and those elsewhere in the repository
  /// that are for steps of it which none beside it is for. Those for other models aren't meant.
  /// - Parameter more: Files to be taken as if they were beside the model.
  /// - Throws: ``Diagnostics`` when the folder can't be read.
  package init(beside model: VersionedModel, and more: [URL] = []) throws {
    let home = ModelHome(ofModelAt: model.url)
    let files = Self.sorted((try home.mappingFiles() + more).uniqued())
    try self.init(files.isEmpty ? [] : [(home.folder, files)], for: model, isGiven: false)
    let others = home.mappingFilesElsewhere.filter { file in
      // Most are of other models, and large.
      !files.contains(file)
        && (file.pathExtension == "cdm"
          || XcodeMappingFile.namedModels(in: file)?.source.modelName == model.name)
    }.compactMap {
      // What can't be read there may be of any other app.
      (try? ReadFiles.shared.mapping(at: $0)).map { PlacedMapping($0, in: model) }
    }.filter { $0.belongs(to: model) && isOpen(to: $0, in: model) }
    if others.isEmpty { return }
    self.init(groups + [others], unreadable: unreadable, for: model)
    elsewhere = others.map(\.file.url)
  }

  /// Whether a file fits a step for which there is none.
  private func isOpen(to mapping: PlacedMapping, in model: VersionedModel) -> Bool {
    guard let offered = mapping.candidate.map({ [$0] }) else { return false }
    let last = model.versions.last
    let steps =
      mapping.namedVersions.map { [$0] }
      ?? (Array(zip(model.versions, model.versions.dropFirst()))
        + model.versions.compactMap { version in last.map { (version, $0) } })
    return steps.contains { source, destination in
      source !== destination && !offered.fitting(source: source, destination: destination).isEmpty
        && candidates.fitting(source: source, destination: destination).isEmpty
    }
  }

  /// - Parameters:
  ///   - places: Each with its files.
  ///   - isGiven: Whether a person named the places, so that what is wrong there is an error.
  private init(
    _ places: [(place: URL, files: [URL])], for model: VersionedModel, isGiven: Bool
  ) throws {
    var seen: Set<String> = []
    var unreadable: [UnreadableFile] = []
    let groups = try places.map { place, files in
      try files.filter {
        seen.insert($0.standardizedFileURL.resolvingSymlinksInPath().path).inserted
      }.compactMap { file -> PlacedMapping? in
        do {
          let mapping = PlacedMapping(try ReadFiles.shared.mapping(at: file), in: model)
          if case .ofOtherModel = mapping.place, !isGiven { return nil }
          return mapping
        } catch let error as MappingFileError where !isGiven || error.isAbsence && file != place {
          // Whoever names the file itself needs it.
          unreadable.append(UnreadableFile(url: file, error: error))
          return nil
        }
      }
    }
    let names = Dictionary(grouping: groups.joined(), by: \.file.name)
    let told = groups.map { group in
      group.map { mapping in
        var mapping = mapping
        mapping.hasNamesake = names[mapping.file.name, default: []].count > 1
        return mapping
      }
    }
    self.init(told, unreadable: unreadable, for: model)
  }

  private init(
    _ groups: [[PlacedMapping]], unreadable: [UnreadableFile], for model: VersionedModel
  ) {
    self.unreadable = unreadable
    self.groups = groups
    let orders = groups.map { MappingOrder($0, in: model) }
    found = groups.flatMap { $0 }
    mappings = orders.flatMap(\.ordered)
    needs = orders.flatMap(\.needs)
  }

  /// What is said of mapping models that run in another order than that of their names.
  package var orderNotes: [String] {
    needs.map { "\($0); list the files one by one for another order" }
  }

  /// - Throws: `MappingFileError` for a file that doesn't fit the versions it names.
  package func checkNamedVersions() throws {
    for mapping in mappings {
      if case .outdated(_, _, let error) = mapping.place { throw error }
    }
  }

  /// - Parameters:
  ///   - versions: Those that matter; nil for all of the model.
  ///   - passesOverUnnamed: Whether a broken file that names no versions, and may be for any, isn't minded.
  /// - Throws: `MappingFileError` for a file that was passed over although it names versions that matter.
  package func checkUnreadable(
    for model: VersionedModel, among versions: [ManagedObjectModel]? = nil,
    passesOverUnnamed: Bool = true
  ) throws {
    let names = Set((versions ?? model.versions).compactMap(\.name))
    for file in unreadable {
      if XcodeMappingFile.namedModels(in: file.url) == nil {
        // What isn't there as a whole is for no step.
        if passesOverUnnamed || file.error.isAbsence { continue }
        throw file.error
      }
      guard let named = file.versions(of: model) else { continue }
      if [named.source, named.destination].allSatisfy(names.contains) { throw file.error }
    }
  }

  /// What the files lead from and to, by the versions that they name.
  package var steps: [(source: String, destination: String, file: String)] {
    found.compactMap { mapping in
      mapping.namedVersions.map {
        ($0.source.name ?? "", $0.destination.name ?? "", mapping.file.url.lastPathComponent)
      }
    }
  }

  /// The same files for the same model, whose versions are in another order now.
  package func reordered(for model: VersionedModel) -> MappingFolder {
    var folder = MappingFolder(groups, unreadable: unreadable, for: model)
    folder.elsewhere = elsewhere
    return folder
  }

  // MARK: Steps

  /// The files that run in a step, in their order; all that fit where it can't be told which would.
  package func running(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, takingOne: Bool = false
  ) -> [PlacedMapping] {
    let offered = takingOne ? candidatesAsFound : candidates
    let fitting = offered.fitting(source: source, destination: destination)
    var step = MigrationStep(from: source, to: destination, mappings: fitting)
    step.takesOneMapping = takingOne
    // Whoever runs the step is told why it can't be.
    return files(of: fitting.isEmpty ? [] : (try? step.chooseMapping())?.mappings ?? fitting)
  }

  private func files(of candidates: [MappingCandidate]) -> [PlacedMapping] {
    mappings.filter { mapping in
      candidates.contains { $0.model === mapping.candidate?.model }
    }
  }

  // MARK: Files

  private static func files(in folder: URL) throws -> [URL] {
    if MappingFile.pathExtensions.contains(folder.pathExtension) { return [folder] }
    if case .missing = FileKind(of: folder) {
      throw Diagnostics(file: folder.relativePath, "there is no such file or folder")
    }
    let files: [URL]
    do {
      files = try FolderSearch(folder).files(withExtensions: MappingFile.pathExtensions)
    } catch {
      throw Diagnostics(file: folder.relativePath, "can't read the folder: \(error.plainText)")
    }
    if files.isEmpty {
      throw Diagnostics(
        file: folder.relativePath, "there is no .xcmappingmodel or .cdm in this folder")
    }
    return sorted(files)
  }

  /// The files of a folder in the order in which they run, without those that Xcode's own were compiled to.
  private static func sorted(_ files: [URL]) -> [URL] {
    let sources = Set(files.filter { $0.pathExtension != "cdm" }.map(\.baseName))
    return files.filter { $0.pathExtension != "cdm" || !sources.contains($0.baseName) }
      .sorted {
        $0.baseName.compare($1.baseName, options: .numeric) == .orderedAscending
      }
  }
}

extension PlacedMapping {
  /// Whether a file that lies anywhere is for this model rather than for another one of the same name.
  fileprivate func belongs(to model: VersionedModel) -> Bool {
    guard case .source(let source) = file, let hint = source.sourceModelHint else { return true }
    let folder = hint.modelFolder(from: file.url) ?? model.url
    return folder.resolvingSymlinksInPath().path == model.url.resolvingSymlinksInPath().path
  }
}

extension [MappingCandidate] {
  /// The classes of the policies that the mapping models name, each once.
  package var policyClasses: [String] {
    Set(flatMap(\.model.entityMappings).compactMap(\.entityMigrationPolicyClassName)).sorted()
  }
}
