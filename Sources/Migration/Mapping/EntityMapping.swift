/// How instances of one entity of the source model become instances of one entity of the
/// destination model.
open class EntityMapping: NSObject {
  /// The name, by which expressions and policies refer to the mapping; unique in its model. Unless
  /// set it is `Source->Destination`, as Core Data's header says.
  open var name: String! {
    get { explicitName ?? defaultName }
    set { explicitName = newValue }
  }
  private var explicitName: String?

  open var mappingType: EntityMappingType = .undefinedEntityMappingType
  open var sourceEntityName: String?
  /// The version hash the source entity must have for the mapping to fit a model.
  open var sourceEntityVersionHash: Data?
  open var destinationEntityName: String?
  /// The version hash the destination entity must have for the mapping to fit a model.
  open var destinationEntityVersionHash: Data?
  /// What gives the source instances; nil for all instances of the source entity itself, those of
  /// its subentities left out.
  open var sourceExpression: Expression?
  /// One for each attribute that gets a value, in the order in which they are evaluated.
  open var attributeMappings: [PropertyMapping]?
  /// One for each relationship that gets a value, in the order in which they are evaluated.
  open var relationshipMappings: [PropertyMapping]?
  /// The policy's class, as `Module.Class`; nil for Core Data's own policy.
  open var entityMigrationPolicyClassName: String?
  /// Constants for a policy that serves several mappings.
  open var userInfo: [AnyHashable: Any]?

  public override init() { super.init() }

  private var defaultName: String {
    [sourceEntityName, destinationEntityName].compactMap { $0 }.joined(separator: "->")
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EntityMapping else { return false }
    return other === self
      || (other.name == name && other.mappingType == mappingType
        && other.sourceEntityName == sourceEntityName
        && other.sourceEntityVersionHash == sourceEntityVersionHash
        && other.destinationEntityName == destinationEntityName
        && other.destinationEntityVersionHash == destinationEntityVersionHash
        && other.sourceExpression == sourceExpression
        && other.attributeMappings ?? [] == attributeMappings ?? []
        && other.relationshipMappings ?? [] == relationshipMappings ?? []
        && other.entityMigrationPolicyClassName == entityMigrationPolicyClassName
        && other.userInfo.isSame(as: userInfo))
  }

  open override var hash: Int { name.hashValue }

  open override var description: String { "\(name ?? "?") (\(mappingType))" }
}

extension [AnyHashable: Any]? {
  /// Whether both hold the same, none being the same as an empty one.
  func isSame(as other: Self) -> Bool {
    NSDictionary(dictionary: self ?? [:]).isEqual(to: other ?? [:])
  }
}

extension EntityMapping {
  public func attributeMapping(named name: String) -> PropertyMapping? {
    attributeMappings?.first { $0.name == name }
  }

  public func relationshipMapping(named name: String) -> PropertyMapping? {
    relationshipMappings?.first { $0.name == name }
  }

  /// Whether the mapping reads source instances in the first pass.
  var fetchesSource: Bool {
    switch mappingType {
    case .addEntityMappingType, .removeEntityMappingType: false
    default: sourceEntityName != nil
    }
  }
}

// MARK: - As an expression's variable

extension EntityMapping: KeyValueCoding {
  public func typedValue(forKey key: String) throws -> Value {
    switch key {
    case "name": Value(name)
    case "mappingType": .integer(Int64(mappingType.rawValue))
    case "sourceEntityName": Value(sourceEntityName)
    case "sourceEntityVersionHash": Value(sourceEntityVersionHash)
    case "destinationEntityName": Value(destinationEntityName)
    case "destinationEntityVersionHash": Value(destinationEntityVersionHash)
    case "attributeMappings": Value(attributeMappings)
    case "relationshipMappings": Value(relationshipMappings)
    case "sourceExpression": Value(sourceExpression)
    case "entityMigrationPolicyClassName": Value(entityMigrationPolicyClassName)
    case "userInfo": Value(userInfo)
    default: throw CoreDataError.undefinedKey(key, of: "NSEntityMapping")
    }
  }
}
