import Synchronization

/// A value inside the engine: what a slot of a row, a constant of a predicate or the result of an
/// expression holds.
///
/// Typed on purpose. `Any` appears only where Apple's API has it, at `value(forKey:)` and
/// `setValue(_:forKey:)`; everything below works on this enumeration, which boxes nothing for
/// numbers, dates and short strings.
///
/// An attribute's type says how a case is to be read: Integer 16, 32, 64 and Boolean are all
/// `.integer`, Double and Float are both `.double`.
/// Sendable unchecked: the objects in it are immutable, or (managed objects) used on their context's
/// queue only.
public enum Value: @unchecked Sendable {
  /// nil.
  case null
  /// An integer of any width, or a Boolean as 0 or 1.
  case integer(Int64)
  /// A Double or Float.
  case double(Double)
  /// A point in time.
  case date(Date)
  /// Text.
  case string(String)
  /// Binary data.
  case data(Data)
  /// A UUID.
  case uuid(UUID)
  /// A URI.
  case uri(URL)
  /// A decimal number.
  indirect case decimal(Decimal)
  /// A value that a value transformer writes; its bytes are carried unopened until somebody asks.
  case transformable(TransformableValue)
  /// A reference: a managed object, an object identifier, or any other object an expression meets.
  case object(AnyObject)
  /// Several values: an array, a set, an ordered set.
  case collection(ValueCollection)
}

/// Several values in one `Value`.
/// Sendable unchecked: nothing in it changes once it is made.
public final class ValueCollection: @unchecked Sendable {
  /// What Foundation would call the collection.
  public enum Kind: Sendable, Hashable {
    case array, set, orderedSet
  }
  public let kind: Kind
  /// The members; in a set, each once and in no promised order.
  public let elements: [Value]

  public init(_ kind: Kind, _ elements: [Value]) {
    self.kind = kind
    self.elements = elements
  }
}

/// The value of a Transformable attribute: the bytes in the store, the object, or both.
///
/// A migration that only carries such a value never decodes it: that is what Core Data's own
/// stores ask for, since their bytes may need an app's transformer.
public final class TransformableValue: @unchecked Sendable {
  private let lock = NSLock()
  private var bytes: Data?
  private var decoded: Any?
  private let wasGiven: Bool
  /// The transformer of the attribute that the object was set for.
  private let transformerName: String?

  /// A value read from a store.
  public init(archived: Data) {
    bytes = archived
    wasGiven = false
    transformerName = nil
  }

  /// A value set by a person, for an attribute with a transformer; archived when a store asks for
  /// bytes: by the transformer, else by `NSKeyedArchiver`.
  public init(object: Any, transformerName: String? = nil) {
    decoded = object
    wasGiven = true
    self.transformerName = transformerName
  }

  /// The object that somebody set; nil for a value read from a store.
  package var givenObject: Any? { lock.withLock { wasGiven ? decoded : nil } }

  /// The bytes a store holds.
  /// - Throws: An archiver's error when the object can't be archived; when the attribute's transformer
  ///   gives no data.
  public func archived() throws -> Data {
    try lock.withLock {
      if let bytes { return bytes }
      let object: Any = decoded ?? Data()
      let data =
        try StoredTransformer(named: transformerName)?.data(of: object)
        ?? KeyedArchiveValue.archived(object)
      bytes = data
      return data
    }
  }

  /// Why a store couldn't keep the object that somebody set, or give it back, by a transformer of an app's;
  /// nil where it can.
  package var failureOfTransformer: CoreDataError? {
    lock.withLock {
      guard wasGiven, let decoded, let transformer = StoredTransformer(named: transformerName)
      else { return nil }
      return transformer.failure(of: decoded)
    }
  }

  /// The object: what was set, or what the bytes unarchive to; the bytes themselves (`Data`) when
  /// they aren't a keyed archive that can be opened here.
  public var object: Any { object(transformerName: nil) }

  /// The object as an attribute with a transformer of an app's own shows it; see ``object``.
  public func object(transformerName: String?) -> Any {
    lock.withLock {
      if let decoded { return decoded }
      let data = bytes ?? Data()
      let transformed = StoredTransformer(named: transformerName)?.object(of: data)
      let object = transformed ?? KeyedArchiveValue.unarchived(data) ?? data
      // Without the attribute nobody knows the transformer: the next may.
      if transformed != nil || transformerName == nil { decoded = object }
      return object
    }
  }
}

/// A transformer of an app's, in the direction in which a store uses it.
private struct StoredTransformer {
  private let transformer: ValueTransformer

  /// Nil for a name that no transformer of an app's has: archives are dealt with without.
  init?(named name: String?) {
    guard let name, !ValueTransformerName.standard.contains(.init(name)),
      let transformer = ValueTransformer.registered(.init(name))
    else { return nil }
    self.transformer = transformer
  }

  /// Transformers that unarchive are used in reverse (Apple's reference of `valueTransformerName`:
  /// any other takes the object and gives the data).
  private var isReversed: Bool {
    transformer is SecureUnarchiveFromDataTransformer || transformer is UnarchiveFromDataTransformer
  }

  func data(of object: Any) throws -> Data {
    let result =
      isReversed
      ? transformer.reverseTransformedValue(object) : transformer.transformedValue(object)
    if let data = result as? Data { return data }
    throw CoreDataError(
      .persistentStoreSave,
      "The value transformer \(type(of: transformer)) gives no Data for an object of class "
        + "\(type(of: object)), but \(result.map { "\(type(of: $0))" } ?? "nil").",
      advice: isReversed
        ? "Compare allowedTopLevelClasses with the object's class."
        : "A transformer of an attribute takes the object in transformedValue(_:) and gives Data.")
  }

  /// Why a store couldn't give the object back. What unarchives is left to `SecureTransformer`.
  // Core Data: nothing says when it finds out. Every reading would fail, or lose the value: an error at once.
  func failure(of object: Any) -> CoreDataError? {
    if isReversed { return nil }
    let data: Data
    do { data = try self.data(of: object) } catch { return error as? CoreDataError }
    guard type(of: transformer).allowsReverseTransformation() else {
      return .noReverseTransformation(of: transformer)
    }
    let result = transformer.reverseTransformedValue(data)
    // An app's own method may be right to give nil; that it can't be run here is possible, too.
    guard transformer.isReversedByDefault.load(ordering: .relaxed),
      result == nil || result is Data && !(object is Data)
    else { return nil }
    return .noReverseTransformation(of: transformer)
  }

  /// Whether it says itself that an object can't be had back from its data.
  var isOneWay: Bool { !isReversed && !type(of: transformer).allowsReverseTransformation() }

  func object(of data: Data) -> Any? {
    isReversed ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
  }
}

extension AttributeDescription {
  /// The names of those value transformers, of the attribute and its elements, that are known here and have no
  /// reverse transformation.
  package var oneWayTransformerNames: [String] {
    if attributeType == .composite { return elements.flatMap(\.oneWayTransformerNames) }
    guard attributeType == .transformable, let name = valueTransformerName,
      StoredTransformer(named: name)?.isOneWay == true
    else { return [] }
    return [name]
  }
}

extension AttributeDescription {
  /// What stands for no name.
  private static let usualTransformer = ValueTransformerName.keyedUnarchiveFromDataTransformerName

  /// The name of the transformer that a store's values are read with.
  package var storedTransformerName: String {
    guard let name = valueTransformerName else { return Self.usualTransformer.rawValue }
    guard let standard = name.firstMatch(of: #/^(NS\w*UnarchiveFromData)Transformer(Name)?$/#)
    else {
      return name
    }
    return String(standard.1)
  }

  /// Whether the attribute's transformer makes an object of what a store holds; nil for one that isn't here.
  package func reads(_ data: Data) -> Bool? {
    let name = ValueTransformerName(storedTransformerName)
    let archive = try? KeyedArchive(data)
    if [Self.usualTransformer, .unarchiveFromDataTransformerName].contains(name) {
      return archive != nil
    }
    guard let transformer = ValueTransformer.registered(name) else { return nil }
    guard let secure = transformer as? SecureUnarchiveFromDataTransformer else {
      return transformer.reverseTransformedValue(data) != nil
    }
    if secure.transformedValue(data) != nil { return true }
    // An app's own class can't be unarchived here.
    guard case .object(let root)? = archive?.root else { return false }
    let names = type(of: secure).allowedTopLevelClasses.map { "\($0)" }
    return root.classNames.contains { names.contains($0.components(separatedBy: ".").last ?? $0) }
  }
}

/// Makes and opens the keyed archives that standard value transformers write.
enum KeyedArchiveValue {
  static func archived(_ object: Any) throws -> Data {
    try PlainArchive.data(of: object)
      ?? CanonicalArchive.data(
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false))
  }

  /// Raises for what can't be archived, as a device does.
  static func archivedOrException(_ object: Any) -> Data? {
    do { return try archived(object) } catch {
      ExceptionTrap.raise(error)
      return nil
    }
  }

  /// The archive's root, or nil when `data` isn't a sound keyed archive of Foundation's own types.
  static func unarchived(_ data: Data) -> Any? {
    // Foundation's reader stops the process on some damaged archives, and complains loudly about
    // classes it doesn't have: only what it can open is given to it.
    // What can't be opened stays as its bytes.
    guard let archive = try? KeyedArchive(data), archive.canBeOpenedByFoundation,
      let unarchiver = try? NSKeyedUnarchiver(forReadingFrom: data)
    else { return nil }
    unarchiver.requiresSecureCoding = false
    unarchiver.decodingFailurePolicy = .setErrorAndReturn
    defer { unarchiver.finishDecoding() }
    return unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
  }
}

// MARK: - Equality

extension Value: Hashable {
  /// Equality of content, type by type: `.integer(1)` isn't `.double(1)`, and strings are equal by
  /// code unit, as in a store. Predicates compare by their own, wider rules.
  public static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)): a == b || (a.isNaN && b.isNaN)
    case (.date(let a), .date(let b)): a == b
    case (.string(let a), .string(let b)): Utf8Text.areEqual(a, b)
    case (.data(let a), .data(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.uri(let a), .uri(let b)): a == b
    case (.decimal(let a), .decimal(let b)): a == b
    case (.transformable(let a), .transformable(let b)): TransformableValue.haveEqualContent(a, b)
    case (.object(let a), .object(let b)): Value.areEqual(a, b)
    case (.collection(let a), .collection(let b)): ValueCollection.haveEqualContent(a, b)
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.isNaN ? .nan : value)
    case .date(let value): hasher.combine(value)
    case .string(let value): Utf8Text.hash(value, into: &hasher)
    case .data(let value): hasher.combine(value)
    case .uuid(let value): hasher.combine(value)
    case .uri(let value): hasher.combine(value)
    case .decimal(let value): hasher.combine(value)
    case .transformable: hasher.combine(1)
    case .object(let object):
      if let object = object as? NSObject {
        hasher.combine(object.hash)
      } else {
        hasher.combine(ObjectIdentifier(object))
      }
    case .collection(let collection): hasher.combine(collection.elements.count)
    }
  }

  fileprivate static func areEqual(_ a: AnyObject, _ b: AnyObject) -> Bool {
    if a === b { return true }
    guard let a = a as? NSObject else { return false }
    return a.isEqual(b)
  }
}

/// Text compared by code unit, all of it at once.
private enum Utf8Text {
  static func areEqual(_ a: String, _ b: String) -> Bool {
    var (a, b) = (a, b)
    return a.withUTF8 { a in b.withUTF8 { b in a.count == b.count && a.elementsEqual(b) } }
  }

  static func hash(_ text: String, into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension TransformableValue {
  /// Whether the bytes are equal, or the objects that they unarchive to: archives of one object differ
  /// in the order of what has none.
  static func haveEqualContent(_ a: TransformableValue, _ b: TransformableValue) -> Bool {
    if a === b { return true }
    // What can't be archived equals nothing else.
    guard let first = try? a.archived(), let second = try? b.archived() else { return false }
    if first == second { return true }
    if let first = PlainArchive.data(of: a.object), let second = PlainArchive.data(of: b.object) {
      return first == second
    }
    return Value.areEqual(a.object as AnyObject, b.object as AnyObject)
  }
}

extension ValueCollection {
  static func haveEqualContent(_ a: ValueCollection, _ b: ValueCollection) -> Bool {
    if a.elements.count != b.elements.count { return false }
    if a.kind == .set || b.kind == .set { return Set(a.elements) == Set(b.elements) }
    return a.elements == b.elements
  }
}

extension Value {
  /// Whether this is `.null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}
