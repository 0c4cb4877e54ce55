import CSQLite

extension SQLiteError: MachineFaultCarrier {
  package var machineFault: MachineFault? {
    MachineFault.Kind(sqlite: code, system: systemCode).map { MachineFault($0, plainText) }
  }
}

extension CoreDataError: MachineFaultCarrier {
  package var machineFault: MachineFault? {
    let kind =
      sqliteCode.flatMap { MachineFault.Kind(sqlite: $0, system: 0) }
      ?? ([underlying].compactMap(\.self) + details).lazy.compactMap { MachineFault($0)?.kind }
      .first
    return kind.map { MachineFault($0, plainText) }
  }
}

extension MachineFault.Kind {
  /// What damage in a store comes to is `SQLITE_IOERR`, too: where something was read, only the system knows that it was
  /// the disk.
  fileprivate init?(sqlite code: Int32, system: Int32) {
    switch code & 0xff {
    case SQLITE_FULL: self = .noRoom
    case SQLITE_NOMEM: self = .noMemory
    case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_CORRUPT, SQLITE_NOTADB:
      if let kind = Self(system: system) {
        self = kind
      } else if Self.isOfWriting(code) {
        self = .disk
      } else {
        return nil
      }
    default: return nil
    }
  }

  /// `SQLITE_IOERR_WRITE`, `_FSYNC`, `_DIR_FSYNC`, `_TRUNCATE` and `_SHMSIZE`.
  private static func isOfWriting(_ code: Int32) -> Bool {
    code & 0xff == SQLITE_IOERR && [3, 4, 5, 6, 19].contains(code >> 8)
  }
}
