import Testing

@testable import Persistence

/// Pages that a thread writes while others are made.
@Suite struct PagesBehindTests {
  private let page = 4096

  /// A file in memory.
  private final class File: @unchecked Sendable {
    private let lock = NSLock()
    private var written: [Int64: [UInt8]] = [:]
    /// The places in the order in which they were written.
    private var order: [Int64] = []
    /// From this place on, writing fails.
    var end = Int64.max

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32 {
      lock.withLock {
        for start in stride(from: 0, to: bytes.count, by: 4096) {
          let place = offset + Int64(start)
          if place >= end { return 13 }
          written[place] = Array(bytes[start..<min(start + 4096, bytes.count)])
          order.append(place)
        }
        return 0
      }
    }

    func page(at offset: Int64) -> [UInt8]? { lock.withLock { written[offset] } }
    var places: [Int64] { lock.withLock { order } }
  }

  private func pages(of file: File) -> PagesBehind {
    PagesBehind { file.write($0, at: $1) }
  }

  @discardableResult
  private func add(_ byte: UInt8, at number: Int, to pages: PagesBehind) -> Int32 {
    [UInt8](repeating: byte, count: page).withUnsafeBytes {
      pages.add($0, at: Int64(number * page))
    }
  }

  /// The byte that a page is full of, as it is read; nil where the file is to be asked.
  private func read(_ number: Int, from pages: PagesBehind) -> UInt8? {
    var bytes = [UInt8](repeating: 0xFF, count: page)
    let reading = bytes.withUnsafeMutableBytes { pages.read(into: $0, at: Int64(number * page)) }
    guard case .done = reading, Set(bytes).count == 1 else { return nil }
    return bytes[0]
  }

  @Test func areAllWrittenInTheirOrder() {
    let file = File()
    let pages = pages(of: file)
    for number in 0..<1000 { add(UInt8(number % 251), at: number, to: pages) }
    #expect(pages.finish() == 0)
    #expect(file.places == (0..<1000).map { Int64($0 * page) })
    #expect((0..<1000).allSatisfy { file.page(at: Int64($0 * page))?[7] == UInt8($0 % 251) })
  }

  @Test func areTheNewestOnesInTheEnd() {
    let file = File()
    let pages = pages(of: file)
    for round in 0..<50 {
      for number in stride(from: 0, to: 100, by: 7) { add(UInt8(round), at: number, to: pages) }
    }
    #expect(pages.finish() == 0)
    for number in stride(from: 0, to: 100, by: 7) {
      #expect(file.page(at: Int64(number * page))?[0] == 49)
    }
  }

  @Test func areReadAsTheyWillBe() {
    let file = File()
    let pages = pages(of: file)
    for number in 0..<200 { add(1, at: number, to: pages) }
    add(2, at: 199, to: pages)
    add(3, at: 0, to: pages)
    // What the thread has written already the file has.
    #expect([nil, 1].contains(read(5, from: pages)))
    #expect(read(199, from: pages) == 2)
    #expect(read(0, from: pages) == 3)
    #expect(read(300, from: pages) == nil)
    #expect(pages.finish() == 0)
    #expect(read(0, from: pages) == nil)
    #expect(file.page(at: 0)?[0] == 3)
  }

  @Test func areInTheFileBeforeBytesThatOverlapAreRead() {
    let file = File()
    let pages = pages(of: file)
    add(1, at: 0, to: pages)
    add(2, at: 2, to: pages)
    var bytes = [UInt8](repeating: 0, count: 2 * page)
    let reading = bytes.withUnsafeMutableBytes { pages.read(into: $0, at: 0) }
    guard case .isInFile = reading else {
      Issue.record("read two pages of which one is on its way: \(reading)")
      return
    }
    #expect(file.page(at: 0)?[0] == 1)
  }

  @Test func mayBeLargerThanWhatIsGathered() {
    let file = File()
    let pages = pages(of: file)
    add(1, at: 0, to: pages)
    let large = [UInt8](repeating: 9, count: 100 * page)
    #expect(large.withUnsafeBytes { pages.add($0, at: Int64(page)) } == 0)
    #expect(pages.finish() == 0)
    #expect(file.places == (0...100).map { Int64($0 * page) })
  }

  @Test func areNotWrittenBehindOneThatFailed() {
    let file = File()
    file.end = Int64(300 * page)
    let pages = pages(of: file)
    for number in 0..<1000 where add(1, at: number, to: pages) != 0 { break }
    #expect(pages.finish() == 13)
    #expect(file.places == (0..<300).map { Int64($0 * page) })
    // Nor is anything later.
    add(1, at: 0, to: pages)
    #expect(pages.finish() == 13)
    #expect(file.places.count == 300)
  }

  @Test func tellOfAFailureAlsoWhereTheyAreFew() {
    let file = File()
    file.end = 0
    let pages = pages(of: file)
    add(1, at: 0, to: pages)
    #expect(pages.finish() == 13)
  }
}
