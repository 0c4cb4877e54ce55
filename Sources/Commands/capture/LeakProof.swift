/// Looks for what a store said in the files that were made of it: each byte of each file, as UTF-8 and as UTF-16 in both
/// orders, and what stands there as hexadecimal digits or base64.
struct LeakProof {
  /// What a store said.
  private struct Secret {
    let bytes: [UInt8]
    /// The property, for messages.
    let property: String
    /// Whether it only counts where no letter or digit stands beside it: short numbers are everywhere, and words of
    /// hexadecimal digits in data.
    let isBounded: Bool
  }

  /// By the first four bytes.
  private var secrets: [UInt32: [Secret]] = [:]
  private var known: Set<String> = []
  /// How many different texts are looked for, and how many are too short, or what the app itself says.
  private(set) var count = 0
  private(set) var passedOver = 0
  private let vocabulary: AppVocabulary
  /// What the files have whatever the store holds: names of entities, paths, the words of scenario files.
  private let bareText: String

  /// A text of fewer letters says nothing.
  static let leastLetters = 4
  /// One of fewer letters only counts as a word of its own.
  private static let leastUnbounded = 8
  /// Nor does one of fewer letters and digits together say something.
  static let leastCharacters = 6
  private static let leastBytes = 8

  init(vocabulary: AppVocabulary, bareText: String) {
    self.vocabulary = vocabulary
    self.bareText = bareText.lowercased()
  }

  // MARK: What is looked for

  mutating func add(_ value: Value, of attribute: AttributeDescription) {
    let property = "\(attribute.entity.name).\(attribute.path)"
    switch value {
    case .string(let text): add(text: text, property)
    case .uri(let url): add(text: url.absoluteString, property)
    case .uuid(let uuid): add(uuid, property)
    case .data(let data): add(data, property)
    case .transformable(let value): add(object: value.object, property)
    default: break
    }
  }

  /// A number or a date that was replaced, as a scenario file writes it.
  mutating func add(number value: Value, of attribute: AttributeDescription) {
    guard case .text(let text)? = value.notation(as: attribute), known.insert(text).inserted else {
      return
    }
    let isTelling = text.count { $0.isNumber } >= Self.leastCharacters
    if !isTelling || bareText.contains(text.lowercased()) {
      passedOver += 1
      return
    }
    count += 1
    let property = "\(attribute.entity.name).\(attribute.path)"
    add(Secret(bytes: Array(text.utf8), property: property, isBounded: true))
  }

  /// A number or a date that new ones may be by chance.
  mutating func passOver(number value: Value, of attribute: AttributeDescription) {
    guard case .text(let text)? = value.notation(as: attribute) else { return }
    passedOver += known.insert(text).inserted ? 1 : 0
  }

  private mutating func add(object: Any, _ property: String) {
    switch object {
    case let text as String: add(text: text, property)
    case let url as URL: add(text: url.absoluteString, property)
    case let uuid as UUID: add(uuid, property)
    case let data as Data: add(data, property)
    case let list as [Any]: for item in list { add(object: item, property) }
    case let map as [String: Any]:
      for (key, value) in map {
        add(text: key, property)
        add(object: value, property)
      }
    default: break
    }
  }

  private mutating func add(_ uuid: UUID, _ property: String) {
    // All zeros stands for none.
    if uuid.isNil { return }
    add(whole: uuid.uuidString, property)
    add(whole: uuid.uuidString.lowercased(), property)
    let bytes = withUnsafeBytes(of: uuid.uuid) { Array($0) }
    add(Secret(bytes: bytes, property: property, isBounded: false))
  }

  private mutating func add(_ data: Data, _ property: String) {
    if let bytes = StructuredBytes(data) {
      for value in bytes.values { add(object: value, property) }
      return
    }
    // Bytes that are all alike are anybody's.
    guard data.count >= Self.leastBytes, Set(data).count > 2 else { return }
    if known.insert(data.base64EncodedString()).inserted {
      count += 1
      add(Secret(bytes: Array(data), property: property, isBounded: false))
    }
  }

  /// A text, and each of its words.
  private mutating func add(text: String, _ property: String) {
    // Of thousands some have groups of digits in common by chance.
    if let uuid = UUID(uuidString: text) { return add(uuid, property) }
    if vocabulary.texts.contains(text) {
      passedOver += known.insert(text).inserted ? 1 : 0
      return
    }
    add(whole: text, property)
    for word in WordAnonymizer.words(in: text) where word != text { add(whole: word, property) }
  }

  private mutating func add(whole text: String, _ property: String) {
    guard known.insert(text).inserted else { return }
    let lower = text.lowercased()
    let words = WordAnonymizer.words(in: lower)
    let letters = words.joined().count { $0.isLetter }
    let characters = words.joined().count
    let isTelling = letters >= Self.leastLetters || characters >= Self.leastCharacters
    if !isTelling || bareText.contains(lower) || words.allSatisfy(vocabulary.words.contains) {
      passedOver += 1
      return
    }
    count += 1
    // Digits of data spell `cafe` by chance, and new words of a large store short ones.
    let isBounded = letters < Self.leastUnbounded || lower.allSatisfy(\.isHexDigit)
    for bytes in Self.encodings(of: text) {
      add(Secret(bytes: bytes, property: property, isBounded: isBounded))
    }
    // As a scenario file writes it.
    let written = Notation.text(text).yaml(.double, inFlow: true).dropFirst().dropLast()
    if written != text {
      add(Secret(bytes: Array(written.utf8), property: property, isBounded: isBounded))
    }
  }

  private static func encodings(of text: String) -> [[UInt8]] {
    let units = Array(text.utf16)
    return [
      Array(text.utf8), units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] },
      units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] },
    ]
  }

  private mutating func add(_ secret: Secret) {
    guard secret.bytes.count >= 4 else { return }
    secrets[Self.key(secret.bytes, at: 0), default: []].append(secret)
  }

  private static func key(_ bytes: [UInt8], at place: Int) -> UInt32 {
    UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16 | UInt32(bytes[place + 2]) << 8
      | UInt32(bytes[place + 3])
  }

  // MARK: Looking

  /// What was found, and where.
  struct Leak: Hashable {
    let file: String
    let property: String
    let offset: Int
    /// How the bytes stand there, as `base64`; empty as they are.
    let form: String
  }

  /// All leaks in the files of a folder, the folders in it included; their names are looked at, too.
  /// - Throws: When a file can't be read.
  func leaks(in folder: URL) throws -> [Leak] {
    guard let names = FileManager.default.enumerator(atPath: folder.path) else {
      throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: folder.path])
    }
    var leaks: [Leak] = []
    for case let name as String in names {
      leaks += self.leaks(in: Array(name.utf8), of: name, form: "in the file's name")
      let file = folder.appending(path: name)
      if file.isFolder { continue }
      leaks += self.leaks(inFile: Array(try Data(reading: file)), name)
    }
    return leaks
  }

  func leaks(inFile bytes: [UInt8], _ name: String) -> [Leak] {
    var leaks = leaks(in: bytes, of: name, form: "")
    for run in Self.runs(in: bytes) {
      for (form, decoded) in Self.decodings(of: run.text) {
        leaks += self.leaks(in: decoded, of: name, form: "\(form) at byte \(run.offset)")
      }
    }
    return leaks
  }

  private func leaks(in bytes: [UInt8], of file: String, form: String) -> [Leak] {
    guard bytes.count >= 4, !secrets.isEmpty else { return [] }
    var leaks: [Leak] = []
    bytes.withUnsafeBufferPointer { buffer in
      var key: UInt32 = 0
      for end in buffer.indices {
        key = key << 8 | UInt32(buffer[end])
        guard end >= 3, let candidates = secrets[key] else { continue }
        let start = end - 3
        for secret in candidates where Self.matches(secret, in: buffer, at: start) {
          leaks.append(Leak(file: file, property: secret.property, offset: start, form: form))
        }
      }
    }
    return leaks
  }

  private static func matches(
    _ secret: Secret, in buffer: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> Bool {
    let end = start + secret.bytes.count
    guard end <= buffer.count else { return false }
    for (place, byte) in secret.bytes.enumerated() where buffer[start + place] != byte {
      return false
    }
    if !secret.isBounded { return true }
    let before = start > 0 && isLetterOrDigit(buffer[start - 1])
    let after = end < buffer.count && isLetterOrDigit(buffer[end])
    return !before && !after
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }

  // MARK: Encoded bytes

  private static let leastRun = 8

  /// Stretches of characters that base64 or hexadecimal digits are written with.
  private static func runs(in bytes: [UInt8]) -> [(offset: Int, text: ArraySlice<UInt8>)] {
    var runs: [(Int, ArraySlice<UInt8>)] = []
    var start: Int?
    for (place, byte) in bytes.enumerated() {
      if isLetterOrDigit(byte) || byte == 43 || byte == 47 {
        start = start ?? place
      } else if let begun = start {
        if place - begun >= leastRun { runs.append((begun, bytes[begun..<place])) }
        start = nil
      }
    }
    if let begun = start, bytes.count - begun >= leastRun { runs.append((begun, bytes[begun...])) }
    return runs
  }

  private static func decodings(of run: ArraySlice<UInt8>) -> [(form: String, bytes: [UInt8])] {
    var found: [(String, [UInt8])] = []
    let text = String(decoding: run, as: UTF8.self)
    let digits = text.hasPrefix("0x") ? text.dropFirst(2) : Substring(text)
    if digits.allSatisfy(\.isHexDigit) {
      for skipped in 0...1 {
        let count = (digits.count - skipped) / 2 * 2
        if let data = Data(hexadecimal: digits.dropFirst(skipped).prefix(count)) {
          found.append(("hexadecimal", Array(data)))
        }
      }
    }
    for skipped in 0...3 {
      let part = text.dropFirst(skipped)
      let whole = part.prefix(part.count / 4 * 4)
      if let data = Data(base64Encoded: String(whole)) { found.append(("base64", Array(data))) }
    }
    return found
  }
}

extension UUID {
  /// Whether it stands for none: all of it is zero.
  var isNil: Bool { uuidString.allSatisfy { $0 == "0" || $0 == "-" } }
}
