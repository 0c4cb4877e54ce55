// A model as Apple's header has it: it may be built and changed until it is used.

extension ManagedObjectModel {
  /// The model in a file or folder; of several versions the current one.
  ///
  /// Takes a compiled `.momd` or `.mom` as on a device, and Xcode's own `.xcdatamodeld` or
  /// `.xcdatamodel`, since outside Xcode nobody compiles models. All versions beside it become
  /// known to stores that are migrated when they are opened.
  /// - Returns: nil, after a line to standard error, when there is none or it can't be read.
  public convenience init?(contentsOf url: URL) {
    do {
      let loaded = try ModelLibrary.shared.model(at: url)
      self.init(copying: loaded)
      ObjectClasses.note(self)
    } catch {
      NSLog("CoreData: Failed to load model at %@: %@", url.path, "\(error)")
      return nil
    }
  }

  /// A model with the entities of several; nil when two have different entities of one name.
  public convenience init?(byMerging models: [ManagedObjectModel]) {
    guard let merged = Self.merged(models) else { return nil }
    self.init(copying: merged)
  }

  /// The model with just the entities, and their versions, that a store has.
  public convenience init?(
    byMerging models: [ManagedObjectModel], forStoreMetadata metadata: [String: Any]
  ) {
    guard let found = MigrationLibrary(models: models).model(forStoreMetadata: metadata) else {
      return nil
    }
    self.init(copying: found)
  }

  /// The current versions of all models in some bundles, as one model; nil for the main bundle and
  /// all that are loaded. Models of which two have different entities of one name raise.
  public class func mergedModel(from bundles: [Bundle]?) -> ManagedObjectModel? {
    let models = ModelLibrary.shared.currentModels(in: bundles)
    let current = models.isEmpty ? nil : merged(models).map { ManagedObjectModel(copying: $0) }
    if let current { ObjectClasses.note(current) }
    return current
  }

  private static func merged(_ models: [ManagedObjectModel]) -> ManagedObjectModel? {
    for model in models { model.linkIfPossible() }
    do { return try ManagedObjectModel(byMerging: models, name: nil) } catch {
      ExceptionTrap.raise(error)
      return nil
    }
  }
}

extension ManagedObjectModel {
  /// The version checksums of a model's versions, by their names.
  /// - Throws: `CoreDataError` for a model that isn't there or can't be read.
  public class func checksumsForVersionedModel(at modelURL: URL) throws -> [String: String] {
    let versions = try ModelLibrary.shared.versions(at: modelURL)
    return Dictionary(versions.map { ($0.name ?? "", $0.versionChecksum) }) { first, _ in first }
  }
}

// MARK: - Fetch request templates

extension ManagedObjectModel {
  /// Keeps a request under a name; nil removes the one that is there.
  public func setFetchRequestTemplate(
    _ fetchRequestTemplate: FetchRequest<any FetchRequestResult>?, forName name: String
  ) {
    setFetchRequestTemplate(
      fetchRequestTemplate.flatMap { FetchRequestTemplate($0, name: name) }, named: name)
  }
}

extension FetchRequestTemplate {
  /// Nil for a request without entity.
  fileprivate init?(_ request: FetchRequest<any FetchRequestResult>, name: String) {
    guard let entityName = request.entityName ?? request.entity?.name else { return nil }
    self.init(request, named: name)
    self.entityName = entityName
  }
}

// MARK: - Entities and configurations

extension ManagedObjectModel {
  public var entities: [EntityDescription] {
    get { self.ObjectModel::entities }
    set { replaceEntities(by: newValue) }
  }

  public var entitiesByName: [String: EntityDescription] {
    linkIfPossible()
    return self.ObjectModel::entitiesByName
  }

  /// The names of the configurations.
  public var configurations: [String] { self.ObjectModel::configurations.keys.sorted() }

  public func setEntities(
    _ entities: [EntityDescription], forConfigurationName configuration: String
  ) {
    setConfiguration(configuration, entityNames: entities.compactMap(\.name))
  }

  /// Identifiers of the version, hints only; never compared.
  public var versionIdentifiers: Set<AnyHashable> {
    get { Set(self.ObjectModel::versionIdentifiers) }
    set { setVersionIdentifiers(newValue.map { "\($0)" }.sorted()) }
  }

  public var localizationDictionary: [String: String]? {
    get { nil }
    set { _ = newValue }
  }
}
