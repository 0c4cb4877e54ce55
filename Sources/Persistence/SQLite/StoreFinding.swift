/// A fact about damaged data in a store, which could be read all the same.
public struct StoreFinding: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Keys of a to-one relationship that lead to no row. They are read as nil.
    case danglingKeys(count: Int)
    /// A value kept in a file that isn't there. It is read as nil.
    case missingExternalFile(String)
    /// External binary data with a tag byte other than 1 and 2. It is read as nil.
    case unknownExternalTag(UInt8?)
    /// Rows with the number of another entity, in a table that holds one entity only. They are read as
    /// objects of that one.
    case foreignEntityNumber

    /// Whether it is about what the store should have, and that is read as nil.
    package var isReadAsNil: Bool { self != .foreignEntityNumber }
  }
  /// What is wrong. Match on this, never on the text.
  public let kind: Kind
  public let entity: String
  public let property: String
  /// The object's URI; nil when several are meant.
  public let object: String?
}

// MARK: - Wording

extension StoreFinding: CustomStringConvertible {
  public var description: String {
    let place = "\(entity).\(property)" + (object.map { " of \($0)" } ?? "")
    return "\(place): \(fact)"
  }

  private var fact: String {
    switch kind {
    case .danglingKeys(let count):
      "\(count) \(count == 1 ? "row leads" : "rows lead") to an object that doesn't exist; read as nil"
    case .missingExternalFile(let name):
      "its data should be in the file '\(name)' beside the store, which is missing; read as nil. "
        + "Copy the folder `.<store>_SUPPORT` together with the store"
    case .unknownExternalTag(let tag):
      "its data starts with the byte \(tag.map(String.init) ?? "(none)") instead of 1 or 2; read as nil"
    case .foreignEntityNumber:
      "rows have the number of another entity; their table holds only \(entity), so they are read as such"
    }
  }
}
