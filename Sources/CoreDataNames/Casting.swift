// Casts that Apple's systems make and that can't be made elsewhere: an app's `as?` and `as!` to some
// types are compiled as these operators. They bind as `as?` does.

infix operator <~? : CastingPrecedence
infix operator <~! : CastingPrecedence

// MARK: - Errors

/// `error as? CocoaError`: Core Data's errors are CocoaErrors, the engine's only when converted.
public func <~? (error: (any Error)?, type: CocoaError.Type) -> CocoaError? {
  guard let error else { return nil }
  let converted = error as NSError
  return converted.domain == NSCocoaErrorDomain ? CocoaError(_nsError: converted) : nil
}

public func <~! (error: (any Error)?, type: CocoaError.Type) -> CocoaError {
  guard let cocoa = error <~? type else {
    fatalError("Could not cast value of type '\(Swift.type(of: error))' to 'CocoaError'.")
  }
  return cocoa
}

/// `error as? NSError`, which every error is on Apple's systems.
public func <~? (error: (any Error)?, type: NSError.Type) -> NSError? {
  error.map { $0 as NSError }
}
public func <~! (error: (any Error)?, type: NSError.Type) -> NSError { error! as NSError }
/// Something that may be an error.
@_disfavoredOverload
public func <~? (any: Any?, type: NSError.Type) -> NSError? {
  (any as? any Error).map { $0 as NSError }
}
@_disfavoredOverload
public func <~? (any: Any?, type: CocoaError.Type) -> CocoaError? { (any as? any Error) <~? type }
@_disfavoredOverload
public func <~! (any: Any?, type: NSError.Type) -> NSError { (any as! any Error) as NSError }

/// `catch CocoaError.validationMissingMandatoryProperty`.
public func ~= (code: CocoaError.Code, error: any Error) -> Bool {
  let error = error as NSError
  return error.domain == NSCocoaErrorDomain && error.code == code.rawValue
}

// MARK: - Fetch requests

/// `request as! NSFetchRequest<Song>`. In Objective-C a request isn't of its results' type; here it is.
public func <~! <A, B>(request: FetchRequest<A>, type: FetchRequest<B>.Type) -> FetchRequest<B> {
  retyped(request)
}

public func <~? <A, B>(request: FetchRequest<A>?, type: FetchRequest<B>.Type) -> FetchRequest<B>? {
  request.map { $0 <~! type }
}

/// Something that may be a request, such as a copy of one.
@_disfavoredOverload
public func <~? <B>(any: Any?, type: FetchRequest<B>.Type) -> FetchRequest<B>? {
  (any as? UntypedFetchRequest).map { retyped($0) }
}

@_disfavoredOverload
public func <~! <B>(any: Any?, type: FetchRequest<B>.Type) -> FetchRequest<B> {
  retyped(any as! UntypedFetchRequest)
}

/// In Objective-C this cast isn't checked.
public func unsafeBitCast<A, B>(
  _ request: FetchRequest<A>, to type: FetchRequest<B>.Type
) -> FetchRequest<B> {
  retyped(request)
}

/// The request itself, or one of other results that shares all that is asked: what the results are, Swift takes from
/// the request.
private func retyped<B>(_ request: UntypedFetchRequest) -> FetchRequest<B> {
  request as? FetchRequest<B> ?? request.sharing(B.self)
}

/// Requests that one cast made of another are one on a device.
public func === (one: UntypedFetchRequest?, other: UntypedFetchRequest?) -> Bool {
  one?.isSame(as: other) ?? (other == nil)
}

public func !== (one: UntypedFetchRequest?, other: UntypedFetchRequest?) -> Bool {
  !(one === other)
}

// MARK: - Sets

/// `value as? Set<Song>`: Foundation's own cast gives an empty set for a set that stands for a
/// relationship.
public func <~? <Member>(value: Any?, type: Set<Member>.Type) -> Set<Member>? {
  guard let set = value as? NSSet else { return value as? Set<Member> }
  return NSSet(array: set.allObjects) as Any as? Set<Member>
}

public func <~! <Member>(value: Any?, type: Set<Member>.Type) -> Set<Member> {
  value <~? type ?? (value as! Set<Member>)
}

extension Set where Element: NSObject {
  /// What `tags.map(Set<Tag>.init)` of an `NSSet` calls on a device.
  public init(_immutableCocoaSet set: NSSet) {
    let members = set <~! Set<Element>.self
    self = members
  }
}

/// `value as? NSMutableSet`, which the value of a to-many relationship is.
public func <~? (value: Any?, type: NSMutableSet.Type) -> NSMutableSet? {
  if let set = value as? NSMutableSet { return set }
  return (value as? NSSet).flatMap { GivenSets.writable($0) }
}

public func <~! (value: Any?, type: NSMutableSet.Type) -> NSMutableSet {
  value <~? type ?? (value as! NSMutableSet)
}

// MARK: - Numbers

/// `value as? CGFloat`, which every `NSNumber` is on Apple's systems.
public func <~? (value: Any?, type: CGFloat.Type) -> CGFloat? {
  guard let value, Swift.type(of: value) is AnyClass else { return value as? CGFloat }
  return (value as? NSNumber).map { CGFloat($0.doubleValue) }
}

public func <~! (value: Any?, type: CGFloat.Type) -> CGFloat {
  value <~? type ?? (value as! CGFloat)
}
