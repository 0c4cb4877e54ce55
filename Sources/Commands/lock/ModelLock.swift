/// A manifest of a model's released versions: what each of them was when it was locked.
///
/// A released version must never change, for stores with its hashes are out there. Hashes alone could
/// say that it did; the shapes of entities are kept too, so that a change can be named.
package struct ModelLock: Codable, Hashable, Sendable {
  /// The format of the file.
  var format = 1
  /// The model's name.
  var model: String
  /// The name of the current version.
  var current: String
  /// The locked versions, in their order.
  var versions: [Version]
  /// Steps between older versions that had no way when they were locked, as `App 1 -> App 2`: what shipped can't
  /// be mended. Nil where there are none.
  var stepsWithoutWay: [String]?
  /// Versions with equal hashes when they were locked: what shipped can't be told apart any more. Nil where there are
  /// none.
  var equalVersions: [[String]]?

  /// Stores that released versions left, by their places; nil where none was given.
  var stores: [Store]?

  private enum CodingKeys: String, CodingKey {
    case format, model, current, versions, equalVersions, stores
    case stepsWithoutWay = "hopsWithoutWay"
  }

  struct Version: Codable, Hashable, Sendable {
    let name: String
    /// The entities by name.
    let entities: [String: Entity]
    /// The renaming identifiers that differ from names, by entity, then by property, and under `""` that of the entity
    /// itself. Nil in a manifest of an earlier heavyweight.
    let renamingIdentifiers: [String: [String: String]]?
    /// The entities of each configuration that has not all. Nil in a manifest of an earlier heavyweight.
    let configurations: [String: [String]]?
    /// The value transformers of Transformable attributes, by entity, then by property. Nil where there is none, and in
    /// a manifest of an earlier heavyweight.
    let valueTransformers: [String: [String: String]]?
  }

  struct Entity: Codable, Hashable, Sendable {
    /// The version hash in Base64.
    let hash: String
    /// What the hash is made of, in words: the entity itself under `""`, and each stored property.
    let shape: [String: String]
  }
}

extension ModelLock {
  /// Locks all versions up to the current one; a newer version isn't released yet.
  /// - Parameter mappings: What steps between older versions may use; one that has no way is noted.
  init(_ model: VersionedModel, mappings: MappingFolder = MappingFolder()) throws {
    let current = try model.requiredCurrentVersion()
    let released = model.versions.prefix { $0 !== current } + [current]
    self.init(
      model: model.name, current: current.shownName, versions: released.map(Version.init),
      stepsWithoutWay: Self.pastStepsWithoutWay(Array(released), mappings))
    let groups = EqualVersions.groups(among: Array(released)).map { $0.map(\.shownName) }
    equalVersions = groups.isEmpty ? nil : groups
  }

  /// The step to the current version is never one: it isn't too late for that.
  private static func pastStepsWithoutWay(
    _ released: [ManagedObjectModel], _ mappings: MappingFolder
  ) -> [String]? {
    let past = zip(released, released.dropFirst()).dropLast()
    let steps = past.map {
      CheckedStep(from: $0, to: $1, mappings: mappings.candidates)
    }
    let names = steps.filter { $0.verdict.error != nil }.map(\.versions.description)
    return names.isEmpty ? nil : names
  }

  func version(named name: String) -> Version? { versions.first { $0.name == name } }
}

extension ModelLock.Version {
  init(_ version: ManagedObjectModel) {
    name = version.shownName
    entities = version.entitiesByName.mapValues(ModelLock.Entity.init)
    renamingIdentifiers = version.entitiesByName.mapValues(\.identifiersOtherThanNames)
      .filter { !$0.value.isEmpty }
    configurations = version.configurations.mapValues { $0.sorted() }
      .filter { $0.value.count < version.entities.count }
    let transformers = version.entitiesByName.mapValues(\.transformerNames)
      .filter { !$0.value.isEmpty }
    valueTransformers = transformers.isEmpty ? nil : transformers
  }
}

extension ModelLock.Version {
  /// Whether a version, whatever its name, is the same to Core Data.
  func hasHashes(of version: ManagedObjectModel) -> Bool {
    entities.mapValues(\.hash)
      == version.entitiesByName.mapValues { $0.versionHash.base64EncodedString() }
  }
}

extension ModelLock.Entity {
  init(_ entity: EntityDescription) {
    hash = entity.versionHash.base64EncodedString()
    shape = EntityShape.words(for: entity)
  }

  /// - Parameter key: A property, an element's path, or `""` for the entity itself.
  func has(_ key: String) -> Bool { shape[key.prefix { $0 != "." }.description] != nil }
}

extension EntityDescription {
  /// Of what it declares and stores, composites' elements included.
  fileprivate var transformerNames: [String: String] {
    let all = ownProperties.filter { !$0.isTransient }.compactMap { $0 as? AttributeDescription }
      .flatMap(\.withElements).filter { $0.attributeType == .transformable }
    return Dictionary(firstOf: all.map { ($0.path, $0.storedTransformerName) })
  }

  /// Of the entity and what it declares and stores, composites' elements included.
  fileprivate var identifiersOtherThanNames: [String: String] {
    var identifiers = renamingIdentifier == name ? [:] : ["": renamingIdentifier]
    for property in ownProperties where !property.isTransient {
      let attributes = (property as? AttributeDescription)?.withElements
      let elements: [PropertyDescription] = attributes ?? [property]
      for element in elements where element.renamingIdentifier != element.name {
        identifiers[element.dottedName] = element.renamingIdentifier
      }
    }
    return identifiers
  }
}

// MARK: - File

extension ModelLock {
  /// The manifest's place unless another is given: beside the model, as `App.xcdatamodeld.lock.json`.
  package static func defaultPlace(forModelAt model: URL) -> URL {
    model.deletingLastPathComponent().appending(path: model.lastPathComponent + ".lock.json")
  }

  /// - Throws: ``Diagnostics`` when the file can't be read or isn't a manifest.
  static func load(contentsOf url: URL, shownAs path: String) throws -> ModelLock {
    let file = try SourceFile(contentsOf: url, shownAs: path)
    do {
      let lock = try JSONDecoder().decode(ModelLock.self, from: Data(file.text.utf8))
      if lock.format == 1 { return lock }
      throw Diagnostics(
        file: path, "the manifest has format \(lock.format); this build reads format 1")
    } catch let error as DecodingError {
      throw Diagnostics(file: path, "not a manifest of a model: \(error.plainReason)")
    }
  }

  /// The manifest as text: the same for the same model, a property in a line.
  func data() throws -> Data {
    try machineReport()
  }
}

extension DecodingError {
  /// What is wrong and where, in a line.
  fileprivate var plainReason: String {
    func at(_ context: Context) -> String {
      let path = context.codingPath.map { key in
        key.intValue.map { "[\($0)]" } ?? key.stringValue
      }
      return path.isEmpty ? "" : " (at \(path.joined(separator: ".")))"
    }
    switch self {
    case .keyNotFound(let key, let context): return "'\(key.stringValue)' is missing\(at(context))"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "a value is of the wrong kind\(at(context))"
    case .dataCorrupted(let context):
      return context.codingPath.isEmpty ? "not valid JSON" : "a value is wrong\(at(context))"
    @unknown default: return "\(self)"
    }
  }
}
