/// A model file or folder that can't be used as it is.
public struct ModelFileError: Error, Hashable, Sendable {
  /// What is wrong. Match on this, never on the text.
  public enum Kind: Hashable, Sendable {
    case noSuchFile
    /// Neither `.xcdatamodeld` nor `.xcdatamodel`.
    case notAModel
    /// A folder without a single version.
    case noVersions
    /// A version's folder without a file `contents`.
    case noContents
    /// A version in Xcode 3's format: keyed archives named `elements` and `layout`.
    case xcode3Format
    case unreadable(String)
    /// Not well-formed XML; the text is the XML parser's.
    case badXML(String)
    case unexpectedRoot(String)
    case missingAttribute(String, element: String)
    case invalidValue(String, attribute: String, element: String)
    /// Every element is understood, but together they contradict each other.
    case contradiction(ModelError)
  }
  public var kind: Kind
  public var file: String
  /// Where in the file, both from 1; nil for the file as a whole.
  public var line: Int?
  public var column: Int?

  init(_ kind: Kind, file: String, line: Int? = nil, column: Int? = nil) {
    self.kind = kind
    self.file = file
    self.line = line
    self.column = column
  }
}

/// Something in a model file that was passed over: an element or attribute that isn't known, or
/// that makes no sense.
public struct ModelFileNote: Hashable, Sendable {
  public var message: String
  public var file: String
  public var line: Int?
}

// MARK: - Wording

extension ModelFileError: CustomStringConvertible {
  public var description: String { "\(place): error: \(message)" }

  private var place: String {
    ([file] + [line, column].compactMap { $0.map(String.init) }).joined(separator: ":")
  }

  private var message: String {
    switch kind {
    case .noSuchFile: "there is no such file or folder"
    case .notAModel: "not a model; give an .xcdatamodeld or .xcdatamodel folder"
    case .noVersions: "the model has no version: no .xcdatamodel folder in it"
    case .noContents: "the version has no file 'contents'"
    case .xcode3Format:
      "the version is in Xcode 3's format (files 'elements' and 'layout'); "
        + "open and save it in a newer Xcode"
    case .unreadable(let reason): "can't be read: \(reason)"
    case .badXML(let reason): "not well-formed XML: \(reason)"
    case .unexpectedRoot(let name): "not a model file: its root element is <\(name)>, not <model>"
    case .missingAttribute(let name, let element): "<\(element)> lacks the attribute '\(name)'"
    case .invalidValue(let value, let attribute, let element):
      "'\(value)' can't be the \(attribute) of <\(element)>"
    case .contradiction(let error): error.description
    }
  }
}

extension ModelFileNote: CustomStringConvertible {
  public var description: String {
    "\(file)\(line.map { ":\($0)" } ?? ""): note: \(message)"
  }
}
