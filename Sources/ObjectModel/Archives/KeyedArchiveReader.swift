/// Reads and checks the objects of a keyed archive.
struct KeyedArchiveReader {
  private let list: BinaryPropertyList
  /// The numbers of the archive's objects in the property list.
  private var objects: [Int] = []
  private var classNames: [Int: [String]] = [:]
  /// How many more values may be read. A sound list has each value's reference once, so that there
  /// are no more values than bytes; a crafted one can make few bytes mean millions.
  private var budget: Int

  /// Lists directly within lists occur in no archive; a few levels are allowed for.
  private static let deepestList = 16
  /// How deep collections may be nested, and how many values one may come to.
  static let deepestCollection = 200
  static let largestCollection = 4_000_000

  init(_ data: Data) throws {
    list = try BinaryPropertyList(data)
    budget = 2 * list.byteCount
  }

  mutating func read() throws -> KeyedArchive.Storage {
    let plist = try dictionary(at: list.top, otherwise: "$archiver")
    guard let objectsIndex = plist["$objects"],
      case .array(let objects) = try list.object(at: objectsIndex)
    else { throw KeyedArchiveError(.notAKeyedArchive(missing: "$objects")) }
    self.objects = objects
    guard let topIndex = plist["$top"] else {
      throw KeyedArchiveError(.notAKeyedArchive(missing: "$top"))
    }
    let top = try dictionary(at: topIndex, otherwise: "$top").mapValues { try field(at: $0) }
    let entries = try objects.indices.map { try entry($0) }
    try NestingCheck(
      entries: entries, deepest: Self.deepestCollection, largest: Self.largestCollection
    ).run()
    return KeyedArchive.Storage(
      entries: entries, top: top, classNames: Set(classNames.values.map { $0[0] }))
  }

  /// The values' numbers by key.
  private mutating func dictionary(
    at index: Int, otherwise missing: String
  ) throws -> [String: Int] {
    guard case .dictionary(let keys, let values) = try list.object(at: index) else {
      throw KeyedArchiveError(.notAKeyedArchive(missing: missing))
    }
    return try dictionary(keys, values, of: index)
  }

  private mutating func dictionary(
    _ keys: [Int], _ values: [Int], of index: Int
  ) throws -> [String: Int] {
    try spend(keys.count, on: index)
    var dictionary: [String: Int] = [:]
    for (key, value) in zip(keys, values) {
      if case .string(let name) = try list.object(at: key) { dictionary[name] = value }
    }
    return dictionary
  }

  private mutating func spend(_ values: Int, on index: Int) throws {
    budget -= values
    if budget < 0 { throw KeyedArchiveError(.endlessNesting(index)) }
  }
}

// MARK: - Objects

extension KeyedArchiveReader {
  private mutating func entry(_ number: Int) throws -> KeyedArchive.Entry {
    let index = objects[number]
    switch try list.object(at: index) {
    case .string("$null"): return .value(.null)
    case .dictionary(let keys, let values):
      let fields = try dictionary(keys, values, of: index)
      // A class description is no value; nothing but `$class` may lead to it.
      if fields["$class"] == nil, fields["$classname"] != nil { return .value(.null) }
      return try object(fields, number: number)
    // An archived array is an object of a class.
    case .array: throw KeyedArchiveError(.objectWithoutClass(number))
    case let scalar: return .value(Self.scalar(scalar))
    }
  }

  private mutating func object(
    _ indexes: [String: Int], number: Int
  ) throws -> KeyedArchive.Entry {
    guard let classIndex = indexes["$class"],
      case .uid(let classNumber) = try list.object(at: classIndex)
    else { throw KeyedArchiveError(.objectWithoutClass(number)) }
    let names = try classNames(classNumber, of: number)
    var fields: [String: KeyedArchive.Field] = [:]
    for (key, index) in indexes where key != "$class" { fields[key] = try field(at: index) }
    let content = KeyedArchive.ObjectContent(classNames: names, fields: fields)
    return FoundationObject(content).entry ?? .object(content)
  }

  private mutating func classNames(_ classNumber: Int, of number: Int) throws -> [String] {
    if let known = classNames[classNumber] { return known }
    guard objects.indices.contains(classNumber) else {
      throw KeyedArchiveError(.danglingReference(from: number, to: classNumber))
    }
    guard
      case .dictionary(let keys, let values) = try list.object(at: objects[classNumber]),
      case let fields = try dictionary(keys, values, of: classNumber),
      let name = fields["$classname"], case .string(let className) = try list.object(at: name)
    else { throw KeyedArchiveError(.objectWithoutClass(number)) }
    let hierarchy = try strings(at: fields["$classes"])
    guard !hierarchy.isEmpty else { throw KeyedArchiveError(.objectWithoutClass(number)) }
    let names = [className] + hierarchy.filter { $0 != className }
    classNames[classNumber] = names
    return names
  }

  private mutating func strings(at index: Int?) throws -> [String] {
    guard let index, case .array(let members) = try list.object(at: index) else { return [] }
    try spend(members.count, on: index)
    return try members.compactMap {
      if case .string(let name) = try list.object(at: $0) { name } else { nil }
    }
  }
}

// MARK: - Fields

extension KeyedArchiveReader {
  private mutating func field(at index: Int, depth: Int = 0) throws -> KeyedArchive.Field {
    try spend(1, on: index)
    switch try list.object(at: index) {
    case .uid(let number):
      guard objects.indices.contains(number) else {
        throw KeyedArchiveError(.danglingReference(from: index, to: number))
      }
      return .reference(number)
    case .array(let members):
      if depth == Self.deepestList { throw KeyedArchiveError(.endlessNesting(index)) }
      return .list(try members.map { try field(at: $0, depth: depth + 1) })
    case .dictionary:
      return .value(.null)
    case let scalar:
      return .value(Self.scalar(scalar))
    }
  }

  private static func scalar(_ object: BinaryPropertyList.Object) -> ArchivedValue {
    switch object {
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case .data(let value): .data(value)
    case .string(let value): .string(value)
    case .null, .uid, .array, .dictionary: .null
    }
  }
}
