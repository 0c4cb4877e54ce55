/// What a run's process has printed since the app's last start, for expectations to look at.
struct PrintedSinceStart {
  private let file: URL
  private var start: UInt64 = 0

  /// - Parameter file: Where both outputs of this process lead.
  init(file: URL) { self.file = file }

  /// The app starts: what was printed before is no concern of later expectations.
  mutating func begin() throws {
    let handle = try open()
    defer { try? handle.close() }  // Nothing was written by it.
    start = try handle.seekToEnd()
  }

  /// How often a text occurs in it, as reports show it.
  /// - Throws: ``TooMuchPrinted`` where not all of it is there any more.
  func count(of text: String) throws -> Int {
    let (printed, text) = (Data(try self.printed().utf8), Data(text.utf8))
    var (count, rest) = (0, printed.startIndex..<printed.endIndex)
    while let found = printed.range(of: text, in: rest) {
      count += 1
      rest = found.upperBound..<printed.endIndex
    }
    return count
  }

  private func printed() throws -> String {
    let handle = try open()
    defer { try? handle.close() }  // Nothing was written by it.
    if try handle.seekToEnd() > PrintedText.mostWholeBytes { throw TooMuchPrinted() }
    try handle.seek(toOffset: start)
    return PrintedText.plain(try handle.readToEnd() ?? Data())
  }

  private func open() throws -> FileHandle {
    fflush(nil)
    return try FileHandle(forReadingFrom: file)
  }
}

/// More was printed than is kept, so that nobody can count what is in it.
struct TooMuchPrinted: Error, CustomStringConvertible {
  var description: String {
    "more than \(PrintedText.mostWholeBytes >> 20) MB were printed; the middle isn't kept"
  }
}
