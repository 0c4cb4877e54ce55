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

  /// The root object; `.null` when the archive has only entries of other names.
  public var root: ArchivedValue { topLevelValue(named: "root") }

  /// A top-level entry; `.null` when there is none of this name.
  public func topLevelValue(named name: String) -> ArchivedValue {
    storage.top[name].map { value(of: $0) } ?? .null
  }

  /// Whether Foundation's own reader can open the archive: every object is of a class that exists here,
  /// and none of Foundation's own is damaged. It stops the process where a dictionary has a member that
  /// can't be decoded.
  var canBeOpenedByFoundation: Bool {
    storage.classNames.allSatisfy(ArchivedClassNames.isKnown)
      && storage.entries.allSatisfy(canBeOpenedByFoundation) && ends
  }

  private func canBeOpenedByFoundation(_ entry: Entry) -> Bool {
    switch entry {
    case .value: true
    // Nil is no member of a collection: an NSNull is an object of the archive.
    case .array(let members): !members.contains(where: \.isNil)
    case .dictionary(let keys, let values):
      !keys.contains(where: \.isNil) && !values.contains(where: \.isNil)
    case .object(let content): !FoundationObject(content).isDamaged(in: self)
    }
  }

  /// Whether what an object leads to comes to an end: no object leads to itself.
  private var ends: Bool {
    let check = NestingCheck(
      entries: storage.entries, deepest: KeyedArchiveReader.deepestCollection,
      largest: KeyedArchiveReader.largestCollection, followsObjects: true)
    do { try check.run() } catch { return false }
    return true
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
    /// The classes of the objects, Foundation's included.
    let classNames: Set<String>

    init(entries: [Entry], top: [String: Field], classNames: Set<String>) {
      self.entries = entries
      self.top = top
      self.classNames = classNames
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

    /// Whether it is the archive's nil, its first object.
    var isNil: Bool {
      if case .reference(0) = self { true } else { false }
    }
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
