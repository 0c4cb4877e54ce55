/// The versions at both ends of a step: from one to another.
package struct StepEnds: Hashable, Sendable, LosslessStringConvertible {
  package var source: String
  package var destination: String

  package init(source: String, destination: String) {
    self.source = source
    self.destination = destination
  }

  /// The ends with this description: no version's name has an arrow in it.
  package init?(_ description: String) {
    let versions = description.components(separatedBy: " -> ")
    guard versions.count == 2 else { return nil }
    self.init(source: versions[0], destination: versions[1])
  }

  package var description: String { "\(source) -> \(destination)" }
}

/// One step of the chain: the versions at its ends, and the mapping models offered for it.
package struct ChainStep: Sendable {
  package var ends: Located<StepEnds>
  /// Whether it stands for one step to each version on the way, as `v1 -> … -> v9`.
  package var isSpan = false
  package var mappings: [MappingSource] = []
  /// The versions the mappings were built for, when those aren't the step's own: a mapping that
  /// somebody made before the model was edited once more.
  package var madeFor: Located<StepEnds>?
  /// Hands the mappings to the migration manager without asking whether they fit.
  package var isDirect = false
  /// Whether a mapping may be inferred when none of the given ones fits.
  package var infersMapping = true
  /// Whether the store may be migrated at all when it is opened.
  package var migratesAutomatically = true
  /// The app's own migration manager, which runs the step even when its mapping was inferred.
  package var manager: ManagerNotation?
  /// Whether the step says so itself, rather than the scenario or the project file.
  var saysManager = false
  /// Whether mapping files beside the model are offered for the step, as the app's bundle has them.
  package var usesFilesBesideModel = true
  /// How the second pass visits the objects.
  package var secondPass = SecondPass.once
  /// Where that is written.
  package var secondPassPlace: SourcePlace?
  /// The stages of a staged migration; nil for any other.
  package var stages: StagesNotation?
}

extension ChainStep {
  /// Whether both are one step of a chain, wherever a run takes it up.
  func isSameStep(as other: ChainStep) -> Bool {
    (ends.place.line, ends.place.column, ends.value.destination)
      == (other.ends.place.line, other.ends.place.column, other.ends.value.destination)
  }
}

/// A mapping model, written in the scenario or in a file.
package enum MappingSource: Sendable {
  case inline(InlineMapping)
  case file(Located<String>)

  /// The file's path; nil for what is written in the scenario.
  var file: Located<String>? { if case .file(let path) = self { path } else { nil } }
}

/// A mapping model that is written in the scenario.
package struct InlineMapping: Sendable {
  package let place: SourcePlace
  package let entityMappings: [EntityMappingNotation]
  /// Whether all entities that no mapping is written for get one of the same name, as Xcode fills it.
  package let copiesRest: Bool
}

/// An entity mapping as a scenario writes it.
package struct EntityMappingNotation: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case custom, add, remove, copy, transform
  }
  /// The expressions of a group of properties.
  package enum Group: Sendable {
    /// No property mapping at all.
    case none
    /// Those written; the rest is filled from properties of the same name.
    case filled([ExpressionNotation])
  }

  package var name: Located<String>
  package var source: Located<String>?
  package var destination: Located<String>?
  package var kind: Kind?
  /// Where the kind is written.
  package var kindPlace: SourcePlace?
  package var policy: Located<String>?
  /// Which source objects; all without it.
  package var predicate: Located<String>?
  /// The whole source expression, instead of a predicate.
  package var sourceExpression: Located<String>?
  package var attributes = Group.filled([])
  package var relationships = Group.filled([])
  package var userInfo: [String: String] = [:]
}

/// A destination property and its value expression; nil leaves the property alone.
package struct ExpressionNotation: Sendable {
  package var property: Located<String>
  package var expression: Located<String>?
}
