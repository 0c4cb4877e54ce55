// Key-value coding of collections, which Foundation lacks outside Apple's systems: the values of
// all members, in a collection of the same kind.

extension NSSet {
  public func value(forKey key: String) -> Any { values(key) ?? NSSet() }
  public func value(forKeyPath keyPath: String) -> Any? { values(keyPath) }
}

extension NSArray {
  public func value(forKey key: String) -> Any { values(key) ?? NSArray() }
  public func value(forKeyPath keyPath: String) -> Any? { values(keyPath) }
}

extension NSOrderedSet {
  public func value(forKey key: String) -> Any { values(key) ?? NSOrderedSet() }
  public func value(forKeyPath keyPath: String) -> Any? { values(keyPath) }
}

extension NSDictionary {
  public func value(forKeyPath keyPath: String) -> Any? { values(keyPath) }
}

extension NSMutableDictionary {
  /// Sets the value of a key; nil takes it away.
  public func setValue(_ value: Any?, forKey key: String) {
    if let value { setObject(value, forKey: key as NSString) } else { removeObject(forKey: key) }
  }
}

extension NSObject {
  /// The value at the end of a key path, in which `@count`, `@max` and the like may stand. An
  /// unknown key raises.
  fileprivate func values(_ keyPath: String) -> Any? {
    do {
      return try Expression(forKeyPath: keyPath).value(for: Value(self), variables: [:]).boxed
    } catch {
      ExceptionTrap.raise(error)
      return nil
    }
  }
}
