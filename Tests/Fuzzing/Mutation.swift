import Foundation
import TestSupport

/// Changes an input in a few places, as damage, carelessness or malice would.
struct Mutation {
  let words: [String]
  let others: [Data]
  private static let largest = 64 * 1024

  func changed(_ input: Data, _ random: inout RandomSource) -> Data {
    var bytes = Array(input)
    for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes, &random) }
    return Data(bytes.prefix(max(Self.largest, input.count)))
  }

  private func change(_ bytes: inout [UInt8], _ random: inout RandomSource) {
    if bytes.isEmpty { return insert(&bytes, &random) }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: bytes[place(in: bytes, &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1:
      bytes[place(in: bytes, &random)] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random)!
    case 2: bytes.removeSubrange(range(in: bytes, &random))
    case 3: repeatPart(of: &bytes, &random)
    case 4: bytes.removeLast(bytes.count - place(in: bytes, &random))
    case 5: changeNumber(in: &bytes, &random)
    case 6: splice(&bytes, &random)
    case 7: swapParts(of: &bytes, &random)
    default: insert(&bytes, &random)
    }
  }

  private func place(in bytes: [UInt8], _ random: inout RandomSource) -> Int {
    Int.random(in: 0..<bytes.count, using: &random)
  }

  private func range(in bytes: [UInt8], _ random: inout RandomSource) -> Range<Int> {
    let start = place(in: bytes, &random)
    let longest = [1, 8, 64, 1024].randomElement(using: &random)!
    return start..<min(bytes.count, start + Int.random(in: 1...longest, using: &random))
  }

  /// Up to thousands of times, which is how nesting and long lists come about.
  private func repeatPart(of bytes: inout [UInt8], _ random: inout RandomSource) {
    let part = range(in: bytes, &random)
    let often = [1, 3, 100, 5_000].randomElement(using: &random)!
    let times = min(often, Self.largest / max(1, part.count))
    let copies = Array(repeatElement(bytes[part], count: times).joined())
    bytes.insert(contentsOf: copies, at: part.upperBound)
  }

  private func changeNumber(in bytes: inout [UInt8], _ random: inout RandomSource) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let start = place(in: bytes, &random)
    guard let first = bytes[start...].firstIndex(where: digits.contains) else { return }
    let end = bytes[first...].firstIndex { !digits.contains($0) } ?? bytes.count
    bytes.replaceSubrange(
      first..<end, with: Array(Self.numbers.randomElement(using: &random)!.utf8))
  }

  private static let numbers = [
    "0", "-1", "1e400", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "65536", "2147483648", "0.1e-400", "00", "1_0", "NaN", "١٢",
    "1" + String(repeating: "0", count: 400),
  ]

  private func splice(_ bytes: inout [UInt8], _ random: inout RandomSource) {
    guard let other = others.randomElement(using: &random), !other.isEmpty else { return }
    let part = range(in: Array(other), &random)
    bytes.replaceSubrange(range(in: bytes, &random), with: Array(other)[part])
  }

  private func swapParts(of bytes: inout [UInt8], _ random: inout RandomSource) {
    let (a, b) = (range(in: bytes, &random), range(in: bytes, &random))
    if a.overlaps(b) { return }
    let (first, second) = a.lowerBound < b.lowerBound ? (a, b) : (b, a)
    let (early, late) = (Array(bytes[first]), Array(bytes[second]))
    bytes.replaceSubrange(second, with: early)
    bytes.replaceSubrange(first, with: late)
  }

  private func insert(_ bytes: inout [UInt8], _ random: inout RandomSource) {
    let word = (words + Self.texts).randomElement(using: &random)!
    let place = Int.random(in: 0...bytes.count, using: &random)
    bytes.insert(contentsOf: Array(word.utf8), at: place)
  }

  private static let texts = [
    "\u{0}", "\u{FEFF}", "\u{202E}", "e\u{301}\u{302}\u{303}", "🏳️‍🌈", "\u{1B}[2J", "\r", "\n", "\t",
    "\"", "'",
    "\\", "<", ">", "&", "%", "../", "::error::", "]]>", "\u{2028}", "\u{7F}", "${HOME}",
  ]
}
