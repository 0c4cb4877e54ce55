/// A keyed archive as `NSKeyedArchiver` writes it, opened without any of its classes.
///
/// Everything that can be wrong with the data is found when the archive is opened; reading values
/// afterwards can't fail.
public struct KeyedArchive: Sendable {
  private let storage: Storage

  /// Opens an archive.
  /// - Throws: ``KeyedArchiveError`` naming the first thing wrong.
  /// - Complexity: O(*n*) in the archive's size.
  public init(_ data: Data) throws {
    var reader = try KeyedArchiveReader(data)
    storage = try reader.read()
  }

  init(storage: Storage) { self.storage = storage }

  /// The root object; `.null` when the archive has only entries of other names.
  public var root: ArchivedValue { topLevelValue(named: "root") }

  /// The names of the archive's top-level entries, sorted.
  public var topLevelNames: [String] { storage.top.keys.sorted() }

  /// A top-level entry; `.null` when there is none of this name.
  public func topLevelValue(named name: String) -> ArchivedValue {
    storage.top[name].map { value(of: $0) } ?? .null
  }

  /// Whether every object that isn't one of Foundation's collections or simple values is of a class
  /// that exists here.
  var hasOnlyClassesOfThisProcess: Bool {
    storage.entries.allSatisfy { entry in
      guard case .object(let content) = entry else { return true }
      return ArchivedClassNames.isKnown(content.classNames[0])
    }
  }

  func isSameArchive(as other: KeyedArchive) -> Bool { storage === other.storage }
}

// MARK: - Storage

extension KeyedArchive {
  /// The archive's objects, checked: every reference leads to an entry, and collections don't
  /// contain themselves.
  final class Storage: Sendable {
    let entries: [Entry]
    let top: [String: Field]

    init(entries: [Entry], top: [String: Field]) {
      self.entries = entries
      self.top = top
    }
  }

  /// One of the archive's objects.
  enum Entry: Sendable {
    case value(ArchivedValue)
    case array([Field])
    case dictionary(keys: [Field], values: [Field])
    case object(ObjectContent)
  }

  struct ObjectContent: Sendable {
    /// The class and its superclasses; never empty.
    let classNames: [String]
    let fields: [String: Field]
  }

  /// A value as it stands inside an object.
  enum Field: Sendable {
    case value(ArchivedValue)
    case reference(Int)
    case list([Field])
  }

  func value(of field: Field) -> ArchivedValue {
    switch field {
    case .value(let value): value
    case .reference(let index): value(at: index)
    case .list(let fields): .array(fields.map { value(of: $0) })
    }
  }

  private func value(at index: Int) -> ArchivedValue {
    switch storage.entries[index] {
    case .value(let value): value
    case .array(let fields): .array(fields.map { value(of: $0) })
    case .dictionary(let keys, let values):
      .dictionary(zip(keys, values).map { (key: value(of: $0), value: value(of: $1)) })
    case .object(let content):
      .object(ArchivedObject(identifier: index, archive: self, content: content))
    }
  }
}
