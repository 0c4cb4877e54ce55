/// A value in a keyed archive.
///
/// Foundation's strings, data, dates, arrays, sets and dictionaries appear as themselves, mutable or
/// not; everything else is an ``ArchivedObject``, whose class need not exist here.
public indirect enum ArchivedValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case data(Data)
  case date(Date)
  /// An array, an ordered set, or a set in the order of the archive.
  case array([ArchivedValue])
  /// A dictionary in the order of the archive.
  case dictionary([(key: ArchivedValue, value: ArchivedValue)])
  case object(ArchivedObject)
}

/// An object of any class in a keyed archive. Its fields are read when asked for, so that objects
/// may refer to each other in circles.
public final class ArchivedObject: Sendable {
  /// The object's number, the same however one gets to it.
  public let identifier: Int
  private let archive: KeyedArchive
  private let content: KeyedArchive.ObjectContent

  init(identifier: Int, archive: KeyedArchive, content: KeyedArchive.ObjectContent) {
    self.identifier = identifier
    self.archive = archive
    self.content = content
  }

  /// The class, as Apple calls it.
  public var className: String { content.classNames[0] }
  /// The class and its superclasses, nearest first.
  public var classNames: [String] { content.classNames }
  /// The names of the fields that are present, sorted.
  public var keys: [String] { content.fields.keys.sorted() }

  /// A field; `.null` when the archive doesn't have it.
  public subscript(key: String) -> ArchivedValue {
    content.fields[key].map { archive.value(of: $0) } ?? .null
  }
}

extension ArchivedObject: Hashable {
  public static func == (a: ArchivedObject, b: ArchivedObject) -> Bool {
    a.identifier == b.identifier && a.archive.isSameArchive(as: b.archive)
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

// MARK: - Reading values

extension ArchivedValue {
  public var isNull: Bool { if case .null = self { true } else { false } }

  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

  public var dataValue: Data? { if case .data(let value) = self { value } else { nil } }

  public var dateValue: Date? { if case .date(let value) = self { value } else { nil } }

  public var objectValue: ArchivedObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// An integer, a Boolean as 0 or 1, or a real number without fraction.
  public var integerValue: Int64? {
    switch self {
    case .integer(let value): value
    case .bool(let value): value ? 1 : 0
    case .real(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// Any number.
  public var doubleValue: Double? {
    switch self {
    case .real(let value): value
    default: integerValue.map(Double.init)
    }
  }

  /// Whether this is true, or a number other than 0. Archives leave false fields out.
  public var isTrue: Bool { (doubleValue ?? 0) != 0 }

  /// The members of an array or set; empty for anything else.
  public var elements: [ArchivedValue] { if case .array(let value) = self { value } else { [] } }

  /// The entries of a dictionary; empty for anything else.
  public var entries: [(key: ArchivedValue, value: ArchivedValue)] {
    if case .dictionary(let value) = self { value } else { [] }
  }

  /// The entry of a dictionary with a string as its key.
  public subscript(key: String) -> ArchivedValue {
    entries.first { $0.key.stringValue == key }?.value ?? .null
  }
}
