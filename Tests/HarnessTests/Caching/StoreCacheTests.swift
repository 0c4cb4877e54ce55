import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// How much is kept, and for how long.
@Suite struct StoreCacheTests {
  private let folder: TemporaryFolder
  private static let storeBytes = 20_000

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(String(repeating: "x", count: Self.storeBytes), to: "given/store.sqlite")
  }

  private func cache(holding count: Double) -> StoreCache {
    StoreCache(
      in: folder.url.appending(path: "cache"), mostBytes: Int64(Double(Self.storeBytes) * count))
  }

  private func keep(_ key: String, in cache: StoreCache) throws {
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "cache"), withIntermediateDirectories: true)
    let store = PersistentStoreFiles(folder.url.appending(path: "given/store.sqlite"))
    cache.keep(store, with: key, as: key)
  }

  /// What is kept under a key.
  private func content(_ key: String, of cache: StoreCache) throws -> String? {
    let place = folder.url.appending(path: "taken-\(UUID().uuidString)/store.sqlite")
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    return cache.take(key, as: String.self, to: PersistentStoreFiles(place))
  }

  /// Bytes of all that is in the cache's folder.
  private func bytes() -> Int {
    let root = folder.url.appending(path: "cache").path
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return names.reduce(0) { total, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(root)/\(name)")
      guard attributes?[.type] as? FileAttributeType == .typeRegular else { return total }
      return total + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
    }
  }

  /// What is said of a store decides a verdict as the store does.
  @Test(.tags(.random), .tiered) func anEntryWithAnyChangedByteIsThrownAway() throws {
    let cache = cache(holding: 5)
    try keep("key", in: cache)
    let file = folder.url.appending(path: "cache/stores/key/entry.plist")
    let whole = try Data(contentsOf: file)
    for index in whole.indices {
      var changed = whole
      changed[index] ^= 1
      try changed.write(to: file)
      #expect(try content("key", of: cache) == nil, "byte \(index)")
      #expect(!FileManager.default.fileExists(atPath: file.path))
      try keep("key", in: cache)
    }
    #expect(try content("key", of: cache) == "key")
  }

  @Test func anEntryCountsUnderItsOwnKeyOnly() throws {
    let cache = cache(holding: 5)
    try keep("key", in: cache)
    let stores = folder.url.appending(path: "cache/stores")
    try FileManager.default.moveItem(
      at: stores.appending(path: "key"), to: stores.appending(path: "other"))
    #expect(try content("other", of: cache) == nil)
  }

  @Test func nobodyElseMayLookIntoWhatIsKept() throws {
    try keep("key", in: cache(holding: 5))
    for path in ["cache/stores", "cache/stores/key"] {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: folder.url.appending(path: path).path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    }
  }

  @Test func whatIsKeptNeverGrowsOverItsBound() throws {
    let cache = cache(holding: 5.5)
    for number in 1...20 {
      try keep("key\(number)", in: cache)
      #expect(bytes() <= Int(cache.mostBytes))
      #expect(try content("key\(number)", of: cache) == "key\(number)")
    }
    #expect(bytes() > Self.storeBytes * 2)
  }

  @Test func whatWasUsedLongestAgoGoesFirst() throws {
    let cache = cache(holding: 4)
    for key in ["first", "second", "third"] { try keep(key, in: cache) }
    let stores = folder.url.appending(path: "cache/stores")
    for (age, key) in [(30.0, "first"), (20, "second"), (10, "third")] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)],
        ofItemAtPath: stores.appending(path: key).path)
    }
    // Taking is using.
    #expect(try content("first", of: cache) == "first")
    try keep("fourth", in: cache)
    #expect(try content("second", of: cache) == nil)
    #expect(try content("first", of: cache) == "first")
    #expect(try content("fourth", of: cache) == "fourth")
  }

  @Test func aStoreThatIsLargerThanAllMayBeIsNotKept() throws {
    let cache = cache(holding: 0.9)
    try keep("key", in: cache)
    #expect(try content("key", of: cache) == nil)
    #expect(bytes() == 0)
  }

  @Test func whoeverWritesAtTheSameTimeKeepsWithinTheSameBound() throws {
    let cache = cache(holding: 4)
    let most = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 8) { writer in
      for number in 1...10 {
        try? keep("key\(writer)-\(number)", in: cache)
        let now = bytes()
        most.withLock { $0 = max($0, now) }
      }
    }
    // One entry may be on its way in while others are on their way out.
    #expect(most.withLock(\.self) <= Int(cache.mostBytes))
    #expect(most.withLock(\.self) >= Self.storeBytes)
  }

  /// Somebody removed entries by hand, or the file was cut off.
  @Test(arguments: ["", "nonsense", "99999999999999999"])
  func aCountThatIsNotRightIsMadeAnew(_ text: String) throws {
    let cache = cache(holding: 4)
    try keep("first", in: cache)
    try folder.write(text, to: "cache/stores-size")
    try keep("second", in: cache)
    #expect(try content("second", of: cache) == "second")
    #expect(bytes() <= Int(cache.mostBytes))
  }
}
