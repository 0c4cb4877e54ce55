internal import CSQLite

// A connection's file, whose pages are written while SQLite makes others.
//
// SQLite writes a page that leaves its cache and waits until it is written: a tenth of the time that filling
// a table takes. The functions by which it uses the file are exchanged for ones that hand pages over, as long
// as one transaction fills a new file that nobody else may read. It is for what one thread does alone: where
// policies run, two are busy already, and a third one costs them more than it saves.

extension Database {
  /// Writes pages on another thread from now on. For a transaction that nobody else reads beside.
  func writePagesBehind() {
    guard pagesBehind == nil, SecondThread.current != .never, let file = mainFile,
      let methods = file.pointee.pMethods
    else { return }
    pagesBehind = ExchangedMethods(methods, of: file)
  }

  /// Waits until all pages are written; those that come now are written at once.
  /// - Throws: `CoreDataError` where one couldn't be.
  func stopWritingPagesBehind() throws {
    guard let exchanged = pagesBehind else { return }
    pagesBehind = nil
    let code = exchanged.restore()
    if code != SQLITE_OK {
      let message = String(cString: sqlite3_errstr(code))
      throw CoreDataError.sqlite(code, message: message, sql: "COMMIT", file: url)
    }
  }

  private var mainFile: UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = withUnsafeMutablePointer(to: &file) {
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, $0)
    }
    return code == SQLITE_OK ? file : nil
  }
}

/// The functions by which SQLite uses one file, exchanged for others.
final class ExchangedMethods {
  private typealias File = UnsafeMutablePointer<sqlite3_file>

  /// What SQLite finds at a file: the functions, and behind them whose they are.
  private struct Table {
    var methods: sqlite3_io_methods
    let owner: Unmanaged<ExchangedMethods>
  }

  private let file: File
  private let original: UnsafePointer<sqlite3_io_methods>
  private let pages: PagesBehind
  private var table: UnsafeMutablePointer<Table>?

  /// The largest page. SQLite's own function takes no 128 KB.
  private static let mostAtOnce = 64 * 1024

  init(
    _ original: UnsafePointer<sqlite3_io_methods>, of file: UnsafeMutablePointer<sqlite3_file>
  ) {
    self.original = original
    self.file = file
    // The thread writes where the connection may be reading: both name the place, and share no other.
    nonisolated(unsafe) let target = file
    let write = original.pointee.xWrite
    pages = PagesBehind { bytes, offset in
      var done = 0
      while done < bytes.count {
        let count = min(bytes.count - done, Self.mostAtOnce)
        let code = write?(target, bytes.baseAddress! + done, Int32(count), offset + Int64(done))
        if code != SQLITE_OK { return code ?? SQLITE_IOERR }
        done += count
      }
      return SQLITE_OK
    }
    let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
    table.initialize(
      to: Table(methods: Self.methods(beside: original), owner: .passUnretained(self)))
    self.table = table
    file.pointee.pMethods = UnsafeRawPointer(table).assumingMemoryBound(
      to: sqlite3_io_methods.self)
  }

  deinit { _ = restore() }

  /// Waits until all is written, and puts the file's own functions back.
  /// - Returns: SQLite's code for what went wrong.
  func restore() -> Int32 {
    guard let table else { return SQLITE_OK }
    self.table = nil
    let code = pages.finish()
    file.pointee.pMethods = original
    table.deallocate()
    return code
  }

  // MARK: What SQLite calls

  private static func owner(of file: File?) -> Unmanaged<ExchangedMethods> {
    UnsafeRawPointer(file!.pointee.pMethods!).assumingMemoryBound(to: Table.self).pointee.owner
  }

  /// Those that ask for what is written wait for it; others are the file's own.
  private static func methods(
    beside original: UnsafePointer<sqlite3_io_methods>
  ) -> sqlite3_io_methods {
    var methods = original.pointee
    methods.xWrite = { file, bytes, count, offset in
      ExchangedMethods.owner(of: file)._withUnsafeGuaranteedRef {
        $0.pages.add(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset)
      }
    }
    methods.xRead = { file, target, count, offset in
      ExchangedMethods.owner(of: file)._withUnsafeGuaranteedRef {
        $0.read(into: target, count, at: offset)
      }
    }
    methods.xSync = { file, flags in
      ExchangedMethods.afterPages(of: file) { $0.pointee.xSync(file, flags) }
    }
    methods.xTruncate = { file, size in
      ExchangedMethods.afterPages(of: file) { $0.pointee.xTruncate(file, size) }
    }
    methods.xFileSize = { file, size in
      ExchangedMethods.afterPages(of: file) { $0.pointee.xFileSize(file, size) }
    }
    methods.xUnlock = { file, level in
      ExchangedMethods.afterPages(of: file) { $0.pointee.xUnlock(file, level) }
    }
    methods.xClose = { file in
      let owner = ExchangedMethods.owner(of: file).takeUnretainedValue()
      let (code, closing) = (owner.restore(), owner.original.pointee.xClose(file))
      return code == SQLITE_OK ? closing : code
    }
    return methods
  }

  private static func afterPages(
    of file: File?, _ body: (UnsafePointer<sqlite3_io_methods>) -> Int32
  ) -> Int32 {
    owner(of: file)._withUnsafeGuaranteedRef { owner in
      let code = owner.pages.finish()
      let own = body(owner.original)
      return code == SQLITE_OK ? own : code
    }
  }

  private func read(
    into target: UnsafeMutableRawPointer?, _ count: Int32, at offset: Int64
  ) -> Int32 {
    let buffer = UnsafeMutableRawBufferPointer(start: target, count: Int(count))
    switch pages.read(into: buffer, at: offset) {
    case .done: return SQLITE_OK
    case .failed(let code): return code
    case .isInFile: return original.pointee.xRead(file, target, count, offset)
    }
  }
}
