/// A property with a simple value.
/// Sendable unchecked: frozen before a model is used, and changed by one thread until then.
public class AttributeDescription: PropertyDescription, @unchecked Sendable {
  public final var attributeType: AttributeType { willSet { requireMutable() } }
  /// The value a new object starts with, in the form the type calls for.
  public var typedDefaultValue: Value = .null { willSet { requireMutable() } }
  /// The text of the default in the model file, kept for reports.
  public var defaultValueString: String? { willSet { requireMutable() } }
  public var allowsExternalBinaryDataStorage = false { willSet { requireMutable() } }
  public var preservesValueInHistoryOnDeletion = false { willSet { requireMutable() } }
  public var valueTransformerName: String? { willSet { requireMutable() } }
  /// The class of a Transformable's value, as a person wrote it. For display only.
  public var attributeValueClassName: String? { willSet { requireMutable() } }
  /// Whether generated classes have the value as a number; nil where nothing says it, as in compiled models.
  public var usesScalarValueType: Bool? { willSet { requireMutable() } }
  public var isIndexed = false { willSet { requireMutable() } }
  /// Lower bound of a number or date, or of a text's length, inclusive.
  public var minimum: Value = .null { willSet { requireMutable() } }
  /// Upper bound of a number or date, or of a text's length, inclusive.
  public var maximum: Value = .null { willSet { requireMutable() } }
  /// A pattern that a text must match as a whole.
  public var regularExpression: String? { willSet { requireMutable() } }
  /// Further conditions that values must keep, set by code that builds a model. Files have none, and
  /// version hashes and archives leave them out.
  public var validationConditions: [ValidationCondition] = [] { willSet { requireMutable() } }
  /// How the store computes a derived attribute; nil for an ordinary one.
  public var derivationExpression: String? { willSet { requireMutable() } }
  /// Which objects count for a derived attribute: those at the end of its to-many relationship, else
  /// the object itself. Archives have one (`NSFilteringPredicate`), and a scenario's notation; Xcode's
  /// files don't. No part of the version hash.
  public var filterPredicate: String? { willSet { requireMutable() } }
  /// The composite type an attribute of type `.composite` has.
  public var compositeName: String? { willSet { requireMutable() } }
  /// The parts of an attribute of type `.composite`, in the order in which their columns are named;
  /// composite ones have parts again.
  public var elements: [AttributeDescription] = [] { willSet { requireMutable() } }
  /// Whether the value may be encrypted in CloudKit. Stores take no notice.
  public var allowsCloudEncryption = false { willSet { requireMutable() } }
  /// The composite that the attribute is a part of; nil for an attribute of an entity.
  package internal(set) final unowned var composite: AttributeDescription?

  public init(name: String, type: AttributeType) {
    attributeType = type
    super.init(name: name)
  }

  /// An attribute to be described in code.
  public convenience init() { self.init(name: "", type: .undefined) }

  override func freeze() {
    super.freeze()
    for element in elements { element.freeze() }
  }

  public var isDerived: Bool { derivationExpression != nil }

  /// The name of an element with those of the composites it is in: `home.zip`.
  package var path: String { composite.map { "\($0.path).\(name)" } ?? name }

  /// The attribute at the end of a path of elements; itself for no keys.
  public func element<Keys: Collection>(at keys: Keys) -> AttributeDescription?
  where Keys.Element == String {
    guard let key = keys.first else { return self }
    return elements.first { $0.name == key }?.element(at: keys.dropFirst())
  }

  /// Whether the attribute has a column in a store.
  public var isStored: Bool { !isTransient && attributeType != .undefined }
}

// MARK: - Kinds

/// An attribute whose value the store computes, to be described in code. Models that are read have
/// plain attribute descriptions with a derivation expression.
/// Sendable unchecked: frozen before a model is used, and changed by one thread until then.
public final class DerivedAttributeDescription: AttributeDescription, @unchecked Sendable {}

/// An attribute whose value has several parts, to be described in code; its type is set already.
/// Sendable unchecked: frozen before a model is used, and changed by one thread until then.
public final class CompositeAttributeDescription: AttributeDescription, @unchecked Sendable {
  public override init(name: String, type: AttributeType) {
    super.init(name: name, type: .composite)
  }
}
