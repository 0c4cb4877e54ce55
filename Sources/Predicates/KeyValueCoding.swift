/// An object whose properties expressions can read by key, without boxing.
public protocol KeyValueCoding: AnyObject {
  /// The value of one property: an attribute's value, `.object` for a to-one relationship,
  /// `.collection` for a to-many one.
  /// - Throws: `CoreDataError` for a key the object doesn't have.
  func typedValue(forKey key: String) throws -> Value
}

/// An object that `FUNCTION(object, "selector:", …)` can call.
public protocol FunctionTarget: AnyObject {
  /// Calls the method with `selector`, which has one `:` per argument.
  /// - Throws: `CoreDataError` when there is no such method; whatever the method throws.
  func callFunction(selector: String, arguments: [Value]) throws -> Value
}

/// An object that can be the context of `FETCH(request, context, countOnly)`.
public protocol FetchTarget: AnyObject {
  /// The fetched objects as a `.collection`, or their number when `countOnly`.
  func fetchValue(request: Value, countOnly: Bool) throws -> Value
}

/// An object that stands for something with an identity of its own, so that predicates can compare
/// a managed object with an object identifier.
public protocol IdentifiedObject: AnyObject {
  /// The identity: an object with `isEqual(_:)` and `hash`; an identifier's is itself.
  var identity: AnyObject { get }
}
