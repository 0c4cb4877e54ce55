import CSQLite

/// SQLite's file system with a ``FaultPlan`` before it: every operation is counted, and then done by the one
/// that SQLite has anyway.
///
/// It is what SQLite's documentation calls a shim: an `sqlite3_vfs` that is registered as the default one, whose
/// files keep a file of the real one behind them.
enum FaultyFileSystem {
  /// Registers it, once; from then on every connection that is opened has its files through it.
  static func install() { _ = isInstalled }

  private static let isInstalled: Bool = {
    guard let real = sqlite3_vfs_find(nil) else { return false }
    let mine = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    mine.initialize(to: sqlite3_vfs())
    mine.pointee.iVersion = 2
    mine.pointee.szOsFile = Int32(ShimFile.size) + real.pointee.szOsFile
    mine.pointee.mxPathname = real.pointee.mxPathname
    mine.pointee.zName = UnsafePointer(strdup("heavyweight-faults"))
    mine.pointee.pAppData = UnsafeMutableRawPointer(real)
    mine.pointee.xOpen = openFile
    mine.pointee.xDelete = deleteFile
    mine.pointee.xAccess = { realSystem($0).pointee.xAccess(realSystem($0), $1, $2, $3) }
    mine.pointee.xFullPathname = { vfs, name, size, result in
      realSystem(vfs).pointee.xFullPathname(realSystem(vfs), name, size, result)
    }
    mine.pointee.xRandomness = { realSystem($0).pointee.xRandomness(realSystem($0), $1, $2) }
    mine.pointee.xSleep = { realSystem($0).pointee.xSleep(realSystem($0), $1) }
    mine.pointee.xCurrentTime = { realSystem($0).pointee.xCurrentTime(realSystem($0), $1) }
    mine.pointee.xGetLastError = { realSystem($0).pointee.xGetLastError(realSystem($0), $1, $2) }
    mine.pointee.xCurrentTimeInt64 = { vfs, time in
      realSystem(vfs).pointee.xCurrentTimeInt64(realSystem(vfs), time)
    }
    return sqlite3_vfs_register(mine, 1) == SQLITE_OK
  }()

  // MARK: The file system's operations

  private static let openFile:
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vfs>?, sqlite3_filename?, UnsafeMutablePointer<sqlite3_file>?,
      Int32, UnsafeMutablePointer<Int32>?
    ) -> Int32 = { vfs, name, file, flags, outFlags in
      guard let file else { return SQLITE_MISUSE }
      // SQLite closes no file that has no methods.
      file.pointee.pMethods = nil
      if meet(.open, name) != nil { return SQLITE_CANTOPEN }
      let real = ShimFile.real(of: file)
      let code = CallDepth.inside {
        realSystem(vfs).pointee.xOpen(realSystem(vfs), name, real, flags, outFlags)
      }
      guard code == SQLITE_OK, let methods = real.pointee.pMethods else { return code }
      ShimFile.name(file, name)
      file.pointee.pMethods = ShimMethods.table(for: methods.pointee.iVersion)
      return code
    }

  private static let deleteFile:
    @convention(c) (UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, Int32) -> Int32 = {
      vfs, name, synchronizes in
      if meet(.remove, name) != nil { return SQLITE_IOERR | (10 << 8) }
      return CallDepth.inside {
        realSystem(vfs).pointee.xDelete(realSystem(vfs), name, synchronizes)
      }
    }
}

/// A file: SQLite's part of it, its name, and the real file behind them.
private enum ShimFile {
  private static let nameOffset = MemoryLayout<sqlite3_file>.stride
  /// As much as keeps any real file aligned.
  static let size = 32

  static func real(of file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<
    sqlite3_file
  > {
    (UnsafeMutableRawPointer(file) + size).assumingMemoryBound(to: sqlite3_file.self)
  }

  /// SQLite keeps the name until the file is closed.
  static func name(_ file: UnsafeMutablePointer<sqlite3_file>, _ name: UnsafePointer<CChar>?) {
    (UnsafeMutableRawPointer(file) + nameOffset).storeBytes(
      of: name, as: UnsafePointer<CChar>?.self)
  }

  static func name(of file: UnsafeMutablePointer<sqlite3_file>) -> UnsafePointer<CChar>? {
    (UnsafeRawPointer(file) + nameOffset).load(as: UnsafePointer<CChar>?.self)
  }
}

/// The operations of a file.
private enum ShimMethods {
  /// As many of them as the real file has.
  static func table(for version: Int32) -> UnsafePointer<sqlite3_io_methods> {
    tables[Int(min(max(version, 1), 3)) - 1]
  }

  nonisolated(unsafe) private static let tables: [UnsafePointer<sqlite3_io_methods>] = (1...3).map {
    let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    table.initialize(to: methods(version: Int32($0)))
    return UnsafePointer(table)
  }

  private static func methods(version: Int32) -> sqlite3_io_methods {
    var methods = sqlite3_io_methods()
    methods.iVersion = version
    addContent(to: &methods)
    addLocks(to: &methods)
    if version >= 2 { addSharedMemory(to: &methods) }
    if version >= 3 { addMapping(to: &methods) }
    return methods
  }

  private static func addContent(to methods: inout sqlite3_io_methods) {
    methods.xClose = { file in
      let code = own(file).xClose(real(file))
      file?.pointee.pMethods = nil
      return code
    }
    methods.xRead = { file, buffer, count, offset in
      if meet(.read, file) != nil { return SQLITE_IOERR | (1 << 8) }
      return own(file).xRead(real(file), buffer, count, offset)
    }
    methods.xWrite = { file, buffer, count, offset in
      switch meet(.write, file, bytes: Int(count)) {
      case nil, .death: return own(file).xWrite(real(file), buffer, count, offset)
      case .failure(let number): return writeError(number)
      case .deathHalfway:
        _ = own(file).xWrite(real(file), buffer, count / 2, offset)
        FaultPlan.die()
      case .failureHalfway(let number):
        _ = own(file).xWrite(real(file), buffer, count / 2, offset)
        return writeError(number)
      }
    }
    methods.xTruncate = { file, size in
      if meet(.truncate, file) != nil { return SQLITE_IOERR | (6 << 8) }
      return own(file).xTruncate(real(file), size)
    }
    methods.xSync = { file, flags in
      if meet(.sync, file) != nil { return SQLITE_IOERR | (4 << 8) }
      return own(file).xSync(real(file), flags)
    }
    methods.xFileSize = { own($0).xFileSize(real($0), $1) }
  }

  private static func addLocks(to methods: inout sqlite3_io_methods) {
    methods.xLock = { own($0).xLock(real($0), $1) }
    methods.xUnlock = { own($0).xUnlock(real($0), $1) }
    methods.xCheckReservedLock = { own($0).xCheckReservedLock(real($0), $1) }
    methods.xFileControl = { own($0).xFileControl(real($0), $1, $2) }
    methods.xSectorSize = { own($0).xSectorSize(real($0)) }
    methods.xDeviceCharacteristics = { own($0).xDeviceCharacteristics(real($0)) }
  }

  private static func addSharedMemory(to methods: inout sqlite3_io_methods) {
    methods.xShmMap = { file, region, size, extends, result in
      if extends != 0, meet(.open, file, suffix: "-shm") != nil { return SQLITE_IOERR | (21 << 8) }
      return own(file).xShmMap(real(file), region, size, extends, result)
    }
    methods.xShmLock = { own($0).xShmLock(real($0), $1, $2, $3) }
    methods.xShmBarrier = { own($0).xShmBarrier(real($0)) }
    methods.xShmUnmap = { file, deletes in
      CallDepth.inside { own(file).xShmUnmap(real(file), deletes) }
    }
  }

  private static func addMapping(to methods: inout sqlite3_io_methods) {
    methods.xFetch = { own($0).xFetch(real($0), $1, $2, $3) }
    methods.xUnfetch = { own($0).xUnfetch(real($0), $1, $2) }
  }
}

// C functions know no more than what is global.

private func real(
  _ file: UnsafeMutablePointer<sqlite3_file>?
) -> UnsafeMutablePointer<sqlite3_file> { ShimFile.real(of: file!) }

/// The real file's own operations.
private func own(_ file: UnsafeMutablePointer<sqlite3_file>?) -> sqlite3_io_methods {
  real(file).pointee.pMethods.pointee
}

private func meet(
  _ kind: FilePoint.Kind, _ file: UnsafeMutablePointer<sqlite3_file>?, suffix: String = "",
  bytes: Int? = nil
) -> FileFault? {
  meet(kind, file.flatMap(ShimFile.name), suffix: suffix, bytes: bytes)
}

private func writeError(_ number: Int32) -> Int32 {
  number == ENOSPC ? SQLITE_FULL : SQLITE_IOERR | (3 << 8)
}

/// Counts an operation of SQLite's on the file of a name; those without one are nobody else's.
private func meet(
  _ kind: FilePoint.Kind, _ name: UnsafePointer<CChar>?, suffix: String = "", bytes: Int? = nil
) -> FileFault? {
  guard let name, let plan = FaultPlan.current else { return nil }
  return plan.meet(kind, caller: .sqlite, path: String(cString: name) + suffix, bytes: bytes)
}

private func realSystem(
  _ mine: UnsafeMutablePointer<sqlite3_vfs>?
) -> UnsafeMutablePointer<sqlite3_vfs> {
  mine!.pointee.pAppData.assumingMemoryBound(to: sqlite3_vfs.self)
}
