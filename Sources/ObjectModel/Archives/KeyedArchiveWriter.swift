/// Writes a keyed archive in the form of `NSKeyedArchiver`, with objects of any class.
///
/// Objects that refer to each other in circles are reserved first and defined later.
public final class KeyedArchiveWriter {
  /// An object of the archive.
  public struct Reference: Hashable, Sendable {
    let index: Int
    /// nil, for fields that must be there.
    public static let null = Reference(index: 0)
  }

  /// What a field of an object holds.
  public enum Field: Sendable {
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case data(Data)
    /// Text within the object; most text is an object of its own (`add(_:)`).
    case string(String)
    case reference(Reference)
    case references([Reference])
  }

  private typealias Node = BinaryPropertyListWriter.Node
  private var objects: [Node] = [.string("$null")]
  /// By code unit: texts that look the same may differ in theirs.
  private var strings: [Value: Reference] = [:]
  private var classes: [String: Reference] = [:]

  public init() {}

  /// Adds text; equal text once.
  public func add(_ string: String) -> Reference {
    if let known = strings[.string(string)] { return known }
    let reference = append(.string(string))
    strings[.string(string)] = reference
    return reference
  }

  /// Adds text, or nil.
  public func add(_ string: String?) -> Reference {
    string.map { add($0 as String) } ?? .null
  }

  public func add(bool: Bool) -> Reference { append(.bool(bool)) }
  public func add(integer: Int64) -> Reference { append(.integer(integer)) }
  public func add(real: Double) -> Reference { append(.real(real)) }
  public func add(data: Data) -> Reference { append(.data(data)) }

  /// Adds an object.
  /// - Parameter classNames: Its class and superclasses, nearest first, `NSObject` left out.
  public func add(
    _ classNames: String..., fields: KeyValuePairs<String, Field>
  ) -> Reference {
    let reference = reserve()
    define(reference, as: classNames, fields: fields.map { ($0.key, $0.value) })
    return reference
  }

  /// Adds an object whose fields aren't known in advance.
  func add(_ classNames: String..., fieldList: [(String, Field)]) -> Reference {
    let reference = reserve()
    define(reference, as: classNames, fields: fieldList)
    return reference
  }

  /// Makes room for an object that ``define(_:as:fields:)`` describes later.
  public func reserve() -> Reference { append(.string("$null")) }

  /// Describes an object that was reserved.
  public func define(
    _ reference: Reference, as classNames: [String], fields: [(String, Field)]
  ) {
    var entries = Dictionary(fields.map { ($0.0, Self.node($0.1)) }) { $1 }
    entries["$class"] = .uid(classReference(classNames).index)
    objects[reference.index] = .dictionary(entries)
  }

  /// The archive with `root` as its root object.
  public func data(root: Reference) -> Data {
    BinaryPropertyListWriter.data(
      .dictionary([
        "$version": .integer(100_000),
        "$archiver": .string("NSKeyedArchiver"),
        "$top": .dictionary(["root": .uid(root.index)]),
        "$objects": .array(objects),
      ]))
  }

  private func append(_ node: Node) -> Reference {
    objects.append(node)
    return Reference(index: objects.count - 1)
  }

  private func classReference(_ classNames: [String]) -> Reference {
    let name = classNames[0]
    if let known = classes[name] { return known }
    let hierarchy = (classNames + ["NSObject"]).map { Node.string($0) }
    let reference = append(
      .dictionary(["$classname": .string(name), "$classes": .array(hierarchy)]))
    classes[name] = reference
    return reference
  }

  private static func node(_ field: Field) -> Node {
    switch field {
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .data(let value): .data(value)
    case .string(let value): .string(value)
    case .reference(let value): .uid(value.index)
    case .references(let values): .array(values.map { .uid($0.index) })
    }
  }
}

// MARK: - Collections

extension KeyedArchiveWriter {
  public func add(array: [Reference], mutable: Bool = false) -> Reference {
    mutable
      ? add("NSMutableArray", "NSArray", fields: ["NS.objects": .references(array)])
      : add("NSArray", fields: ["NS.objects": .references(array)])
  }

  public func add(set: [Reference]) -> Reference {
    add("NSSet", fields: ["NS.objects": .references(set)])
  }

  public func add(
    dictionary: [(key: Reference, value: Reference)], mutable: Bool = false
  ) -> Reference {
    let keys = KeyedArchiveWriter.Field.references(dictionary.map(\.key))
    let values = KeyedArchiveWriter.Field.references(dictionary.map(\.value))
    return mutable
      ? add("NSMutableDictionary", "NSDictionary", fields: ["NS.keys": keys, "NS.objects": values])
      : add("NSDictionary", fields: ["NS.keys": keys, "NS.objects": values])
  }
}
