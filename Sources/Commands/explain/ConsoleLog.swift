/// What a console, or an error that somebody pasted, says of Core Data, SwiftData and SQLite, whatever is around it.
///
/// A log is read piece by piece, once: what is kept of it doesn't grow with its length.
struct ConsoleLog: Sendable {
  /// A message that is explained, where it comes first.
  struct Message: Sendable {
    let identifier: String
    let line: Int
    /// The line, shortened.
    let text: String
    fileprivate(set) var count = 1
  }

  private(set) var messages: [Message] = []
  private(set) var dumps: [HashDump] = []
  /// The names of entities and properties around messages, in pairs where both are there.
  private(set) var elements: [Element] = []

  struct Element: Hashable, Sendable {
    let entity: String
    let property: String?
  }

  private var surroundings: [String] = []
  private var dumpText: [UInt8] = []
  /// How many more bytes may belong to a dump of hashes: a short text may be nothing but one.
  private var dumpBytesLeft = Self.mostOfOneDump
  private var line = 1
  /// What was read, and what of it isn't looked at yet: without escaped quotes, with straight apostrophes.
  private var bytes: [UInt8] = []
  private var next = 0

  private static let mostOfOneDump = 256 << 10
  private static let mostOfDumps = 1 << 20
  /// What a message and the names in it may take.
  private static let reach = 2048

  init(_ text: String) {
    read(Data(text.utf8))
    finish()
  }

  /// - Throws: ``Diagnostics`` for what is no text; what reading throws, and a disk that can't be read is noted.
  init(contentsOf file: URL, shownAs name: String) throws {
    self = try MachineFaultWatch.noting {
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      return try ConsoleLog(reading: handle, shownAs: name)
    }
  }

  /// - Throws: ``Diagnostics`` for what is no text; what reading throws.
  init(reading handle: FileHandle, shownAs name: String) throws {
    var isFirst = true
    while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
      if isFirst, piece.prefix(4096).contains(0) {
        let isStore = piece.starts(with: PersistentStoreFiles.magic)
        throw Diagnostics(
          file: name,
          isStore
            ? "this is a store, not a log; `heavyweight inspect` shows what it is"
            : "this isn't text in UTF-8")
      }
      isFirst = false
      read(piece)
    }
    if isFirst { throw Diagnostics(file: name, "there is nothing in it") }
    finish()
  }

  // MARK: Reading

  private mutating func read(_ piece: Data) {
    bytes.removeFirst(max(0, next - Self.reach))
    next = min(next, Self.reach)
    let piece = [UInt8](piece)
    var index = 0
    while index < piece.count {
      let byte = piece[index]
      let following = index + 1 < piece.count ? piece[index + 1] : 0
      if byte == 0xE2, index + 2 < piece.count, following == 0x80, piece[index + 2] == 0x99 {
        bytes.append(UInt8(ascii: "'"))
        index += 3
        continue
      }
      if byte != UInt8(ascii: "\\")
        || following != UInt8(ascii: "\"") && following != UInt8(ascii: "'")
      {
        bytes.append(byte)
      }
      index += 1
    }
    scan(upTo: bytes.count - Self.reach)
  }

  private mutating func finish() {
    scan(upTo: bytes.count)
    dumps = HashDump.all(in: String(decoding: dumpText, as: UTF8.self))
    elements = surroundings.flatMap(Element.found).uniqued()
    (bytes, surroundings, dumpText) = ([], [], [])
  }

  private mutating func scan(upTo end: Int) {
    // The last bytes in lower case: what a pattern begins with tells whether it may be here.
    var window: UInt64 = 0
    var primed = 0
    var index = next
    while index < min(end + LogPattern.anchorLength - 1, bytes.count) {
      let byte = bytes[index]
      if index < end, index >= next {
        if dumpBytesLeft > 0, dumpText.count < Self.mostOfDumps {
          dumpText.append(byte)
          dumpBytesLeft -= 1
        }
        if byte == UInt8(ascii: "\n") { line += 1 }
      }
      window = (window << 8 | UInt64(byte.lowercased)) & LogPattern.anchorMask
      primed += 1
      let start = index - LogPattern.anchorLength + 1
      if primed >= LogPattern.anchorLength, start < end,
        LogPattern.mayBegin[Int(window % LogPattern.slots)],
        let patterns = LogPattern.byAnchor[window]
      {
        for pattern in patterns { note(pattern, at: start) }
      }
      index += 1
    }
    next = max(next, end)
  }

  private mutating func note(_ pattern: LogPattern, at start: Int) {
    guard let (end, number) = pattern.match(in: bytes, at: start) else { return }
    if pattern.kind == .hashes {
      if dumpBytesLeft == 0 {
        dumpText += bytes[max(0, start - 40)..<start + LogPattern.anchorLength]
      }
      dumpBytesLeft = Self.mostOfOneDump
      return
    }
    let identifier = number.map(String.init) ?? pattern.identifier
    guard pattern.kind == .message || LogPattern.codes.contains(identifier) else { return }
    if let index = messages.firstIndex(where: { $0.identifier == identifier }) {
      messages[index].count += 1
      if messages[index].count > 3 { return }
    } else {
      messages.append(
        Message(identifier: identifier, line: line, text: excerpt(around: start, end)))
    }
    surroundings.append(
      String(
        decoding: bytes[max(0, start - 300)..<min(bytes.count, end + Self.reach)], as: UTF8.self))
  }

  /// The line, at most 160 bytes of it.
  private func excerpt(around start: Int, _ end: Int) -> String {
    let newline = UInt8(ascii: "\n")
    let before = bytes[max(0, start - 60)..<start]
    let first = before.lastIndex(of: newline).map { $0 + 1 } ?? before.startIndex
    let after = bytes[end..<min(bytes.count, max(end, first + 160))]
    let last = after.firstIndex(of: newline) ?? after.endIndex
    let text = String(decoding: bytes[first..<last], as: UTF8.self).trimmingCharacters(
      in: .whitespaces)
    let isCut = last == after.endIndex && last < bytes.count
    return (first > 0 && bytes[first - 1] != newline ? "…" : "") + text + (isCut ? "…" : "")
  }
}

/// What a log is searched for.
private struct LogPattern: Sendable {
  enum Kind { case message, code, hashes }
  let kind: Kind
  let identifier: String
  /// In this order, in lower case, not far from each other.
  let pieces: [[UInt8]]

  static let anchorLength = 6
  static let anchorMask: UInt64 = 0xFFFF_FFFF_FFFF
  static let slots: UInt64 = 65_521
  /// How far apart the pieces of a message are at most.
  private static let mostBetween = 300

  private init(_ kind: Kind, of identifier: String, text: String) {
    (self.kind, self.identifier) = (kind, identifier)
    pieces = text.split(separator: "…").map { Array($0.utf8) }
  }

  private static let all =
    ExplanationIndex.groups.flatMap(\.topics).flatMap { topic in
      topic.patterns.map { LogPattern(.message, of: topic.identifier, text: $0) }
    }
    + [
      "nscocoaerrordomain code=", "nscocoaerrordomain (", "nscocoaerrordomain, code: ",
      "nscocoaerrordomain:",
      "nscocoaerrordomain error ", "cocoa error ", "cocoa-fehler ", "nserrorcode = ",
    ].map { LogPattern(.code, of: "", text: $0) }
    + ["versionhashes", "{length = 32, bytes"].map { LogPattern(.hashes, of: "", text: $0) }

  static let codes = Set(
    Explanation.all.map(\.identifier).filter { Int($0) != nil } + ["134501"])

  static let byAnchor = Dictionary(grouping: all) { pattern in
    pattern.pieces[0].prefix(anchorLength).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }
  static let mayBegin: [Bool] = {
    var slots = [Bool](repeating: false, count: Int(Self.slots))
    for anchor in byAnchor.keys { slots[Int(anchor % Self.slots)] = true }
    return slots
  }()

  /// Where the message ends, and the code in it.
  func match(in bytes: [UInt8], at start: Int) -> (end: Int, code: Int?)? {
    guard Self.has(pieces[0], in: bytes, at: start) else { return nil }
    var end = start + pieces[0].count
    for piece in pieces.dropFirst() {
      let limit = min(bytes.count - piece.count, end + Self.mostBetween)
      guard end <= limit,
        let found = (end...limit).first(where: { Self.has(piece, in: bytes, at: $0) })
      else { return nil }
      end = found + piece.count
    }
    let isDigit = { (index: Int) in index < bytes.count && (48...57).contains(bytes[index]) }
    guard kind == .code else {
      return isDigit(end - 1) && isDigit(end) ? nil : (end, nil)
    }
    var code = 0
    while isDigit(end), code < 1_000_000 {
      code = code * 10 + Int(bytes[end] - 48)
      end += 1
    }
    return code > 0 ? (end, code) : nil
  }

  private static func has(_ piece: [UInt8], in bytes: [UInt8], at start: Int) -> Bool {
    guard start >= 0, start + piece.count <= bytes.count else { return false }
    return piece.indices.allSatisfy { bytes[start + $0].lowercased == piece[$0] }
  }
}

extension UInt8 {
  fileprivate var lowercased: UInt8 { (65...90).contains(self) ? self | 0x20 : self }
}

extension ConsoleLog.Element {
  /// The names in a message and around it.
  fileprivate static func found(in text: String) -> [ConsoleLog.Element] {
    let entities = text.matches(
      of: #/(?i)entity(?:\s+named?)?\s*[=:]?\s*(?:<NSSQLEntity\s+)?["'(]?(\w+)/#
    ).map { String($0.1) }
    let properties = text.matches(
      of:
        #/(?i)(?:\battribute|\brelationship|\bproperty|NSValidationErrorKey|\bkeypath|for the key)\s*[=:]?\s*["']?(\w+)/#
    ).map { String($0.1) }
    return entities.uniqued().prefix(8).flatMap { entity in
      properties.isEmpty
        ? [Self(entity: entity, property: nil)]
        : properties.uniqued().prefix(8).map { Self(entity: entity, property: $0) }
    }
  }
}
