/// A text file that somebody wrote, kept so that messages can show the line they are about.
package final class SourceFile: Sendable {
  /// The path as it is to appear in messages.
  package let path: String
  package let text: String
  private let lines: [Substring]

  package init(path: String, text: String) {
    self.path = path
    self.text = text
    lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
  }

  /// Reads a file as UTF-8.
  /// - Throws: ``Diagnostics`` naming the file when it is missing, unreadable or not UTF-8.
  package convenience init(contentsOf url: URL, shownAs path: String? = nil) throws {
    let path = path ?? url.relativePath
    switch FileKind(of: url) {
    case .file, .missing: break
    case .folder: throw Diagnostics(file: path, "this is a folder, not a file")
    case .other: throw Diagnostics(file: path, "this isn't an ordinary file")
    }
    let data: Data
    do {
      data = try Data(reading: url)
    } catch {
      throw Diagnostics(file: path, "can't read the file: \(error.plainText)")
    }
    guard let text = String(bytes: data, encoding: .utf8) else {
      throw Diagnostics(file: path, "the file isn't UTF-8 text")
    }
    self.init(path: path, text: text)
  }

  /// Writes another text in place of this one, which must still be the file's.
  /// - Throws: ``WholeFile/Changed``, and what writing throws.
  package func replace(by other: String, at url: URL) throws {
    // Foundation leaves a mark of the encoding out of the text.
    let isMarked = (try? Data(reading: url).starts(with: "\u{FEFF}".utf8)) ?? false
    func data(_ text: String) -> Data { Data(((isMarked ? "\u{FEFF}" : "") + text).utf8) }
    try WholeFile.write(data(other), to: url, if: .unchanged(since: data(text)))
  }

  /// A line without its end, counting from 1; nil past the end.
  package func line(_ number: Int) -> Substring? {
    lines.indices.contains(number - 1) ? lines[number - 1] : nil
  }
}

/// A stretch of one line of a file. Lines and columns count from 1, columns in Unicode scalars.
package struct SourcePlace: Sendable {
  package let file: SourceFile
  package let line: Int
  package let column: Int
  /// How many scalars the caret line underlines; at least 1.
  package let length: Int
  /// Whether the file has the value here as it is, and not a placeholder: only then do parts of the value
  /// have places of their own.
  package let isVerbatim: Bool

  package init(
    file: SourceFile, line: Int, column: Int, length: Int = 1, isVerbatim: Bool = true
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.length = max(1, length)
    self.isVerbatim = isVerbatim
  }

  /// The same place, for a value that stands there by a placeholder.
  func ofPlaceholder() -> SourcePlace {
    SourcePlace(file: file, line: line, column: column, length: length, isVerbatim: false)
  }
}

extension SourcePlace: CustomStringConvertible {
  package var description: String { "\(file.path):\(line):\(column)" }
}

/// A value and where it was written.
@dynamicMemberLookup
package struct Located<Value> {
  package let value: Value
  package let place: SourcePlace

  package init(_ value: Value, at place: SourcePlace) {
    self.value = value
    self.place = place
  }

  package subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Member {
    value[keyPath: path]
  }
}

extension Located: Sendable where Value: Sendable {}
