/// From one version to another.
public struct Hop: Hashable, Sendable, CustomStringConvertible {
  public var source: String
  public var destination: String

  public init(source: String, destination: String) {
    self.source = source
    self.destination = destination
  }

  public var description: String { "\(source) -> \(destination)" }
}

/// One step of the chain: a hop and the mapping models offered for it.
public struct ChainStep: Sendable {
  public var hop: Located<Hop>
  public var mappings: [MappingSource] = []
  /// The versions the mappings were built for, when that isn't the hop itself: a mapping that
  /// somebody made before the model was edited once more.
  public var madeFor: Located<Hop>?
  /// Hands the mappings to the migration manager without asking whether they fit.
  public var isDirect = false
  /// Whether a mapping may be inferred when none of the given ones fits.
  public var infersMapping = true
  /// Whether the store may be migrated at all when it is opened.
  public var migratesAutomatically = true
  /// Whether a migration manager runs the step even when its mapping was inferred.
  public var isManaged = false
  /// Whether mapping files beside the model are offered for the step, as the app's bundle has them.
  public var usesFilesBesideModel = true
  /// The stages of a staged migration; nil for any other.
  public var stages: StagesNotation?
}

/// A mapping model, written in the scenario or in a file.
public enum MappingSource: Sendable {
  case inline([EntityMappingNotation], place: SourcePlace)
  case file(Located<String>)
}

/// An entity mapping as a scenario writes it.
public struct EntityMappingNotation: Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    case custom, add, remove, copy, transform
  }
  /// The expressions of a group of properties.
  public enum Group: Sendable {
    /// No property mapping at all.
    case none
    /// Those written; the rest is filled from properties of the same name.
    case filled([ExpressionNotation])
  }

  public var name: Located<String>
  public var source: Located<String>?
  public var destination: Located<String>?
  public var kind: Kind?
  public var policy: Located<String>?
  /// Which source objects; all without it.
  public var predicate: Located<String>?
  /// The whole source expression, instead of a predicate.
  public var sourceExpression: Located<String>?
  public var attributes = Group.filled([])
  public var relationships = Group.filled([])
  public var userInfo: [String: String] = [:]
}

/// A destination property and its value expression; nil leaves the property alone.
public struct ExpressionNotation: Sendable {
  public var property: Located<String>
  public var expression: Located<String>?
}
