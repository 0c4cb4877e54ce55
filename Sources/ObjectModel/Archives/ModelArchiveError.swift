/// A keyed archive that holds no model, or a model that can't be read whole.
public struct ModelArchiveError: Error, Hashable, Sendable {
  /// What is wrong. Match on this, never on the text.
  public enum Kind: Hashable, Sendable {
    /// The archive's root is something else; nil when it isn't an object at all.
    case notAModel(className: String?)
    case entityWithoutName(key: String)
    case unknownAttributeType(Int64?, entity: String, attribute: String)
    case relationshipWithoutDestination(entity: String, relationship: String)
    /// A relationship's smallest or largest number of destinations.
    case badCount(Int64, entity: String, relationship: String)
    /// A composite attribute that is a part of itself.
    case endlessComposite(entity: String, attribute: String)
  }
  public var kind: Kind

  init(_ kind: Kind) { self.kind = kind }
}

// MARK: - Wording

extension ModelArchiveError: CustomStringConvertible {
  public var description: String {
    switch kind {
    case .notAModel(let className):
      "the archive holds \(className.map { "an object of class \($0)" } ?? "no object"), not a model"
    case .entityWithoutName(let key):
      "the archived model has an entity without a name, under '\(key)'"
    case .unknownAttributeType(let number, let entity, let attribute):
      "the archived attribute '\(entity).\(attribute)' has the unknown type "
        + (number.map { "\($0)" } ?? "'nil'")
    case .relationshipWithoutDestination(let entity, let relationship):
      "the archived relationship '\(entity).\(relationship)' names no destination entity"
    case .badCount(let number, let entity, let relationship):
      "the archived relationship '\(entity).\(relationship)' has an impossible count, \(number)"
    case .endlessComposite(let entity, let attribute):
      "the archived composite attribute '\(entity).\(attribute)' is a part of itself"
    }
  }
}
