// What expressions see of an entity, as `$source.entity.name`.

extension EntityDescription: KeyValueCoding {
  public func typedValue(forKey key: String) throws -> Value {
    switch key {
    case "name": .string(name)
    case "managedObjectClassName": Value(managedObjectClassName ?? "NSManagedObject")
    case "isAbstract", "abstract": .integer(isAbstract ? 1 : 0)
    case "superentity": superentity.map { .object($0) } ?? .null
    case "renamingIdentifier": Value(explicitRenamingIdentifier ?? name)
    case "userInfo": Value(userInfo)
    case "self": .object(self)
    default: throw undefinedKey(key, of: "NSEntityDescription")
    }
  }
}

/// What a predicate sees of a property, as of `$FETCHED_PROPERTY`.
extension PropertyDescription: KeyValueCoding {
  public func typedValue(forKey key: String) throws -> Value {
    switch key {
    case "name": .string(name)
    case "entity": .object(entity)
    case "isOptional", "optional": .integer(isOptional ? 1 : 0)
    case "isTransient", "transient": .integer(isTransient ? 1 : 0)
    case "renamingIdentifier": Value(explicitRenamingIdentifier ?? name)
    case "userInfo": Value(userInfo)
    case "self": .object(self)
    default: throw undefinedKey(key, of: "NSPropertyDescription")
    }
  }
}

private func undefinedKey(_ key: String, of type: String) -> PredicateEvaluationError {
  PredicateEvaluationError(
    .undefinedKey,
    "[<\(type)> valueForUndefinedKey:]: this class is not key value coding-compliant for the key "
      + "\(key).")
}
