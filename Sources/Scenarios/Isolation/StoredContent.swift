/// What a store held at one version, as it travels between processes.
///
/// The objects are bytes, one after the other: a property list with a part for each value took most of a run of some
/// ten thousand objects.
struct StoredContent: Codable {
  let stage: String
  private let objects: Data

  /// - Throws: For a transformable value that can't be archived.
  init(stage: String, _ content: ContentSnapshot) throws {
    self.stage = stage
    var writer = ContentWriter()
    writer.append(content.objects.count)
    for object in content.objects { try writer.append(object) }
    objects = Data(writer.bytes)
  }

  /// The content again.
  /// - Parameter model: The model of the version.
  /// - Throws: When the bytes aren't what ``init(stage:_:)`` makes for that model.
  func snapshot(model: ManagedObjectModel) throws -> ContentSnapshot {
    var reader = ByteReader(objects)
    let objects = try reader.list { try $0.object(of: model) }
    let places = objects.indices
    guard objects.allSatisfy({ $0.links.allSatisfy { $0.allSatisfy(places.contains) } }) else {
      throw CocoaError(.coderReadCorrupt)
    }
    return ContentSnapshot(objects: objects)
  }
}

/// What follows in the bytes of a value, bit for bit.
private enum ValueTag: UInt8 {
  case null, integer, double, date, string, data, uuid, uri, decimal, transformable, composite
}

struct ContentWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ object: ContentSnapshot.Object) throws {
    append(object.entity.name)
    try append(object.values)
    append(object.links.count)
    for links in object.links { append(links) }
    append(object.origins)
    append(object.label)
  }

  private mutating func append(_ values: [Value]) throws {
    append(values.count)
    for value in values { try append(value) }
  }

  mutating func append(_ value: Value) throws {
    switch value {
    case .object(let composite as CompositeValue):
      append(ValueTag.composite)
      try append(composite.values)
    case .null, .object, .collection: append(ValueTag.null)
    case .integer(let number): append(.integer, number)
    case .double(let number): append(.double, number.bitPattern)
    case .date(let date): append(.date, date.timeIntervalSinceReferenceDate.bitPattern)
    case .string(let text): append(.string, text)
    case .data(let data): append(.data, data)
    case .uuid(let uuid):
      append(ValueTag.uuid)
      withUnsafeBytes(of: uuid.uuid) { bytes.append(contentsOf: $0) }
    case .uri(let url): append(.uri, url.absoluteString)
    case .decimal(let number): append(.decimal, "\(number)")
    case .transformable(let value): append(.transformable, try value.archived())
    }
  }

  mutating func append(_ number: Int) { append(Int64(number)) }

  private mutating func append(_ numbers: [Int]) {
    append(numbers.count)
    for number in numbers { append(number) }
  }

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ text: String) {
    append(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func append(_ tag: ValueTag) { bytes.append(tag.rawValue) }

  private mutating func append(_ tag: ValueTag, _ number: some FixedWidthInteger) {
    append(tag)
    append(number)
  }

  private mutating func append(_ tag: ValueTag, _ text: String) {
    append(tag)
    append(text)
  }

  private mutating func append(_ tag: ValueTag, _ data: Data) {
    append(tag)
    append(data.count)
    bytes.append(contentsOf: data)
  }
}

/// What ``ContentWriter`` wrote.
extension ByteReader {
  fileprivate mutating func object(of model: ManagedObjectModel) throws -> ContentSnapshot.Object {
    guard let entity = model.entity(named: try string()) else {
      throw CocoaError(.coderInvalidValue)
    }
    let object = ContentSnapshot.Object(
      entity: entity, values: try values(of: entity.attributes),
      links: try list { try $0.list { try $0.number() } }, origins: try list { try $0.number() },
      label: try string())
    guard object.links.count == entity.relationships.count else {
      throw CocoaError(.coderReadCorrupt)
    }
    return object
  }

  /// A value for each attribute.
  private mutating func values(of attributes: [AttributeDescription]) throws -> [Value] {
    guard try number() == attributes.count else { throw CocoaError(.coderReadCorrupt) }
    return try attributes.map { try value(of: $0) }
  }

  /// As many elements as the number before them says.
  fileprivate mutating func list<Element>(
    _ element: (inout ByteReader) throws -> Element
  ) throws -> [Element] {
    let count = try number()
    // Each takes a byte at least.
    guard count <= remaining else { throw Overrun() }
    return try (0..<count).map { _ in try element(&self) }
  }

  private mutating func value(of attribute: AttributeDescription) throws -> Value {
    guard let tag = ValueTag(rawValue: try integer(UInt8.self)) else {
      throw CocoaError(.coderReadCorrupt)
    }
    switch tag {
    case .null: return .null
    case .integer: return .integer(try integer(Int64.self))
    case .double: return .double(Double(bitPattern: try integer(UInt64.self)))
    case .date:
      let seconds = Double(bitPattern: try integer(UInt64.self))
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .string: return .string(try string())
    case .data: return .data(Data(try part()))
    case .uuid: return .uuid(try uuid())
    case .uri: return URL(string: try string()).map(Value.uri) ?? .null
    // No text is read as NaN.
    case .decimal: return .decimal(Decimal(string: try string(), locale: nil) ?? .nan)
    case .transformable: return .transformable(TransformableValue(archived: Data(try part())))
    case .composite:
      return CompositeValue.value(of: attribute.elements, try values(of: attribute.elements))
    }
  }

  /// - Throws: For a count below zero, too, which no writer makes.
  private mutating func number() throws -> Int {
    guard let number = Int(exactly: try integer(Int64.self)), number >= 0 else { throw Overrun() }
    return number
  }

  private mutating func part() throws -> Data { try bytes(try number()) }

  private mutating func string() throws -> String { String(decoding: try part(), as: UTF8.self) }

  private mutating func uuid() throws -> UUID {
    let bytes = try bytes(MemoryLayout<uuid_t>.size)
    return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
  }
}
