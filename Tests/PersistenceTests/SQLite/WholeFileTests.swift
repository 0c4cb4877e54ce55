import Foundation
import TestSupport
import Testing

@testable import Persistence

/// Files are written whole or not at all, and only over what they were made from.
@Suite struct WholeFileTests {
  private let folder: TemporaryFolder
  private var file: URL { folder.url.appendingPathComponent("file") }

  init() throws { folder = try TemporaryFolder() }

  private func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

  @Test func aFileThatChangedMeanwhileStays() throws {
    try Data("mine".utf8).write(to: file)
    #expect(throws: WholeFile.Changed.self) {
      try WholeFile.write(Data("new".utf8), to: file, if: .unchanged(since: Data("old".utf8)))
    }
    #expect(try text() == "mine")
    try WholeFile.write(Data("new".utf8), to: file, if: .unchanged(since: Data("mine".utf8)))
    #expect(try text() == "new")
    #expect(try folder.names() == ["file"])
  }

  @Test func aFileThatMustBeNewReplacesNothing() throws {
    symlink("nowhere", file.path)
    #expect(throws: POSIXError(.EEXIST)) {
      try WholeFile.write(Data("new".utf8), to: file, if: .new)
    }
    unlink(file.path)
    try WholeFile.write(Data("new".utf8), to: file, if: .new)
    #expect(try text() == "new")
    #expect(try folder.names() == ["file"])
  }

  @Test func aLinkLeadsToTheFileThatIsWritten() throws {
    let real = folder.url.appendingPathComponent("real")
    try Data("old".utf8).write(to: real)
    chmod(real.path, 0o640)
    symlink("real", file.path)
    try WholeFile.write(Data("new".utf8), to: file)
    var facts = stat()
    #expect(lstat(file.path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(file.path, &facts) == 0 && facts.st_mode & 0o777 == 0o640)
    #expect(try String(contentsOf: real, encoding: .utf8) == "new")
  }

  @Test func whatAKilledCallLeftIsRemoved() throws {
    // Without anybody who holds the lock.
    let left = folder.url.appendingPathComponent(".file.heavyweight-12345678")
    for name in [left.path, left.path + "-lock"] {
      try Data().write(to: URL(fileURLWithPath: name))
    }
    try WholeFile.write(Data("new".utf8), to: file)
    #expect(try folder.names() == ["file"])
  }

  @Test func whereThereIsNoRoomNothingChanges() throws {
    try Data("old".utf8).write(to: file)
    FileCallsFault.failing(with: ENOSPC) {
      _ = #expect(throws: POSIXError.self) { try WholeFile.write(Data("new".utf8), to: file) }
    }
    #expect(try text() == "old")
    #expect(try folder.names() == ["file"])
  }
}

private enum FileCallsFault {
  /// Has every change of a name fail.
  static func failing(with code: Int32, _ body: () -> Void) {
    FileCalls.$fault.withValue({ if case .rename = $0 { code } else { nil } }, operation: body)
  }
}

/// What the machine is to blame for is told by codes, wherever they are.
@Suite struct MachineFaultTests {
  @Test(arguments: [
    (ENOSPC, MachineFault.Kind.noRoom), (EDQUOT, .noRoom), (EIO, .disk), (EMFILE, .noFiles),
    (ENOMEM, .noMemory),
  ])
  func aCodeOfTheSystemsIsFoundBelowOtherErrors(_ code: Int32, _ kind: MachineFault.Kind) {
    let system = FileCalls.error(code)
    #expect(MachineFault(system)?.kind == kind)
    let file = URL(fileURLWithPath: "/store")
    #expect(MachineFault(CoreDataError.notReplaced(file, system))?.kind == kind)
    let cocoa = CocoaError(.fileWriteUnknown, userInfo: [NSUnderlyingErrorKey: system])
    #expect(MachineFault(CoreDataError.files(file, reason: "reason", error: cocoa))?.kind == kind)
  }

  @Test func otherErrorsAreNobodysFault() {
    for code in [ENOENT, EACCES, EEXIST, EISDIR] {
      #expect(MachineFault(FileCalls.error(code)) == nil)
    }
    let file = URL(fileURLWithPath: "/store")
    #expect(MachineFault(CoreDataError.sqlite(11, message: "", sql: "", file: file)) == nil)
    for code in [Int32(11), 26] {
      #expect(
        MachineFault(
          CoreDataError.sqlite(code, message: "", sql: "", file: file, system: EIO))?.kind == .disk)
    }
    // A damaged store's.
    #expect(MachineFault(CoreDataError.sqlite(522, message: "", sql: "", file: file)) == nil)
    #expect(
      MachineFault(CoreDataError.sqlite(266, message: "", sql: "", file: file, system: EIO))?.kind
        == .disk)
    #expect(
      MachineFault(CoreDataError.sqlite(13, message: "", sql: "", file: file))?.kind == .noRoom)
  }

  /// Of what SQLite couldn't write or make durable no damage in a store can be the reason.
  @Test(arguments: [778, 1034, 1290, 1546, 4874])
  func whatCantBeWrittenIsTheMachinesFault(_ code: Int32) {
    let error = CoreDataError.sqlite(
      code, message: "", sql: "", file: URL(fileURLWithPath: "/store"))
    #expect(MachineFault(error)?.kind == .disk)
  }

  @Test func aFaultThatSomebodyCatchesIsNoted() async throws {
    let folder = try TemporaryFolder()
    let place = folder.url.appendingPathComponent("folder")
    await #expect(throws: MachineFault.self) {
      try await MachineFaultWatch.judging {
        FileCalls.$fault.withValue({ _ in EIO }) {
          try? FileCalls.makeNewFolder(place, isPrivate: true)
        }
      }
    }
    try await MachineFaultWatch.judging {
      FileCalls.$fault.withValue({ _ in EACCES }) {
        try? FileCalls.makeNewFolder(place, isPrivate: true)
      }
    }
  }
}
