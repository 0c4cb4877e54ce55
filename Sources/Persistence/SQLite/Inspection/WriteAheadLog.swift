/// What a `-wal` file holds: https://www.sqlite.org/fileformat2.html#walformat
public struct WriteAheadLog: Hashable, Sendable {
  public private(set) var byteCount: Int
  /// Pages that were written and committed; a page that changed twice counts twice.
  public private(set) var committedFrames = 0
  public private(set) var commits = 0
  /// Transactions that were committed and have a wrong checksum in or before them: SQLite drops them in silence.
  public private(set) var brokenCommits = 0
  /// Pages of a transaction that was never finished; SQLite ignores them.
  public private(set) var uncommittedFrames = 0
  /// Committed pages whose newest content isn't in the database file yet.
  public private(set) var pendingPages = 0
  /// Whether the file is a write-ahead log at all.
  public private(set) var isReadable = false

  /// Reads the log at `url`; nil when there is none or it is empty, as SQLite leaves it behind.
  /// - Complexity: O(*n*) in the size of the log.
  init?(at url: URL, of database: URL) {
    // One that can't be read keeps the store from being opened, which says why.
    guard let log = try? Data(reading: url, options: .mappedIfSafe), !log.isEmpty else {
      return nil
    }
    byteCount = log.count
    guard let header = Header(log) else { return }
    isReadable = true
    let frames = header.frames(in: log)
    let committed = frames.lastIndex { $0.isCommit && $0.isIntact }.map { frames[...$0] } ?? []
    committedFrames = committed.count
    commits = committed.count { $0.isCommit }
    let others = frames[committed.endIndex...]
    // An app that is killed between the two writes of its last frame leaves the mark, and a page of the older log.
    let isCut =
      frames.dropLast().allSatisfy(\.isIntact)
      && frames.last.map { $0.content + header.pageSize < log.count } == true
    let broken = isCut ? [] : others.lastIndex { $0.isCommit }.map { others[...$0] } ?? []
    brokenCommits = broken.count { $0.isCommit }
    uncommittedFrames = others.count - broken.count
    pendingPages = Self.pending(committed, pageSize: header.pageSize, log: log, database: database)
  }

  private static func pending(
    _ frames: ArraySlice<Frame>, pageSize: Int, log: Data, database: URL
  ) -> Int {
    // The store is open by then: what can't be read of it is counted as changed.
    let file = (try? Data(reading: database, options: .mappedIfSafe)) ?? Data()
    let newest = Dictionary(frames.map { ($0.page, $0) }, uniquingKeysWith: { _, later in later })
    return newest.values.count { frame in
      let start = (frame.page - 1) * pageSize
      guard start >= 0, start + pageSize <= file.count else { return true }
      return file[start..<start + pageSize] != log[frame.content..<frame.content + pageSize]
    }
  }
}

// MARK: - Frames

extension WriteAheadLog {
  fileprivate struct Frame {
    let page: Int
    let isCommit: Bool
    /// Whether the checksums up to here are right. Those of an unfinished transaction needn't be.
    let isIntact: Bool
    /// Where the page's bytes begin in the log.
    let content: Int
  }

  fileprivate struct Header {
    let pageSize: Int
    private let isBigEndian: Bool
    private let salt: Data
    private let checksum: Checksum
    private static let byteCount = 32
    private static let frameHeader = 24

    init?(_ log: Data) {
      guard log.count >= Self.byteCount else { return nil }
      let magic = log.bigEndian(at: 0)
      guard magic == 0x377f_0682 || magic == 0x377f_0683 else { return nil }
      let size = Int(log.bigEndian(at: 8))
      guard size >= 512, size <= 65536, size & (size - 1) == 0 else { return nil }
      pageSize = size
      isBigEndian = magic & 1 == 1
      salt = log.subdata(in: 16..<24)
      var checksum = Checksum()
      checksum.add(log[0..<24], isBigEndian: isBigEndian)
      guard checksum.equals(log, at: 24) else { return nil }
      self.checksum = checksum
    }

    /// The frames up to the first that isn't of this log: what follows is left from an older one.
    func frames(in log: Data) -> [Frame] {
      var (frames, running, start, isIntact) = ([Frame](), checksum, Self.byteCount, true)
      while start + Self.frameHeader + pageSize <= log.count {
        let content = start + Self.frameHeader
        guard log.subdata(in: start + 8..<start + 16) == salt else { break }
        running.add(log[start..<start + 8], isBigEndian: isBigEndian)
        running.add(log[content..<content + pageSize], isBigEndian: isBigEndian)
        isIntact = isIntact && running.equals(log, at: start + 16)
        frames.append(
          Frame(
            page: Int(log.bigEndian(at: start)), isCommit: log.bigEndian(at: start + 4) != 0,
            isIntact: isIntact, content: content))
        start = content + pageSize
      }
      return frames
    }
  }

  /// SQLite's running checksum over pairs of 32-bit words.
  fileprivate struct Checksum {
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    mutating func add(_ bytes: Data, isBigEndian: Bool) {
      bytes.withUnsafeBytes { buffer in
        for offset in stride(from: 0, to: buffer.count - 7, by: 8) {
          let a = buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
          let b = buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
          first &+= (isBigEndian ? UInt32(bigEndian: a) : UInt32(littleEndian: a)) &+ second
          second &+= (isBigEndian ? UInt32(bigEndian: b) : UInt32(littleEndian: b)) &+ first
        }
      }
    }

    func equals(_ log: Data, at offset: Int) -> Bool {
      log.bigEndian(at: offset) == first && log.bigEndian(at: offset + 4) == second
    }
  }
}

extension Data {
  /// The 32-bit number at an offset, most significant byte first.
  fileprivate func bigEndian(at offset: Int) -> UInt32 {
    withUnsafeBytes { UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
  }
}
