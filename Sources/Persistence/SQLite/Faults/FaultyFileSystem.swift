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
    mine.pointee.xAccess = { vfs, name, flags, result in
      realSystem(vfs).pointee.xAccess(realSystem(vfs), name, flags, result)
    }
    mine.pointee.xFullPathname = { vfs, name, size, result in
      realSystem(vfs).pointee.xFullPathname(realSystem(vfs), name, size, result)
    }
    mine.pointee.xRandomness = { vfs, size, result in
      realSystem(vfs).pointee.xRandomness(realSystem(vfs), size, result)
    }
    mine.pointee.xSleep = { vfs, time in realSystem(vfs).pointee.xSleep(realSystem(vfs), time) }
    mine.pointee.xCurrentTime = { vfs, time in
      realSystem(vfs).pointee.xCurrentTime(realSystem(vfs), time)
    }
    mine.pointee.xGetLastError = { vfs, size, text in
      realSystem(vfs).pointee.xGetLastError(realSystem(vfs), size, text)
    }
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
      let (real, own) = behind(file)
      let code = own.xClose(real)
      file?.pointee.pMethods = nil
      return code
    }
    methods.xRead = { file, buffer, count, offset in
      let (real, own) = behind(file)
      if meet(.read, file) != nil { return SQLITE_IOERR | (1 << 8) }
      return own.xRead(real, buffer, count, offset)
    }
    methods.xWrite = { file, buffer, count, offset in
      let (real, own) = behind(file)
      switch meet(.write, file, bytes: Int(count)) {
      case nil, .death: return own.xWrite(real, buffer, count, offset)
      case .failure(let number): return writeError(number)
      case .deathHalfway:
        _ = own.xWrite(real, buffer, count / 2, offset)
        FaultPlan.die()
      case .failureHalfway(let number):
        _ = own.xWrite(real, buffer, count / 2, offset)
        return writeError(number)
      }
    }
    methods.xTruncate = { file, size in
      let (real, own) = behind(file)
      if meet(.truncate, file) != nil { return SQLITE_IOERR | (6 << 8) }
      return own.xTruncate(real, size)
    }
    methods.xSync = { file, flags in
      let (real, own) = behind(file)
      if meet(.sync, file) != nil { return SQLITE_IOERR | (4 << 8) }
      return own.xSync(real, flags)
    }
    methods.xFileSize = { file, size in
      let (real, own) = behind(file)
      return own.xFileSize(real, size)
    }
  }

  private static func addLocks(to methods: inout sqlite3_io_methods) {
    methods.xLock = { file, level in
      let (real, own) = behind(file)
      return own.xLock(real, level)
    }
    methods.xUnlock = { file, level in
      let (real, own) = behind(file)
      return own.xUnlock(real, level)
    }
    methods.xCheckReservedLock = { file, result in
      let (real, own) = behind(file)
      return own.xCheckReservedLock(real, result)
    }
    methods.xFileControl = { file, operation, argument in
      let (real, own) = behind(file)
      return own.xFileControl(real, operation, argument)
    }
    methods.xSectorSize = { file in
      let (real, own) = behind(file)
      return own.xSectorSize(real)
    }
    methods.xDeviceCharacteristics = { file in
      let (real, own) = behind(file)
      return own.xDeviceCharacteristics(real)
    }
  }

  private static func addSharedMemory(to methods: inout sqlite3_io_methods) {
    methods.xShmMap = { file, region, size, extends, result in
      let (real, own) = behind(file)
      if extends != 0, meet(.open, file, suffix: "-shm") != nil { return SQLITE_IOERR | (21 << 8) }
      return own.xShmMap(real, region, size, extends, result)
    }
    methods.xShmLock = { file, offset, count, flags in
      let (real, own) = behind(file)
      return own.xShmLock(real, offset, count, flags)
    }
    methods.xShmBarrier = { file in
      let (real, own) = behind(file)
      own.xShmBarrier(real)
    }
    methods.xShmUnmap = { file, deletes in
      let (real, own) = behind(file)
      return CallDepth.inside { own.xShmUnmap(real, deletes) }
    }
  }

  private static func addMapping(to methods: inout sqlite3_io_methods) {
    methods.xFetch = { file, offset, count, result in
      let (real, own) = behind(file)
      return own.xFetch(real, offset, count, result)
    }
    methods.xUnfetch = { file, offset, page in
      let (real, own) = behind(file)
      return own.xUnfetch(real, offset, page)
    }
  }
}

// C functions know no more than what is global.

private func behind(_ file: UnsafeMutablePointer<sqlite3_file>?) -> (
  UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods
) {
  let real = ShimFile.real(of: file!)
  return (real, real.pointee.pMethods.pointee)
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
