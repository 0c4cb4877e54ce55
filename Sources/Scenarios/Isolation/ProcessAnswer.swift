/// What a process leaves in a file for the one that started it.
///
/// The process may have run anybody's code, which can write there what it likes. So no more is read than an honest
/// process would leave, of nothing but an ordinary file, and what is read has to have the form of an answer before
/// anybody counts with it.
package enum ProcessAnswer {
  /// An answer is in memory before it is written, as is what it is about.
  private static let shareOfMemory = 2
  private static let mostBytes = 1 << 30

  package static func write(_ answer: some Encodable, to file: URL) throws {
    try JSONEncoder().encode(answer).write(to: file, options: .atomic)
  }

  /// - Parameter sources: The files that places in the answer may be in, by path.
  /// - Throws: ``ForeignAnswer`` for a file that isn't an answer.
  package static func read<Answer: Decodable>(
    _ file: URL, within limits: RunLimits, sources: [String: SourceFile] = [:]
  ) throws -> Answer {
    do {
      let most = min(limits.bytes / shareOfMemory, mostBytes)
      guard let data = try FileCalls.readOrdinaryFile(file, atMost: most) else {
        throw POSIXError(.ENOENT)
      }
      return try decode(data, sources: sources)
    } catch {
      if let fault = MachineFault(error) { throw fault }
      throw ForeignAnswer(reason: error.plainText)
    }
  }

  /// - Throws: `DecodingError` for bytes that are no such answer, or that would do harm.
  package static func decode<Answer: Decodable>(
    _ data: Data, sources: [String: SourceFile] = [:]
  ) throws -> Answer {
    try data.withUnsafeBytes { try AnswerForm(bytes: $0).check() }
    let decoder = JSONDecoder()
    decoder.userInfo[.sourceFiles] = sources
    return try decoder.decode(Answer.self, from: data)
  }

  /// What a process notes for the report on its end; nil where there is nothing of the kind.
  static func note(_ file: URL, atMost most: Int = PrintedText.mostWholeBytes) -> Data? {
    // Without it the report on a process that died says less.
    try? FileCalls.readOrdinaryFile(file, atMost: most)
  }
}

/// A process left something else than an answer.
package struct ForeignAnswer: Error, CustomStringConvertible, LocalizedError {
  let reason: String

  package var description: String {
    "the process left something that is no answer of this tool's: \(reason)"
  }
  package var errorDescription: String? { description }
}

/// What is looked at of an answer's JSON before it is decoded: nothing in it is so deep, so many or so great that it
/// would end the process that reads it, or that adds up its numbers.
private struct AnswerForm {
  let bytes: UnsafeRawBufferPointer

  private static let deepest = 100
  private static let mostValues = 4_000_000
  /// As many of these as there may be can be added up.
  private static let greatest = 1e12
  /// The one number below zero that an answer may have: an error's.
  private static let signedKey = Array("\"code\":".utf8)

  func check() throws {
    var (index, depth, values) = (0, 0, 0)
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index = endOfText(from: index)
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"): (depth, values) = (depth + 1, values + 1)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ","): values += 1
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        index = try endOfNumber(from: index)
        continue
      default: break
      }
      if depth > Self.deepest { throw problem("it is too deep", at: index) }
      if values > Self.mostValues { throw problem("it has too many parts", at: index) }
      index += 1
    }
  }

  private func endOfText(from start: Int) -> Int {
    var index = start + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return index + 1
  }

  private func endOfNumber(from start: Int) throws -> Int {
    let end =
      bytes[start...].firstIndex { !"+-.0123456789Ee".utf8.contains($0) } ?? bytes.endIndex
    // Longer ones than any number of an honest answer aren't looked at.
    let number =
      end - start > 32 ? nil : Double(String(decoding: bytes[start..<end], as: UTF8.self))
    guard let number, abs(number) <= Self.greatest,
      number.sign == .plus
        || bytes[..<start].suffix(Self.signedKey.count).elementsEqual(Self.signedKey)
    else { throw problem("a number in it can't be right", at: start) }
    return end
  }

  private func problem(_ text: String, at index: Int) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "\(text) (byte \(index))"))
  }
}
