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
  /// Whether nothing says which version is current, so that it is the one that Xcode takes then.
  public internal(set) var currentVersionIsAssumed = false
  /// Versions that can't be read, by name, and why.
  public internal(set) var unreadableVersions: [String: ModelFileError] = [:]
  /// The names of versions that nobody asked for, and that weren't read.
  package internal(set) var unreadVersionNames: [String] = []
  /// What was passed over in the files.
  public let notes: [ModelFileNote]
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
  ///   - hops: What mapping files lead from and to, with the files' names.
  ///   - given: Names of versions in the order that a person gave.
  public func ordered(
    byHops hops: [(source: String, destination: String, file: String)] = [], given: [String] = []
  ) -> VersionedModel {
    // The versions of merged models were brought together one by one, each model's in its order.
    if isMerged && given.isEmpty { return self }
    let byName = versions.sorted { XcodeModel.precedes($0.name ?? "", $1.name ?? "") }
    // That Xcode would take a version for the current one says nothing about its age.
    let (models, order) = VersionSorter.order(
      of: byName, modelName: name, current: currentVersionIsAssumed ? nil : currentVersionName,
      hops: hops, given: given)
    var ordered = VersionedModel(
      name: name, url: url, versions: models, currentVersionName: currentVersionName, notes: notes,
      currentVersionProblem: currentVersionProblem, order: order)
    ordered.currentVersionIsAssumed = currentVersionIsAssumed
    ordered.unreadableVersions = unreadableVersions
    ordered.unreadVersionNames = unreadVersionNames
    return ordered
  }

  public func version(named name: String) -> ManagedObjectModel? {
    versions.first { $0.name == name }
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
