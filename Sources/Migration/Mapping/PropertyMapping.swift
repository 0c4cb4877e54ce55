/// How one property of a destination instance gets its value.
open class PropertyMapping: NSObject {
  /// The name of the property in the destination entity.
  open var name: String?
  /// What gives the value; nil leaves the property as it is: at its default, or empty.
  open var valueExpression: Expression?
  open var userInfo: [AnyHashable: Any]?
  /// Why the expression in the mapping model's file can't be read; whoever evaluates it gets the error.
  package var unreadable: MappingFileError?

  public override init() { super.init() }

  public init(name: String, valueExpression: Expression? = nil) {
    self.name = name
    self.valueExpression = valueExpression
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? PropertyMapping else { return false }
    return other === self
      || (other.name == name && other.valueExpression == valueExpression
        && other.userInfo.isSame(as: userInfo))
  }

  open override var hash: Int { name.hashValue }

  open override var description: String {
    "\(name ?? "?"): \(valueExpression?.description ?? "nil")"
  }
}

// MARK: - As an expression's variable

extension PropertyMapping: KeyValueCoding {
  public func typedValue(forKey key: String) throws -> Value {
    switch key {
    case "name": Value(name)
    case "valueExpression": Value(valueExpression)
    case "userInfo": Value(userInfo)
    default: throw CoreDataError.undefinedKey(key, of: "NSPropertyMapping")
    }
  }
}
