/// What waits beside a store, in words.
struct JournalText {
  private let file: StoreFileFacts

  init(_ file: StoreFileFacts) { self.file = file }

  var text: String {
    let journal = file.journal
    let mode =
      switch journal.mode {
      case .writeAheadLog: "write-ahead log"
      case .rollbackJournal: "rollback journal"
      case nil: "unknown mode"
      }
    let parts = [mode] + [log, rollback].compactMap { $0 }
    let shared = journal.hasSharedMemory ? ["with a -shm file: in use, or not closed"] : []
    let copy = file.wasReadFromCopy ? ["read from a copy"] : []
    return (parts + shared + copy).joined(separator: "; ")
  }

  private var log: String? {
    let journal = file.journal
    guard journal.mode == .writeAheadLog || journal.log != nil else { return nil }
    guard let log = journal.log else {
      return journal.hasEmptyLog ? "the -wal is empty" : "no -wal"
    }
    guard log.isReadable else {
      return "a -wal of \(log.byteCount.counted("byte")) that isn't a write-ahead log"
    }
    let unfinished =
      log.uncommittedFrames > 0 ? ", and \(log.uncommittedFrames) of an unfinished one" : ""
    let pages = log.committedFrames.counted("page")
    return "the -wal has \(pages) in \(log.commits.counted("transaction"))\(unfinished); "
      + (log.pendingPages == 0
        ? "all are in the database too" : "\(log.pendingPages) not yet in the database")
  }

  private var rollback: String? {
    let journal = file.journal
    guard journal.rollbackByteCount > 0 else { return nil }
    return journal.hasHotJournal
      ? "a -journal of \(journal.rollbackByteCount.counted("byte")) to be rolled back: a change was interrupted"
      : "a -journal of \(journal.rollbackByteCount.counted("byte")) that is no longer needed"
  }
}
