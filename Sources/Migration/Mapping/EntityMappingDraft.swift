/// An entity mapping as a person describes it, in a scenario or in Xcode's mapping editor; see
/// ``MappingBuilder``.
public struct EntityMappingDraft {
  /// The name a person gave; nil for the editor's own, `SourceToDestination`.
  public var explicitName: String?
  public var sourceEntityName: String?
  public var destinationEntityName: String?
  public var policyClassName: String?
  public var userInfo: [AnyHashable: Any]?
  /// The type a person chose; nil for the one that follows from policy, names and version hashes.
  public var explicitType: EntityMappingType?
  /// Which source instances, as predicate format; nil for all.
  public var sourcePredicate: String?
  /// What gives the source instances, instead of entity and predicate.
  public var sourceExpression: Expression?
  public var attributes = PropertySelection.sameNamed()
  public var relationships = PropertySelection.sameNamed()

  public init(source: String?, destination: String?, name: String? = nil, policy: String? = nil) {
    explicitName = name
    sourceEntityName = source
    destinationEntityName = destination
    policyClassName = policy
  }

  /// A mapping to be edited: a starting point that was inferred, or made in code. It gets the
  /// editor's name and type; its expressions stay.
  public init(editing mapping: EntityMapping) {
    self.init(
      source: mapping.sourceEntityName, destination: mapping.destinationEntityName,
      policy: mapping.entityMigrationPolicyClassName)
    userInfo = mapping.userInfo
    sourceExpression = mapping.sourceExpression
    attributes = .only(Self.sources(of: mapping.attributeMappings))
    relationships = .only(Self.sources(of: mapping.relationshipMappings))
  }

  private static func sources(of mappings: [PropertyMapping]?) -> [String: PropertySource] {
    var sources: [String: PropertySource] = [:]
    for mapping in mappings ?? [] {
      guard let name = mapping.name else { continue }
      sources[name] = mapping.valueExpression.map { .expression($0) } ?? .nothing
    }
    return sources
  }

  /// The name a person gave, else `SourceToDestination`, else the one entity's name.
  public var name: String {
    if let explicitName { return explicitName }
    guard let source = sourceEntityName, let destination = destinationEntityName else {
      return sourceEntityName ?? destinationEntityName ?? ""
    }
    return "\(source)To\(destination)"
  }
}

extension EntityMappingDraft {
  /// Which properties get a mapping.
  public enum PropertySelection {
    /// Those written here, and every other one that the source entity has under the same name, as
    /// Xcode's editor fills them in when a source is chosen.
    case sameNamed(except: [String: PropertySource] = [:])
    /// Those written here and no others.
    case only([String: PropertySource])

    /// No property mappings at all: the policy sets everything.
    public static var none: PropertySelection { .only([:]) }

    /// What is written for single properties.
    public var written: [String: PropertySource] {
      switch self {
      case .sameNamed(let written), .only(let written): written
      }
    }
  }

  /// Where one property's value comes from.
  public enum PropertySource {
    /// A value expression in the format language.
    case text(String)
    case expression(Expression)
    /// The same-named property of the source, if there is one.
    case generated
    /// The destination instances of the objects at a key path from the source object (nil: the
    /// property's name; empty: that object itself), under the mapping with a name (nil: chosen by entity).
    case instances(keyPath: String?, mappingName: String?)
    /// Nothing: the property keeps its default.
    case nothing
    /// An expression in a file that can't be read.
    case unreadable(MappingFileError)
  }
}
