import Testing

@testable import Persistence

/// An index over hashes names all rows that may have a value.
@Suite struct KeyIndexTests {
  private static func hash(_ text: String) throws -> UInt32 {
    try #require(KeyIndex.hash(.string(text)))
  }

  @Test func everyRowIsFoundByItsValue() throws {
    let index = KeyIndex(hierarchy: 0, column: "ZNAME", slot: 0)
    let names = (1...5000).map { "\($0) song \(String(repeating: "x", count: $0 % 23))" }
    for (row, name) in names.enumerated() { index.add(Int64(row + 1), hash: try Self.hash(name)) }
    for (row, name) in names.enumerated() {
      #expect(index.keys(hash: try Self.hash(name))?.contains(Int64(row + 1)) == true)
    }
  }

  @Test func equalValuesAreFoundInOrderAndOnce() throws {
    let index = KeyIndex(hierarchy: 0, column: "ZNAME", slot: 0)
    let hash = try Self.hash("same")
    for key: Int64 in [9, 3, 700, 3, 9] { index.add(key, hash: hash) }
    index.reserve(10_000)
    #expect(index.keys(hash: hash) == [3, 9, 700])
    #expect(index.keys(hash: hash &+ 1) == [])
  }

  @Test func textsHashAsTheirBytes() throws {
    for text in ["", "a", "1234567", "12345678", "123456789", "Schöne Töne ♪", "\0", "a\0"] {
      let bytes = Array(text.utf8)
      let hash = bytes.withUnsafeBytes { KeyIndex.hash($0) }
      #expect(hash == (try Self.hash(text)))
    }
    #expect(try Self.hash("a") != Self.hash("a\0"))
    #expect(KeyIndex.hash(.integer(7)) == KeyIndex.hash(7))
    #expect(KeyIndex.hash(.null) == nil)
    #expect(KeyIndex.hash(.double(1)) == nil)
  }

  /// Each would be passed by whenever one more is added.
  @Test func aValueOfVeryManyRowsIsLeftToTheStore() {
    let index = KeyIndex(hierarchy: 0, column: "ZNAME", slot: 0)
    for key in 1..<Int64(KeyIndex.mostOfOneValue) { index.add(key, hash: 1) }
    #expect(index.keys(hash: 1)?.count == KeyIndex.mostOfOneValue - 1)
    for key in 1000..<Int64(1010) { index.add(key, hash: 1) }
    #expect(index.isGivenUp)
    #expect(index.keys(hash: 1) == nil)
    #expect(index.keys(hash: 2) == nil)
  }

  @Test func theDefaultValueIsLeftToTheStore() throws {
    let index = KeyIndex(hierarchy: 0, column: "ZNUMBER", slot: 0, defaultValue: .integer(0))
    let hashes = try [0, 5].map { try #require(KeyIndex.hash(.integer($0))) }
    for key: Int64 in 1...2000 { index.add(key, hash: hashes[0]) }
    index.add(3, hash: hashes[1])
    #expect(!index.isGivenUp)
    #expect(index.keys(hash: hashes[0]) == nil)
    #expect(index.keys(hash: hashes[1]) == [3])
  }

  @Test func rowsWithHugeKeysAreLeftToTheStore() {
    let index = KeyIndex(hierarchy: 0, column: "ZNAME", slot: 0)
    index.add(1, hash: 1)
    #expect(!index.isGivenUp)
    index.add(1 << 32, hash: 1)
    #expect(index.isGivenUp)
  }
}
