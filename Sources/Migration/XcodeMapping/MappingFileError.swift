/// A mapping file that can't be read.
public struct MappingFileError: Error {
  /// What is wrong. Match on this, never on the text.
  public enum Kind: Sendable {
    case noSuchFile
    /// An `.xcmappingmodel` without the file that says something.
    case noContents
    /// What Git LFS leaves in place of a file that it hasn't fetched.
    case largeFilePointer
    /// Neither `.xcmappingmodel` nor `.cdm`.
    case notAMapping
    case unreadable(any Error)
    /// A compiled mapping model that isn't a keyed archive, or is a damaged one.
    case badArchive(KeyedArchiveError)
    /// A keyed archive of something else; nil when it isn't an object at all.
    case notAMappingModel(className: String?)
    /// The XML itself is broken.
    case malformed(String)
    /// An object doesn't exist, or isn't of the kind that is needed.
    case brokenReference(String, expected: String)
    case modelCount(Int)
    case missing(field: String, of: String)
    /// A field's value can't be decoded.
    case invalid(field: String, reason: String)
  }
  public var kind: Kind
  public var file: String
  /// Counted from 1; nil when it is about the file as a whole.
  public var line: Int?

  init(_ kind: Kind, file: URL, line: Int? = nil) {
    self.kind = kind
    self.file = file.path
    self.line = line
  }
}

extension Data {
  /// The bytes of a mapping file.
  /// - Throws: ``MappingFileError``.
  init(readingMapping url: URL) throws {
    do { self = try Data(reading: url) } catch {
      throw MappingFileError(.unreadable(error), file: url)
    }
    if isLargeFilePointer { throw MappingFileError(.largeFilePointer, file: url) }
  }
}

// MARK: - Wording

extension MappingFileError: CustomStringConvertible {
  public var description: String {
    "\(place): error: \(reason)"
  }

  /// The error where it is none, since the file is passed over: machines look for the word in what is printed.
  package var note: String { "\(place): \(reason)" }

  private var place: String { "\(file)\(line.map { ":\($0)" } ?? "")" }

  /// Whether it isn't there, or not all of it, rather than wrong.
  package var isAbsence: Bool {
    switch kind {
    case .noSuchFile, .noContents, .largeFilePointer: true
    default: false
    }
  }

  /// What is wrong, without the file.
  package var reason: String {
    switch kind {
    case .noSuchFile: "there is no such file or folder"
    case .noContents:
      "the mapping file has no 'xcmapping.xml': it wasn't copied, or isn't checked out"
    case .largeFilePointer: LargeFilePointer.problem
    case .notAMapping: "not a mapping model; give an .xcmappingmodel or .cdm"
    case .badArchive(let error): "not a compiled mapping model: \(error)"
    case .notAMappingModel(let className):
      "the archive holds \(className.map { "an object of class \($0)" } ?? "no object"), "
        + "not a mapping model"
    case .unreadable(let error): "the mapping file can't be read: \(error.plainText)"
    case .malformed(let text): "this isn't well-formed XML: \(text)"
    case .brokenReference(let id, let expected):
      "'\(id)' isn't a \(expected) in this file; the file was edited or truncated"
    case .modelCount(0): "there is no mapping model in this file; is it Xcode's xcmapping.xml?"
    case .modelCount(let count): "there are \(count) mapping models in this file, not one"
    case .missing(let field, let object): "\(object) has no \(field)"
    case .invalid(let field, let reason): "\(field): \(reason)"
    }
  }
}
