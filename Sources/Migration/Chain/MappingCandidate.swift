/// A mapping model with a name for reports.
public struct MappingCandidate {
  public var name: String
  public var model: MappingModel
  /// The versions it was made for, where a file says so.
  public var versions: (source: ManagedObjectModel, destination: ManagedObjectModel)?

  public init(
    name: String, model: MappingModel,
    versions: (source: ManagedObjectModel, destination: ManagedObjectModel)? = nil
  ) {
    self.name = name
    self.model = model
    self.versions = versions
  }
}

extension MappingCandidate {
  /// Whether a file says that the mapping was made for these versions, even if it doesn't fit them any
  /// more, which reports should say.
  func isMade(for source: ManagedObjectModel, _ destination: ManagedObjectModel) -> Bool {
    guard let versions else { return false }
    return versions.source.isSameVersion(as: source)
      && versions.destination.isSameVersion(as: destination)
  }

  /// Whether the mapping is for a step: it was made for it, or has its version hashes. One that maps nothing has
  /// those of all.
  func fits(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) -> Bool {
    model.fits(source: source, destination: destination)
      && (!model.entityMappings.isEmpty || isMade(for: source, destination))
  }

  /// Whether the mapping is for a step, or was when it was made.
  func concerns(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) -> Bool {
    isMade(for: source, destination) || fits(source, destination)
  }

  /// The first entities that both mapping models make objects of, from the same source.
  fileprivate func commonEntities(with other: MappingCandidate) -> MappedEntities? {
    model.mappedEntities.intersection(other.model.mappedEntities).min { $0.text < $1.text }
  }
}

extension ManagedObjectModel {
  /// Whether a store can't tell the models apart, or they are one version and a part of it.
  fileprivate func isSameVersion(as other: ManagedObjectModel) -> Bool {
    self === other || (name != nil && name == other.name)
      || entityVersionHashesByName == other.entityVersionHashesByName
  }
}

/// What an entity mapping leads from and to.
private struct MappedEntities: Hashable {
  /// Nil where objects are made of nothing.
  let source: String?
  let destination: String

  var text: String { source.map { "\($0) to \(destination)" } ?? destination }
}

extension MappingModel {
  /// All that decides what becomes of objects; equal for mapping models that do the same.
  fileprivate var content: [String] {
    (entityMappings ?? []).map { mapping in
      let values = [mapping.attributeMappings, mapping.relationshipMappings].map { properties in
        properties?.map { "\($0.name ?? "") = \($0.valueExpression?.expressionFormat ?? "nil")" }
          .sorted()
      }
      return "\(mapping.name ?? "") \(mapping.mappingType) \(mapping.sourceEntityName ?? "") "
        + "\(mapping.destinationEntityName ?? "") \(mapping.entityMigrationPolicyClassName ?? "") "
        + "\(mapping.sourceExpression?.expressionFormat ?? "") \((mapping.userInfo ?? [:]).map { "\($0)" }.sorted()) \(values)"
    }
  }

  fileprivate var mappedEntities: Set<MappedEntities> {
    Set(
      (entityMappings ?? []).compactMap { mapping in
        mapping.destinationEntityName.map {
          MappedEntities(source: mapping.sourceEntityName, destination: $0)
        }
      })
  }
}

extension [MappingCandidate] {
  /// Those that fit two versions.
  package func fitting(
    source: ManagedObjectModel, destination: ManagedObjectModel
  ) -> [MappingCandidate] {
    filter { $0.fits(source, destination) }
  }

  /// Those that run, of candidates that fit a step: what was made for it comes before what only has its
  /// hashes, and of several that do the same the first will do.
  ///
  // Core Data: assumed. It looks mapping models up by the hashes of the entities that they mention, and
  // takes one; which of several isn't documented.
  func running(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(MappingOverlap) -> [MappingCandidate] {
    let made = filter { $0.isMade(for: source, destination) }
    let preferred = filter { candidate in
      if made.isEmpty || candidate.isMade(for: source, destination) { return true }
      // A compiled one doesn't say what it was made for.
      return candidate.versions == nil
        && made.allSatisfy { $0.commonEntities(with: candidate) == nil }
    }
    var contents: Set<[String]> = []
    let running = preferred.filter { contents.insert($0.model.content).inserted }
    try running.checkOverlap()
    return running
  }

  /// Several mapping models serve one step only where each covers other entities; all else would be
  /// carried over twice.
  private func checkOverlap() throws(MappingOverlap) {
    for (index, first) in enumerated() {
      for second in self[(index + 1)...] {
        guard let common = first.commonEntities(with: second) else { continue }
        throw MappingOverlap(first: first.name, second: second.name, entities: common.text)
      }
    }
  }
}

/// Two mapping models that would do the same in one step.
struct MappingOverlap: Error, CustomStringConvertible {
  let first: String
  let second: String
  let entities: String

  var description: String {
    "'\(first)' and '\(second)' both map \(entities) in this step: Core Data uses one mapping model, and "
      + "it isn't known which"
  }

  static let advice =
    "Give only the one that the app has. Several run together where each covers different entities."
}
