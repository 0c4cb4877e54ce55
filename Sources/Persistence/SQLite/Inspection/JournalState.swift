/// How a store's changes get to disk, and what waits beside it to be merged.
public struct JournalState: Hashable, Sendable {
  public enum Mode: String, Hashable, Sendable {
    /// A write-ahead log, as in all stores since iOS 7.
    case writeAheadLog = "wal"
    case rollbackJournal = "rollback"
  }

  /// What the database's header says; nil when it is too short or damaged.
  public let mode: Mode?
  /// The `-wal` file; nil without one, or when it is empty.
  public let log: WriteAheadLog?
  /// Whether there is a `-wal` file of 0 bytes, which is usual.
  public let hasEmptyLog: Bool
  /// Whether there is a `-shm` file: the store is in use, or wasn't closed.
  public let hasSharedMemory: Bool
  /// Bytes of a `-journal` file.
  public let rollbackByteCount: Int
  /// Whether that journal must be played back: a transaction was cut off by a crash.
  public let hasHotJournal: Bool

  private static let journalMagic = Data([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])

  init(of files: PersistentStoreFiles) {
    let manager = FileManager.default
    mode = Self.mode(of: files.url)
    log = WriteAheadLog(at: files.walURL, of: files.url)
    hasEmptyLog = log == nil && manager.fileExists(atPath: files.walURL.path)
    hasSharedMemory = manager.fileExists(atPath: files.shmURL.path)
    // One that is there and can't be read keeps the store from being opened, which says why.
    let journal = (try? Data(reading: files.journalURL, options: .mappedIfSafe)) ?? Data()
    rollbackByteCount = journal.count
    hasHotJournal = journal.prefix(8) == Self.journalMagic
  }

  /// Bytes 18 and 19 of the header are 2 for a write-ahead log, 1 for a rollback journal.
  private static func mode(of url: URL) -> Mode? {
    // Nil for a file that can't be read: opening it says why.
    guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
    defer { try? file.close() }
    guard let header = try? file.read(upToCount: 20), header.count == 20 else { return nil }
    return switch (header[18], header[19]) {
    case (2, 2): .writeAheadLog
    case (1, 1): .rollbackJournal
    default: nil
    }
  }
}
