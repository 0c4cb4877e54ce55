/// A model file or folder that can't be used as it is.
public struct ModelFileError: Error, Hashable, Sendable {
  /// What is wrong. Match on this, never on the text.
  public enum Kind: Hashable, Sendable {
    case noSuchFile
    /// Neither `.xcdatamodeld` nor `.xcdatamodel`, `.momd`, `.mom` or a folder.
    case notAModel
    /// A folder without a model in it.
    case noModels
    /// A folder with two different models of one name; their paths.
    case severalModels(String, String)
    /// A folder without a single version.
    case noVersions
    /// An `.momd` without a single `.mom`.
    case noCompiledVersions
    /// Several versions, and nothing says which one is current.
    case noCurrentVersion
    /// The version that is said to be current isn't there.
    case missingCurrentVersion(String)
    case badPropertyList
    /// A version's folder without a file `contents`.
    case noContents
    /// A version in Xcode 3's format: keyed archives named `elements` and `layout`.
    case xcode3Format
    /// What Git LFS leaves in place of a file that it hasn't fetched.
    case largeFilePointer
    case unreadable(String)
    /// A store that a model was to be taken from, and why none can be.
    case noModelInStore(String)
    /// Not well-formed XML; the text is the XML parser's.
    case badXML(String)
    case unexpectedRoot(String)
    case missingAttribute(String, element: String)
    case missingElement(String, element: String)
    /// An attribute's composite type isn't among the model's.
    case unknownComposite(String)
    /// A composite type is a part of itself, or has an absurd number of parts.
    case endlessComposite(String)
    case invalidValue(String, attribute: String, element: String)
    /// Every element is understood, but together they contradict each other.
    case contradiction(ModelError)
    /// A compiled model that isn't a keyed archive, or is a damaged one.
    case badArchive(KeyedArchiveError)
    /// A keyed archive without a usable model in it.
    case badCompiledModel(ModelArchiveError)
  }
  public var kind: Kind
  public var file: String
  /// Where in the file, both from 1; nil for the file as a whole.
  public var line: Int?
  public var column: Int?

  package init(_ kind: Kind, file: String, line: Int? = nil, column: Int? = nil) {
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
  /// Whether it is about which version is the current one.
  package var isOnCurrentVersion = false

  package init(
    message: String, file: String, line: Int? = nil, isOnCurrentVersion: Bool = false
  ) {
    (self.message, self.file, self.line) = (message, file, line)
    self.isOnCurrentVersion = isOnCurrentVersion
  }

  /// The file, and the line where there is one.
  package var place: String { file + (line.map { ":\($0)" } ?? "") }
}

// MARK: - Wording

extension ModelFileNote {
  /// A mistake that was passed over.
  init(_ error: ModelFileError) {
    self.init(message: error.message, file: error.file, line: error.line)
  }

  /// A version that isn't among the others for what is wrong with it.
  init(passingOver error: ModelFileError) {
    self.init(message: "passed over: \(error.message)", file: error.file, line: error.line)
  }
}

extension ModelFileError: CustomStringConvertible {
  public var description: String { "\(place): error: \(message)" }

  /// The error where it is none, since the file is passed over: machines look for the word in what is printed.
  package var note: String { "\(place): \(message)" }

  private var place: String {
    ([file] + [line, column].compactMap { $0.map(String.init) }).joined(separator: ":")
  }

  var message: String {
    switch kind {
    case .noSuchFile: "there is no such file or folder"
    case .notAModel:
      "not a model; give an .xcdatamodeld, .xcdatamodel, .momd or .mom, or a folder with one"
    case .noModels:
      "there is no model in this folder: no .xcdatamodeld, .xcdatamodel, .momd or .mom"
    case .severalModels(let one, let other):
      "there are different models of one name in this folder, '\(one)' and '\(other)'; "
        + "give one of them"
    case .noVersions: "the model has no version: no .xcdatamodel folder in it"
    case .noCompiledVersions: "the model has no version: no .mom in it"
    case .noCurrentVersion: "it doesn't say which version is the current one"
    case .missingCurrentVersion(let name): "the current version '\(name)' doesn't exist"
    case .badPropertyList: "not a property list, or one without keys"
    case .noContents: "the version has no file 'contents'"
    case .xcode3Format:
      "the version is in Xcode 3's format (files 'elements' and 'layout'); "
        + "open and save it in a newer Xcode"
    case .largeFilePointer: LargeFilePointer.problem
    case .noModelInStore(let reason): reason
    case .unreadable(let reason): "can't be read: \(reason)"
    case .badXML(let reason): "not well-formed XML: \(reason)"
    case .unexpectedRoot(let name): "not a model file: its root element is <\(name)>, not <model>"
    case .missingAttribute(let name, let element): "<\(element)> lacks the attribute '\(name)'"
    case .missingElement(let name, let element): "<\(element)> lacks an element <\(name)>"
    case .unknownComposite(let name): "there is no composite type '\(name)' in the model"
    case .endlessComposite(let name):
      "the composite type '\(name)' is a part of itself, or has too many parts"
    case .invalidValue(let value, let attribute, let element):
      "'\(value)' can't be the \(attribute) of <\(element)>"
    case .contradiction(let error): error.description
    case .badArchive(let error): "not a compiled model: \(error)"
    case .badCompiledModel(let error): "not a usable compiled model: \(error)"
    }
  }
}

extension ModelFileNote: CustomStringConvertible {
  public var description: String { "\(place): note: \(message)" }
}
