// Between the engine's typed values and Foundation's objects, as key-value coding shows them.
//
// Numbers are boxed as `NSNumber`, so that `as? Int`, `as? Int16`, `as? Bool` and `as? Double` all
// work on them as on a device. Strings, dates, data, UUIDs and URLs cast both ways on Linux, so
// Swift's own types serve.

extension Value {
  /// The value as `value(forKey:)` gives it for an attribute of `type`; nil for `.null`.
  public func boxed(as type: AttributeType) -> Any? {
    switch self {
    case .integer(let value) where type == .boolean: NSNumber(value: value != 0)
    case .integer(let value) where type == .integer16:
      NSNumber(value: Int16(truncatingIfNeeded: value))
    case .integer(let value) where type == .integer32:
      NSNumber(value: Int32(truncatingIfNeeded: value))
    case .double(let value) where type == .float:
      Self.wholeNumber(value) ?? NSNumber(value: Float(value))
    case .double(let value) where type == .double: Self.wholeNumber(value) ?? boxed
    default: boxed
    }
  }

  /// The value as an argument of a method: see ``boxed``.
  package var boxedArgument: Any? {
    if case .double(let value) = self { return Self.wholeNumber(value) ?? boxed }
    return boxed
  }

  /// A number without fraction as one whose text is that of a device: `5`, where Foundation here has
  /// `5.0`. Nil for any other.
  private static func wholeNumber(_ value: Double) -> NSNumber? {
    guard value.magnitude < 1e15, let whole = Int64(exactly: value)
    else { return nil }
    return NSNumber(value: whole)
  }

  /// The value as a Foundation object, by its own case; nil for `.null`.
  public var boxed: Any? {
    switch self {
    case .null: nil
    case .integer(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .date(let value): value
    case .string(let value): value
    case .data(let value): value
    case .uuid(let value): value
    case .uri(let value): value
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case .transformable(let value): value.object
    case .object(let value): (value as? CompositeValue)?.dictionary ?? value
    case .collection(let collection): collection.boxed
    }
  }

  /// The value of nil, or of something whose type is one that an attribute of `type` takes as it is; nil
  /// for anything else, which ``init(_:for:)`` may take all the same.
  package static func exactly(_ any: Any?, of type: AttributeType) -> Value? {
    guard let any else { return .null }
    guard let value = exactValue(any) else { return nil }
    switch (type, value) {
    case (.string, .string), (.date, .date), (.binaryData, .data), (.double, .double),
      (.integer64, .integer):
      return value
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)):
      return type.wholeNumbers?.contains(number) == true ? value : nil
    default: return nil
    }
  }

  /// The value of any object, by the object's own type. Objects that the engine has no case for
  /// become `.object` when they are of a class, else `.transformable`.
  public init(_ any: Any?) {
    guard let any else {
      self = .null
      return
    }
    self = exactValue(any) ?? Self.converted(any)
  }

  private static func converted(_ any: Any) -> Value {
    if type(of: any) is AnyClass {
      return (any as? NSObject).flatMap(foundation) ?? collection(any) ?? .object(any as AnyObject)
    }
    if let optional = any as? any OptionalValue { return Value(optional.wrapped) }
    if let value = any as? any BinaryInteger { return .integer(Int64(truncatingIfNeeded: value)) }
    return collection(any) ?? .transformable(TransformableValue(object: any))
  }

  /// The value of one of Foundation's objects; nil for anything else.
  private static func foundation(_ object: NSObject) -> Value? {
    switch object {
    case let value as NSDecimalNumber: .decimal(value.decimalValue)
    case let value as NSNumber: number(value)
    case let value as NSString: .string(value as String)
    case let value as NSDate: .date(value as Date)
    case let value as NSData: .data(value as Data)
    case let value as NSUUID: .uuid(value as UUID)
    case let value as NSURL: .uri(value as URL)
    case is NSNull: .null
    default: nil
    }
  }

  private static func number(_ number: NSNumber) -> Value {
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "f"), UInt8(ascii: "d"): .double(number.doubleValue)
    default: .integer(number.int64Value)
    }
  }

  private static func collection(_ any: Any) -> Value? {
    switch any {
    case let value as NSOrderedSet: .collection(.init(.orderedSet, value.array.map { Value($0) }))
    case let value as NSSet: .collection(.init(.set, value.allObjects.map { Value($0) }))
    case let value as [Any]: .collection(.init(.array, value.map { Value($0) }))
    case let value as Set<AnyHashable>: .collection(.init(.set, value.map { Value($0.base) }))
    default: nil
    }
  }
}

/// The value of one of Swift's own types, found by comparing types; nil for anything else.
///
/// A migration policy sets every value through here. A cast that fails takes microseconds, since it looks for a
/// bridge between the types; one that succeeds takes twice as long as this.
/// - Parameter any: What is in an `Any`, which the call opens (SE-0352).
private func exactValue<T>(_ any: T) -> Value? {
  if T.self == String.self { return .string(unsafeBitCast(any, to: String.self)) }
  if T.self == Int.self { return .integer(Int64(unsafeBitCast(any, to: Int.self))) }
  if T.self == Bool.self { return .integer(unsafeBitCast(any, to: Bool.self) ? 1 : 0) }
  if T.self == Double.self { return .double(unsafeBitCast(any, to: Double.self)) }
  if T.self == Date.self { return .date(unsafeBitCast(any, to: Date.self)) }
  if T.self == Data.self { return .data(unsafeBitCast(any, to: Data.self)) }
  if T.self == UUID.self { return .uuid(unsafeBitCast(any, to: UUID.self)) }
  if T.self == URL.self { return .uri(unsafeBitCast(any, to: URL.self)) }
  if T.self == Decimal.self { return .decimal(unsafeBitCast(any, to: Decimal.self)) }
  if T.self == Int64.self { return .integer(unsafeBitCast(any, to: Int64.self)) }
  if T.self == Int32.self { return .integer(Int64(unsafeBitCast(any, to: Int32.self))) }
  if T.self == Int16.self { return .integer(Int64(unsafeBitCast(any, to: Int16.self))) }
  if T.self == CGFloat.self { return .double(Double(unsafeBitCast(any, to: CGFloat.self))) }
  if T.self == Float.self { return .double(Double(unsafeBitCast(any, to: Float.self))) }
  if T.self == Value.self { return unsafeBitCast(any, to: Value.self) }
  // What generic code puts into an `Any` may be one already, such as the result of a method of type `Any?`.
  if T.self == Any.self { return exactValue(unsafeBitCast(any, to: Any.self)) }
  return nil
}

/// An optional of any type, as it may be inside an `Any`.
private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { self }
}

extension ValueCollection {
  /// The collection as `NSArray`, `NSSet` or `NSOrderedSet` of boxed values; nil members are
  /// `NSNull`.
  var boxed: Any {
    let members = elements.map { $0.boxed ?? NSNull() }
    return switch kind {
    case .array: NSArray(array: members)
    case .set: NSSet(array: members)
    case .orderedSet: NSOrderedSet(array: members)
    }
  }
}

// MARK: - Setting an attribute

extension Value {
  /// What `setValue(_:forKey:)` stores for an attribute: `any` as the attribute's type, or an
  /// exception's text when it is of another.
  ///
  /// As strict as Core Data: a number is accepted for every numeric type and Boolean, a string for
  /// String only.
  public init(_ any: Any?, for attribute: AttributeDescription) throws {
    if attribute.attributeType == .composite {
      self = try attribute.compositeValue(any)
      return
    }
    let value: Value
    if attribute.attributeType == .transformable {
      value = Self.transformable(any, attribute.valueTransformerName)
    } else {
      value = Value(any)
    }
    guard let fitting = value.coerced(to: attribute.attributeType) else {
      throw CoreDataError.unacceptable(any, for: attribute)
    }
    self = fitting
  }

  /// Calls `body` with what is given for an attribute, or for each element of a composite one.
  package func forEachLeaf(
    of attribute: AttributeDescription, _ body: (Value, AttributeDescription) throws -> Void
  ) rethrows {
    guard attribute.attributeType == .composite else { return try body(self, attribute) }
    let given = composite?.dictionary ?? boxed as? [String: Any] ?? [:]
    for element in attribute.elements {
      try Value(given[element.name]).forEachLeaf(of: element, body)
    }
  }

  /// Whether it is a number that an attribute doesn't take when it is set: every number but an `NSDecimalNumber`
  /// is an `NSNumber`, which a Decimal attribute refuses.
  package func isPlainNumber(forDecimal attribute: AttributeDescription) -> Bool {
    switch self {
    case .integer, .double: attribute.attributeType == .decimal
    default: false
    }
  }

  /// Whether it is a number that an attribute takes, and hasn't as it is: a fraction as a whole one, or one too large.
  package func isUnfit(for attribute: AttributeDescription) -> Bool {
    switch (self, attribute.attributeType) {
    case (.double, .integer16), (.double, .integer32), (.double, .integer64), (.double, .boolean),
      (.decimal, .integer16), (.decimal, .integer32), (.decimal, .integer64), (.decimal, .boolean):
      !isSameNumber(as: attribute.attributeType)
    case (.double(let number), .float): number.isFinite && Float(number).isInfinite
    case (.integer(let number), let type): type.wholeNumbers?.contains(number) == false
    default: false
    }
  }

  /// Whether a number is still one as another type, and as large. A fraction may lose digits; a whole number often is
  /// an identifier, and must keep them all.
  package func isSameNumber(as type: AttributeType) -> Bool {
    switch (self, coerced(to: type)) {
    case (_, .integer(let whole)?):
      doubleValue == Double(whole) && type.wholeNumbers?.contains(whole) == true
    case (_, .double(let number)?): isKept(in: type == .float ? Double(Float(number)) : number)
    case (_, .decimal(let number)?): number.isZero == (doubleValue == 0)
    case (_, let other): other != nil
    }
  }

  private func isKept(in number: Double) -> Bool {
    guard let whole = truncatedInteger, Double(whole) == doubleValue else { return number.isFinite }
    return Int64(exactly: number) == whole
  }

  /// What isn't a value already is kept as the object it is.
  private static func transformable(_ any: Any?, _ transformerName: String?) -> Value {
    guard let any = any.flatMap({ unwrapped($0) }) else { return .null }
    if let value = any as? Value { return value }
    return .transformable(TransformableValue(object: any, transformerName: transformerName))
  }

  /// Takes optionals inside `Any` apart, and `NSNull` for nil.
  package static func unwrapped(_ any: Any) -> Any? {
    if type(of: any) is AnyClass { return any is NSNull ? nil : any }
    guard let optional = any as? any OptionalValue else { return any }
    return optional.wrapped.flatMap { unwrapped($0) }
  }

  /// The value in the form that slots of `type` have; nil when it is of another type.
  public func coerced(to type: AttributeType) -> Value? {
    switch (type, self) {
    case (_, .null): return .null
    case (.undefined, _), (.objectID, _), (.composite, _): return self
    case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer): return self
    case (.boolean, .integer(let value)): return .integer(value == 0 ? 0 : 1)
    case (.integer16, _), (.integer32, _), (.integer64, _), (.boolean, _):
      return truncatedInteger.map { .integer($0) }
    case (.double, .double), (.float, .double): return self
    case (.double, _): return doubleValue.map { .double($0) }
    case (.float, _): return doubleValue.map { .double(Double(Float($0))) }
    case (.decimal, .decimal): return self
    case (.decimal, _): return decimalValue.map { .decimal($0) }
    case (.string, .string), (.date, .date), (.binaryData, .data), (.uuid, .uuid), (.uri, .uri),
      (.transformable, .transformable):
      return self
    case (.transformable, .data(let data)):
      return .transformable(TransformableValue(archived: data))
    case (.transformable, _):
      return boxed.map { .transformable(TransformableValue(object: $0)) }
    default: return nil
    }
  }

  /// The number as a Double; nil when this is no number.
  public var doubleValue: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
    default: nil
    }
  }

  /// The number as a Decimal; nil when this is no number, or one that a Decimal can't hold.
  public var decimalValue: Decimal? {
    switch self {
    case .integer(let value): Decimal(value)
    case .double(let value): Decimal(ifFitting: value)
    case .decimal(let value): value
    default: nil
    }
  }

  /// The number without its fraction, as C converts it; nil when this is no number or too large.
  var truncatedInteger: Int64? {
    switch self {
    case .integer(let value): value
    case .double(let value): Int64(exactly: value.rounded(.towardZero))
    case .decimal(let value): NSDecimalNumber(decimal: value).int64Value
    default: nil
    }
  }
}

extension Decimal {
  /// The number; nil for infinities and numbers beyond a Decimal's range, on which `Decimal(_:)`
  /// would stop the process. Numbers too small for it are zero.
  public init?(ifFitting number: Double) {
    guard number.isNaN || number.magnitude < 1e127 else { return nil }
    self.init(number.magnitude < 1e-110 ? 0 : number)
  }
}
