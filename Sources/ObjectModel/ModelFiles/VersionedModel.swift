/// An app's data model with all its versions, as `App.xcdatamodeld` or `App.momd` holds them.
public struct VersionedModel: Sendable {
  /// The folder's name without suffix.
  public let name: String
  public let url: URL
  /// The versions, each with its ``ManagedObjectModel/name``, oldest first.
  public let versions: [ManagedObjectModel]
  /// How it is known which version is older.
  public let order: VersionOrder
  /// Name of the version that new stores get; nil when the model doesn't say, and has several.
  public let currentVersionName: String?
  /// Whether nothing says which version is current, so that it is the newest.
  public package(set) var currentVersionIsAssumed = false
  /// Versions that can't be read, by name, and why.
  public package(set) var unreadableVersions: [String: ModelFileError] = [:]
  /// The names of versions that nobody asked for, and that weren't read.
  package internal(set) var unreadVersionNames: [String] = []
  /// What was passed over in the files.
  public package(set) var notes: [ModelFileNote]
  /// Why the model says nothing usable about its current version, though it should.
  public let currentVersionProblem: ModelFileError?

  public init(
    name: String, url: URL, versions: [ManagedObjectModel], currentVersionName: String?,
    notes: [ModelFileNote] = [], currentVersionProblem: ModelFileError? = nil,
    order: VersionOrder? = nil
  ) {
    self.name = name
    self.url = url
    self.versions = versions
    self.currentVersionName = currentVersionName
    self.notes = notes
    self.currentVersionProblem = currentVersionProblem
    self.order = order ?? VersionOrder(asGiven: versions.map { $0.name ?? "" })
  }

  /// The model with its versions in the order that all evidence comes to.
  /// - Parameters:
  ///   - steps: What mapping files lead from and to, with the files' names.
  ///   - given: Names of versions in the order that a person gave.
  ///   - current: The version that a person says is the current one, where the model's file doesn't say it.
  public func ordered(
    bySteps steps: [(source: String, destination: String, file: String)] = [], given: [String] = [],
    current: String? = nil
  ) -> VersionedModel {
    // The versions of merged models were brought together one by one, each model's in its order.
    if isMerged && given.isEmpty { return self }
    let said = current.flatMap { version(named: $0)?.name }
    let isAssumed = currentVersionIsAssumed && said == nil
    let currentName = said ?? currentVersionName
    let byName = versions.sorted { XcodeModel.precedes($0.name ?? "", $1.name ?? "") }
    // Where nothing says which is current, that is for the order to tell.
    let (models, order) = VersionSorter.order(
      of: byName, modelName: name, current: isAssumed ? nil : currentName,
      steps: steps, given: given)
    var ordered = VersionedModel(
      name: name, url: url, versions: models,
      currentVersionName: isAssumed ? models.last?.name : currentName,
      notes: said == nil ? notes : notes.filter { !$0.isOnCurrentVersion },
      currentVersionProblem: said == nil ? currentVersionProblem : nil, order: order)
    ordered.currentVersionIsAssumed = isAssumed
    ordered.unreadableVersions = unreadableVersions
    ordered.unreadVersionNames = unreadVersionNames
    return ordered
  }

  public func version(named name: String) -> ManagedObjectModel? {
    versions.first { $0.name == name }
  }

  /// The files `contents` of the versions that Xcode edits, by version; none of a model in another form, or of several.
  package var contentsFiles: [(version: String, file: URL)] {
    versions.compactMap { version in
      let folder =
        url.pathExtension == "xcdatamodel"
        ? url : url.appending(path: "\(version.name ?? "").xcdatamodel")
      let file = folder.appending(path: "contents")
      return file.exists ? (version.name ?? "", file) : nil
    }
  }

  /// Whether the model was made of several, whose own names are parts of its name.
  package var isMerged: Bool { name.contains(" + ") }

  public var currentVersion: ManagedObjectModel? { currentVersionName.flatMap(version(named:)) }

  /// The versions that a store with this metadata was written with, by version hashes; several when
  /// versions are equal to Core Data.
  public func versions(
    compatibleWithStoreMetadata metadata: [String: Any]
  ) -> [ManagedObjectModel] {
    versions.filter {
      $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }
  }
}

// MARK: - Loading

extension VersionedModel {
  package static let pathExtensions = XcodeModel.pathExtensions.union(["momd", "mom"])

  /// Loads a model in any form that an app team has it in: an `.xcdatamodeld` or `.xcdatamodel` of
  /// Xcode's; a compiled `.momd` or `.mom`; or a folder, such as an app bundle, with any of these in
  /// it, however deep. Several models in a folder are merged, as `mergedModel(from:)` does.
  ///
  /// - Throws: ``ModelFileError`` with the file, and with line and column where it is text.
  /// - Complexity: O(*n*) in the size of all versions' files.
  public static func load(contentsOf url: URL) throws -> VersionedModel {
    try load(contentsOf: url, reading: VersionReader())
  }

  /// Loads a model as ``load(contentsOf:)`` does, in a way of one's own: only some of its versions, or
  /// those that were read before. A version that can't be read is missing among those of the result.
  package static func load(
    contentsOf url: URL, reading reader: VersionReader
  ) throws -> VersionedModel {
    let url = url.standardizedFileURL
    guard url.exists else { throw ModelFileError(.noSuchFile, file: url.path) }
    switch url.pathExtension {
    case "xcdatamodeld", "xcdatamodel": return try XcodeModel.load(contentsOf: url, reading: reader)
    case "momd": return try CompiledModel.loadVersions(in: url, reading: reader)
    case "mom": return try CompiledModel.loadSingleVersion(url)
    default:
      guard url.isFolder else { throw ModelFileError(.notAModel, file: url.path) }
      return try ModelFolder(url: url).load()
    }
  }

  /// Loads all that a store may have been written with: of a folder with several models each for
  /// itself, and all merged where they can be; of any other path the one model.
  /// - Throws: As ``load(contentsOf:)``.
  public static func loadCandidates(contentsOf url: URL) throws -> [VersionedModel] {
    let url = url.standardizedFileURL
    guard url.isFolder, !pathExtensions.contains(url.pathExtension) else {
      return [try load(contentsOf: url)]
    }
    let models = try ModelFolder(url: url).loadEach()
    // Models that don't fit together are still models, each by itself.
    let merged = models.count > 1 ? try? VersionedModel(merging: models, at: url) : nil
    return models + (merged.map { [$0] } ?? [])
  }

  /// The version that new stores get.
  /// - Throws: ``ModelFileError`` when the model doesn't say, or names one that isn't there.
  public func requiredCurrentVersion() throws -> ManagedObjectModel {
    if let currentVersion { return currentVersion }
    throw currentVersionProblem ?? ModelFileError(.noCurrentVersion, file: url.path)
  }
}

// MARK: - Merging

extension VersionedModel {
  /// One model out of several that an app uses together, as `mergedModel(from:)` makes it.
  ///
  /// Nothing records which versions of different models belong together. The current ones do; from
  /// there the models are taken to have moved in step, one version of each at a time, and a model
  /// that has no more versions stays at its last. A model that doesn't say which version is current
  /// counts as being at its newest.
  /// - Throws: ``ModelFileError`` when two models have different entities of one name.
  init(merging models: [VersionedModel], at url: URL) throws {
    let currents = models.map { $0.indexOfCurrentVersion ?? $0.versions.count - 1 }
    let offsets = zip(models, currents).map { (-$1)...($0.versions.count - 1 - $1) }
    let first = offsets.map(\.lowerBound).min() ?? 0
    let last = offsets.map(\.upperBound).max() ?? 0
    let versions = try (first...last).map { offset in
      try Self.merge(
        zip(models, currents).map { model, current in
          model.versions[min(max(current + offset, 0), model.versions.count - 1)]
        }, at: url)
    }
    let isPartlyVersioned = models.map(\.versions.count).arePartlyVersions
    for version in versions { version.isPartlyVersionedMerge = isPartlyVersioned }
    let names = versions.map { $0.name ?? "" }
    let order = VersionOrder(
      names, evidence: names.dropFirst().map { _ in .inStep },
      contradictions: models.flatMap(\.order.contradictions),
      unknown: models.allSatisfy(\.order.unknown.isEmpty) ? [] : [names])
    let isAssumed = models.contains(where: \.currentVersionIsAssumed)
    let allSay = models.allSatisfy { $0.currentVersion != nil }
    self.init(
      name: models.map(\.name).joined(separator: " + "), url: url, versions: versions,
      currentVersionName: allSay ? versions[-first].name : nil, notes: models.flatMap(\.notes),
      currentVersionProblem: models.lazy.compactMap(\.currentVersionProblem).first, order: order)
    currentVersionIsAssumed = isAssumed
  }

  private var indexOfCurrentVersion: Int? {
    versions.firstIndex { $0.name == currentVersionName }
  }

  private static func merge(
    _ versions: [ManagedObjectModel], at url: URL
  ) throws -> ManagedObjectModel {
    do {
      return try ManagedObjectModel(
        byMerging: versions, name: versions.compactMap(\.name).joined(separator: " + "))
    } catch let contradiction as ModelError {
      throw ModelFileError(.contradiction(contradiction), file: url.path)
    }
  }
}

extension [Int] {
  /// Whether, of models with so many versions, some have several and others don't.
  // Core Data: observed in a public report: error 134130 where a store was written by a merge of several models,
  // and only one of them has an old version in the bundle.
  package var arePartlyVersions: Bool { contains(1) && contains { $0 > 1 } }
}
