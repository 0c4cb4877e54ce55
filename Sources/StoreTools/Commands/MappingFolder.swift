/// The mapping models in folders, each made for the two versions that its file names, or for those
/// that have its hashes.
struct MappingFolder {
  /// In the order in which those for one step run.
  let mappings: [PlacedMapping]
  /// Why that isn't the order of names.
  let needs: [MappingNeed]
  /// In the order in which they were found: that of names, for those of a folder.
  private let found: [PlacedMapping]
  /// Files in folders that can't be read or aren't there as a whole.
  private let unreadable: [UnreadableFile]
  /// Those of each place that was given.
  private let groups: [[PlacedMapping]]

  /// Without arguments, of no folder.
  init() { (mappings, needs, found, unreadable, groups) = ([], [], [], [], []) }

  private struct UnreadableFile {
    let url: URL
    let error: MappingFileError
  }

  /// Why files in folders are passed over.
  var passedOver: [String] { unreadable.map(\.error.note) }

  /// What is said of files that are passed over.
  var passedOverNotes: [String] { passedOver.map { "mapping file ignored: \($0)" } }

  /// The mapping models that steps may use.
  var candidates: [MappingCandidate] { mappings.compactMap(\.candidate) }

  /// The mapping models that steps may use, as Core Data would come upon them. Of several that fit it
  /// takes the first.
  var candidatesAsFound: [MappingCandidate] { found.compactMap(\.candidate) }

  /// Reads every `.xcmappingmodel` and `.cdm` in a folder and the folders in it, or the one that
  /// `folder` itself is. Of a mapping model that is there in both forms, the one that Xcode edits
  /// counts.
  ///
  /// - Throws: As the initializer for several places.
  init(contentsOf folder: URL, for model: VersionedModel) throws {
    try self.init(contentsOf: [folder], for: model)
  }

  /// Reads mapping models given one by one, or in folders.
  ///
  /// Files for the same step run in the order in which they are given. Those of a folder run in
  /// numeric order of names, without those given before, but for one that needs what another makes:
  /// see ``MappingOrder``.
  /// - Throws: ``Diagnostics`` when a folder can't be read or holds no mapping model;
  ///   `MappingFileError` for a file that is broken.
  init(contentsOf places: [URL], for model: VersionedModel) throws {
    try self.init(
      places.map { ($0, try Self.files(in: $0)) }, for: model, isGiven: true)
  }

  /// Reads the mapping models beside a model, as the app's bundle has them. Those for other models
  /// aren't meant.
  /// - Throws: ``Diagnostics`` when the folder can't be read.
  init(beside model: VersionedModel) throws {
    let home = ModelHome(ofModelAt: model.url)
    let files = Self.sorted(try home.mappingFiles())
    try self.init(files.isEmpty ? [] : [(home.folder, files)], for: model, isGiven: false)
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
          let mapping = PlacedMapping(try MappingFile.load(contentsOf: file), in: model)
          if case .elsewhere = mapping.place, !isGiven { return nil }
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
  var orderNotes: [String] {
    needs.map { "\($0); list the files one by one for another order" }
  }

  /// - Throws: `MappingFileError` for a file that doesn't fit the versions it names.
  func checkNamedVersions() throws {
    for mapping in mappings {
      if case .outdated(_, _, let error) = mapping.place { throw error }
    }
  }

  /// - Parameters:
  ///   - versions: Those that matter; nil for all of the model.
  ///   - passesOverUnnamed: Whether a broken file that names no versions, and may be for any, isn't minded.
  /// - Throws: `MappingFileError` for a file that was passed over although it names versions that matter.
  func checkUnreadable(
    for model: VersionedModel, among versions: [ManagedObjectModel]? = nil,
    passesOverUnnamed: Bool = true
  ) throws {
    let names = Set((versions ?? model.versions).compactMap(\.name))
    for file in unreadable {
      guard let named = XcodeMappingFile.namedModels(in: file.url) else {
        // What isn't there as a whole is for no step.
        if passesOverUnnamed || file.error.isAbsence { continue }
        throw file.error
      }
      let areOfModel = [named.source, named.destination].allSatisfy {
        ($0.modelName == nil || $0.modelName == model.url.baseName)
          && names.contains($0.versionName)
      }
      if areOfModel { throw file.error }
    }
  }

  /// What the files lead from and to, by the versions that they name.
  var steps: [(source: String, destination: String, file: String)] {
    found.compactMap { mapping in
      mapping.namedVersions.map {
        ($0.source.shownName, $0.destination.shownName, mapping.file.url.lastPathComponent)
      }
    }
  }

  /// The same files for the same model, whose versions are in another order now.
  func reordered(for model: VersionedModel) -> MappingFolder {
    MappingFolder(groups, unreadable: unreadable, for: model)
  }

  // MARK: Files

  private static func files(in folder: URL) throws -> [URL] {
    if MappingFile.pathExtensions.contains(folder.pathExtension) { return [folder] }
    if case .missing = FileKind(of: folder) {
      throw Diagnostics([
        Diagnostic(file: folder.relativePath, "there is no such file or folder")
      ])
    }
    let files: [URL]
    do {
      files = try FolderSearch(folder).files(withExtensions: MappingFile.pathExtensions)
    } catch {
      throw Diagnostics([
        Diagnostic(file: folder.relativePath, "can't read the folder: \(error.plainText)")
      ])
    }
    if files.isEmpty {
      throw Diagnostics([
        Diagnostic(file: folder.relativePath, "there is no .xcmappingmodel or .cdm in this folder")
      ])
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
