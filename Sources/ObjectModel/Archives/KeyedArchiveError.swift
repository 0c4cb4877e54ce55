/// Data that isn't a keyed archive, or is a damaged one.
public struct KeyedArchiveError: Error, Hashable, Sendable {
  /// What is wrong. Match on this, never on the text.
  public enum Kind: Hashable, Sendable {
    /// The data doesn't begin as a binary property list does, or is too short for one.
    case notABinaryPropertyList
    /// The table at the end of the property list contradicts the data's length.
    case damagedTrailer
    /// An object reaches beyond the data, or has a length that makes no sense.
    case truncatedObject(Int)
    case unknownMarker(UInt8, object: Int)
    /// An object refers to one that the list doesn't have.
    case danglingReference(from: Int, to: Int)
    /// Objects overlap, or hold each other without end, so that reading them would never stop.
    case endlessNesting(Int)
    /// A property list, but without the keys of an archive.
    case notAKeyedArchive(missing: String)
    /// An archived object without a usable class.
    case objectWithoutClass(Int)
    /// Compressed data that can't be expanded; the text is zlib's.
    case badCompression(String)
  }
  public var kind: Kind

  init(_ kind: Kind) { self.kind = kind }
}

// MARK: - Wording

extension KeyedArchiveError: CustomStringConvertible {
  public var description: String {
    switch kind {
    case .notABinaryPropertyList:
      "not a binary property list: it doesn't begin with 'bplist00'"
    case .damagedTrailer:
      "damaged property list: its table of objects contradicts its length"
    case .truncatedObject(let object):
      "damaged property list: object \(object) reaches beyond the end"
    case .unknownMarker(let marker, let object):
      "damaged property list: object \(object) has the unknown type 0x\(String(marker, radix: 16))"
    case .danglingReference(let from, let to):
      "damaged property list: object \(from) refers to object \(to), which doesn't exist"
    case .endlessNesting(let object):
      "damaged archive: the collection \(object) contains itself or is nested too deeply"
    case .notAKeyedArchive(let missing):
      "a property list, but not a keyed archive: '\(missing)' is missing or of the wrong type"
    case .objectWithoutClass(let object):
      "damaged archive: object \(object) has no class"
    case .badCompression(let message):
      "can't expand compressed data: \(message)"
    }
  }
}
