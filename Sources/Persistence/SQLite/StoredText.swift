/// Makes strings of the bytes that a store has as text.
enum StoredText {
  /// The text of some bytes; what isn't UTF-8 among them becomes U+FFFD.
  @inline(__always)
  static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    bytes.count < shortestScanned ? String(decoding: bytes, as: UTF8.self) : longString(bytes)
  }

  /// Below it the library is fast enough.
  private static let shortestScanned = 64

  /// The library looks at one character after the other where they aren't ASCII, which takes most of
  /// the time of reading long texts.
  private static func longString(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let scan = TextScan(bytes)
    guard scan.isSound else { return String(decoding: bytes, as: UTF8.self) }
    let span = UTF8Span(unchecked: Span(_unsafeElements: bytes), isKnownASCII: scan.isASCII)
    return String(copying: span)
  }
}

/// Whether bytes are UTF-8 of nothing but one and two bytes a character, as most European and Near
/// Eastern texts are.
///
/// One pass without branches, which the compiler makes of wide instructions.
struct TextScan {
  let isASCII: Bool
  /// False also for sound texts with longer characters.
  let isSound: Bool

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress, bytes.count > 0 else {
      (isASCII, isSound) = (true, true)
      return
    }
    var high = start[0]
    var strange = Self.isContinuation(start[0]) | Self.isOther(start[0])
    var index = 1
    while index < bytes.count {
      let (before, byte) = (start[index &- 1], start[index])
      high |= byte
      strange |= (Self.isFirstOfTwo(before) ^ Self.isContinuation(byte)) | Self.isOther(byte)
      index &+= 1
    }
    strange |= Self.isFirstOfTwo(start[bytes.count - 1])
    isASCII = high < 0x80
    isSound = strange == 0
  }

  @inline(__always)
  private static func isFirstOfTwo(_ byte: UInt8) -> UInt8 { byte &- 0xC2 < 0x1E ? 1 : 0 }

  @inline(__always)
  private static func isContinuation(_ byte: UInt8) -> UInt8 { byte & 0xC0 == 0x80 ? 1 : 0 }

  /// The first of more than two, and what is in no UTF-8.
  @inline(__always)
  private static func isOther(_ byte: UInt8) -> UInt8 {
    (byte >= 0xE0 ? 1 : 0) | (byte & 0xFE == 0xC0 ? 1 : 0)
  }
}
