/// A property of an entity: an attribute, a relationship or a fetched property.
///
/// Changeable until its entity becomes part of a model; setting anything after that is a
/// programmer's mistake and traps, as in Core Data.
/// Sendable unchecked: frozen before a model is used, and changed by one thread until then.
open class PropertyDescription: NSObject, NSCopying, @unchecked Sendable {
  public var name: String { willSet { requireMutable() } }
  /// Whether the property may be nil (or empty, for a to-many relationship). True unless set, as
  /// in Core Data.
  public var isOptional = true { willSet { requireMutable() } }
  /// A transient property is never stored and takes no part in the version hash.
  public var isTransient = false { willSet { requireMutable() } }
  /// Any text; makes an otherwise equal property differ in its version hash.
  public var versionHashModifier: String? { willSet { requireMutable() } }
  /// Core Data: observed in public tests: an app may change it at any time, and a fetched property's predicate sees it.
  public var userInfo: [String: String] = [:]
  /// Whether Spotlight indexes the value. Stores take no notice.
  public var isIndexedBySpotlight = false { willSet { requireMutable() } }
  /// Whether the value is also kept in an external record. Stores take no notice.
  public var isStoredInExternalRecord = false { willSet { requireMutable() } }
  /// The explicit renaming identifier; nil when the property goes by its own name.
  public var explicitRenamingIdentifier: String? { willSet { requireMutable() } }

  /// The entity that declares the property.
  public internal(set) unowned var entity: EntityDescription!
  /// Position of the value in a row of the entity, or of any of its subentities. Set by the model.
  public internal(set) final var slot = -1

  /// A copy that belongs to no entity.
  open func copy(with zone: NSZone? = nil) -> Any { unattachedCopy() }

  /// Properties are equal by their content, whatever entities they belong to.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? PropertyDescription else { return false }
    return other === self
      || (other.name == name && type(of: other) == type(of: self) && hasContent(of: other))
  }

  open override var hash: Int { name.hashValue }

  public init(name: String) { self.name = name }

  /// What the property was called before: its renaming identifier, else its name.
  public var renamingIdentifier: String {
    get { explicitRenamingIdentifier ?? name }
    set { explicitRenamingIdentifier = newValue }
  }

  /// Whether a model uses this property, so that it can't be changed any more.
  public internal(set) final var isFrozen = false

  /// The entity that is being built with this property.
  weak var entityBeingBuilt: EntityDescription?

  /// A property to be described in code; it needs a name before its model is used.
  public override convenience init() { self.init(name: "") }

  func requireMutable() {
    precondition(!isFrozen, "Can't modify an immutable model: property '\(name)' is in use")
    entityBeingBuilt?.requireMutable()
  }

  /// Makes the property unchangeable, for a model uses it now.
  func freeze() { isFrozen = true }

  open override var description: String { name }

  /// The name; of a composite's element with those of the composites that it is in, as in `address.city`.
  package final var dottedName: String { (self as? AttributeDescription)?.path ?? name }
}
