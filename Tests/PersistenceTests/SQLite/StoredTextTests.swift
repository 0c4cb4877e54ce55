import Testing

@testable import Persistence

/// Texts are read as the library reads them, sound or not.
@Suite struct StoredTextTests {
  private static func agree(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
    bytes.withUnsafeBufferPointer { pointer in
      let (own, wanted) = (StoredText.string(pointer), String(decoding: pointer, as: UTF8.self))
      #expect(Array(own.utf8) == Array(wanted.utf8), "\(bytes)", sourceLocation: sourceLocation)
      #expect(own == wanted, sourceLocation: sourceLocation)
      let scan = TextScan(pointer)
      if scan.isSound { #expect(Array(wanted.utf8) == bytes, sourceLocation: sourceLocation) }
      #expect(scan.isASCII == bytes.allSatisfy { $0 < 0x80 }, sourceLocation: sourceLocation)
    }
  }

  /// Every pair of bytes, in the midst of a long text, at its beginning and at its end.
  @Test func everyPairOfBytesAgrees() {
    let padding = [UInt8](repeating: 0x61, count: 70)
    for first in stride(from: 0x7E, through: 0xFF, by: 1).map(UInt8.init) {
      for second in stride(from: 0x7E, through: 0xFF, by: 3).map(UInt8.init) {
        Self.agree(padding + [first, second] + padding)
        Self.agree([first, second] + padding)
        Self.agree(padding + [first, second])
      }
    }
  }

  @Test func randomTextsAgree() {
    var random = SystemRandomNumberGenerator()
    let pieces: [[UInt8]] = ["a", "ö", "Ж", "ж", "א", "字", "🙂", "\0", "é"].map { Array($0.utf8) }
    for _ in 0..<500 {
      var bytes = (0..<Int.random(in: 0...150, using: &random)).flatMap { _ in
        pieces.randomElement(using: &random) ?? []
      }
      Self.agree(bytes)
      guard !bytes.isEmpty else { continue }
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      Self.agree(bytes)
    }
  }

  @Test func commonTextsTakeTheShortWay() {
    let texts = ["A song of the sea", "Sjön är blå i år", "Тихий Дон", "שלום"]
    for text in texts {
      Array(text.utf8).withUnsafeBufferPointer { #expect(TextScan($0).isSound, "\(text)") }
    }
  }
}
