/// A set of entities that belong together: one version of an app's data model.
///
/// Immutable once in use. Using it resolves names to entities, hands out slots, and freezes every
/// description in it. A model made by ``init(entities:name:versionIdentifiers:configurations:fetchRequestTemplates:)``
/// is in use at once; one that is built in code (see ``init()``) when it is first used.
/// Sendable unchecked: frozen before it is used, and changed by one thread until then.
public final class ManagedObjectModel: NSObject, @unchecked Sendable {
  /// The entities in store order (see ``EntityDescription/storeIndex``).
  public internal(set) var entities: [EntityDescription]
  public internal(set) var entitiesByName: [String: EntityDescription]
  /// The identifier a person typed; a hint only, never compared. `[""]` when left empty in Xcode.
  public internal(set) var versionIdentifiers: [String]
  /// Named subsets of the entities.
  public internal(set) var configurations: [String: [String]]
  public internal(set) var fetchRequestTemplates: [String: FetchRequestTemplate]
  /// The version's name: the model folder's name without suffix, or what a scenario calls it.
  public let name: String?
  /// Whether it is one of the merges of several models of which only some have versions. Core Data doesn't find
  /// such a model by itself when a store of it is to be migrated.
  package var isPartlyVersionedMerge = false
  /// The names of the entities that the model's file says are used with CloudKit: a list for each configuration that
  /// it marks, and one of all for the file itself. No form of a compiled model is known that says it.
  package internal(set) var entitiesUsedWithCloudKit: [[String]] = []
  /// Whether the model can't be changed any more.
  public internal(set) var isInUse = true
  /// Whether something was changed since the entities were linked; never in a model in use.
  package internal(set) var needsLinking = false
  /// Computed once for a model in use; see `entityVersionHashesByName`.
  let versionHashesStorage = Computed<[String: Data]>()
  /// The content of `Z_MODELCACHE`, for a model in use: see ``ModelArchive``.
  let archiveStorage = Computed<Data>()

  /// - Throws: ``ModelError`` when names clash or lead nowhere.
  public init(
    entities: [EntityDescription], name: String? = nil, versionIdentifiers: [String] = [],
    configurations: [String: [String]] = [:],
    fetchRequestTemplates: [String: FetchRequestTemplate] = [:]
  ) throws {
    var linker = ModelLinker(entities: entities)
    self.entities = try linker.link()
    self.entitiesByName = linker.byName
    self.name = name
    self.versionIdentifiers = versionIdentifiers
    self.configurations = configurations
    self.fetchRequestTemplates = fetchRequestTemplates
    super.init()
    adoptEntities()
    freezeEntities()
  }

  /// A model to be built in code: without entities, and changeable until it is used.
  public convenience override init() { self.init(buildingOn: [], name: nil) }

  /// A model that may be changed until it is used.
  package init(buildingOn entities: [EntityDescription], name: String?) {
    self.entities = entities
    entitiesByName = [:]
    self.name = name
    versionIdentifiers = []
    configurations = [:]
    fetchRequestTemplates = [:]
    isInUse = false
    needsLinking = true
    super.init()
    for entity in entities { entity.modelBeingBuilt = self }
  }

  public func entity(named name: String) -> EntityDescription? {
    entitiesByName[name]
  }

  /// Models are equal by their content; see ``hasContent(of:)``.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ManagedObjectModel else { return false }
    return other === self || hasContent(of: other)
  }

  public override var hash: Int {
    linkIfPossible()
    return Set(entitiesByName.keys).hashValue
  }

  public override var description: String { name ?? "model of \(entities.count) entities" }
}

/// A model that contradicts itself.
public struct ModelError: Error, Hashable, Sendable {
  /// What is wrong. Match on this, never on the text.
  public enum Kind: Hashable, Sendable {
    case duplicateEntity
    case duplicateProperty(String)
    case propertyOfTwoEntities(String)
    case entityInUseByAnotherModel
    case entityWithoutName
    case unknownSuperentity(String)
    case cyclicInheritance([String])
    /// An entity with more ancestors than ``ModelLinker/mostAncestors``.
    case tooManyAncestors
    /// Models that were to be merged have different entities of one name.
    case differentEntities(models: [String])
    case unknownDestination(relationship: String, destination: String)
    case unknownInverse(relationship: String, destination: String, inverse: String)
  }
  public var kind: Kind
  /// The entity it is about.
  public var entity: String

  public init(kind: Kind, entity: String) {
    self.kind = kind
    self.entity = entity
  }
}

// MARK: - Wording

extension ModelError: CustomStringConvertible {
  public var description: String {
    switch kind {
    case .duplicateEntity:
      "two entities are named '\(entity)'; rename one of them"
    case .duplicateProperty(let property):
      "entity '\(entity)' has two properties named '\(property)', declared or inherited"
    case .propertyOfTwoEntities(let property):
      "property '\(property)' of entity '\(entity)' belongs to another entity, too; each needs its own"
    case .entityInUseByAnotherModel:
      "entity '\(entity)' already belongs to another model; each model needs its own descriptions"
    case .entityWithoutName:
      "an entity has no name; set it before the model is used"
    case .unknownSuperentity(let parent):
      "entity '\(entity)' has the parent '\(parent)', which the model doesn't have"
    case .differentEntities(let models):
      "can't merge models with two different entities named '\(entity)'"
        + (models.isEmpty ? "" : ": those of \(models.joined(separator: " and "))")
    case .cyclicInheritance(let names):
      "entity '\(entity)' is its own ancestor: \(names.joined(separator: " -> "))"
    case .tooManyAncestors:
      "entity '\(entity)' inherits from more than \(ModelLinker.mostAncestors) entities"
    case .unknownDestination(let relationship, let destination):
      "relationship '\(entity).\(relationship)' leads to the entity '\(destination)', "
        + "which the model doesn't have"
    case .unknownInverse(let relationship, let destination, let inverse):
      "relationship '\(entity).\(relationship)' names the inverse '\(inverse)', "
        + "but '\(destination)' has no such relationship"
    }
  }
}

extension [EntityDescription] {
  /// The names of root entities that would have one table, since SQLite doesn't tell cases apart; each group sorted.
  /// A root entity's table is that of its subentities, too.
  package var rootsOfOneTable: [[String]] {
    let roots = filter { $0.superentityName == nil }.map(\.name)
    return Dictionary(grouping: roots) { $0.uppercased() }.values.filter { $0.count > 1 }
      .map { $0.sorted() }.sorted { $0[0] < $1[0] }
  }
}

/// What is said of root entities that would have one table.
package enum SharedTable {
  package static func problem(_ names: [String]) -> String {
    "'\(names[1])' and '\(names[0])' differ only in case, so they would have one table"
  }

  package static let advice = "rename one of them"
}
