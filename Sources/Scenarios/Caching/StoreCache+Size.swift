// How much is kept.

extension StoreCache {
  /// Removes the entries that were used longest ago, until the rest is small enough. To be called when
  /// everything has run.
  func trim() {
    // What isn't removed now is removed by the next call. Looking at all of a full cache takes longer than many a run.
    try? CacheTally.holding(tallyFile) { tally in
      if tally.bytes.map({ $0 > mostBytes }) ?? true { tally.bytes = shrink(to: mostBytes) }
    }
  }

  /// Runs what adds a store to the entries, after removing as many as it takes for room. Whoever else
  /// writes to the folder waits meanwhile.
  /// - Parameter add: Makes the entry and returns its folder; nil when it couldn't.
  func withRoom(for store: PersistentStoreFiles, _ add: () -> URL?) {
    let bytes =
      store.size + Self.bytes(in: store.externalDataFolderURL) + Self.descriptionAllowance
    if bytes > mostBytes { return }
    // Nothing depends on an entry being there.
    try? CacheTally.holding(tallyFile) { tally in
      var kept = tally.bytes ?? shrink(to: mostBytes)
      // Somewhat more than is needed, so that not every new entry looks at all the others.
      if kept + bytes > mostBytes { kept = shrink(to: (mostBytes - bytes) * 9 / 10) }
      tally.bytes = kept + (add().map(Self.bytes) ?? 0)
    }
  }

  /// What an entry has beside its store: seldom more.
  private static let descriptionAllowance: Int64 = 4096

  private var tallyFile: URL { workshop.appending(path: "stores-size") }

  /// Removes entries, those used longest ago first.
  /// - Returns: The bytes of those that stay.
  private func shrink(to most: Int64) -> Int64 {
    var kept: Int64 = 0
    for entry in listing().sorted(by: { $0.used > $1.used }) {
      if kept + entry.bytes <= most { kept += entry.bytes } else { discard(entry.url) }
    }
    return kept
  }

  private struct Listed {
    let url: URL
    let used: Date
    let bytes: Int64
  }

  private func listing() -> [Listed] {
    // What can't be listed or asked can't be removed either.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.compactMap { name in
      let url = folder.appending(path: name)
      guard let facts = Self.facts(of: url.path) else { return nil }
      let used = Date(timeIntervalSince1970: Double(facts.st_mtim.tv_sec))
        .addingTimeInterval(Double(facts.st_mtim.tv_nsec) * 1e-9)
      return Listed(url: url, used: used, bytes: Self.bytes(in: url))
    }
  }

  private static func bytes(in folder: URL) -> Int64 {
    let manager = FileManager.default
    let names = manager.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return names.reduce(0) { total, name in
      // An entry may go while it is being measured.
      total + Int64(facts(of: folder.path + "/" + name)?.st_size ?? 0)
    }
  }

  /// Foundation would look up each file's owner by name, which takes longer than many a call with a full cache.
  private static func facts(of path: String) -> stat? {
    var facts = stat()
    return lstat(path, &facts) == 0 ? facts : nil
  }
}

/// The file that says how many bytes a cache's entries have, and that is locked by whoever changes that.
private struct CacheTally {
  /// Nil where nobody has counted, or the number can't be read.
  var bytes: Int64?

  /// Reads the number, and writes what `body` makes of it. Others wait meanwhile.
  /// - Throws: `POSIXError` where the file can't be made or written; what `body` throws.
  static func holding(_ file: URL, _ body: (inout CacheTally) throws -> Void) throws {
    let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    defer { close(descriptor) }
    // Where a file system has no locks, calls at the same time may keep somewhat too much.
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    var buffer = [UInt8](repeating: 0, count: 24)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    let text = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    var tally = CacheTally(bytes: Int64(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    try body(&tally)
    let line = Array("\(tally.bytes ?? 0)".utf8) + Array(repeating: UInt8(ascii: " "), count: 20)
    guard pwrite(descriptor, Array(line.prefix(20)), 20, 0) == 20 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }
}
