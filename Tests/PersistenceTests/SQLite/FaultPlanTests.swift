import Foundation
import TestSupport
import Testing

@testable import Persistence

/// Faults are made at the operation that they are for. There is one plan for a process, so these tests run one after the
/// other.
@Suite("Planned faults", .serialized) struct FaultPlanTests: StoreSuite {
  let place: StorePlace
  let model: ManagedObjectModel

  init() throws {
    place = try StorePlace(named: "Album.sqlite")
    model = try StoreShape.external.model()
  }

  private func fill() throws {
    let store = try SQLiteStore.create(at: url, model: model)
    try store.beginBulk()
    var writing = StoreWriting(store)
    try writing.insert("Picture", ["photo": .data(Data(repeating: 1, count: 150_000))])
    try writing.save()
    try store.endBulk()
    try store.close()
  }

  private func points() throws -> [FilePoint] {
    let plan = FaultPlan(countingIn: folder.url)
    try plan.watch {
      plan.enter("filling")
      try fill()
    }
    try PersistentStoreFiles(url).remove()
    return plan.points
  }

  private func run(at number: Int, _ fault: FileFault) throws {
    try FaultPlan(in: folder.url, at: number, fault).watch(fill)
  }

  @Test func theOperationsOfSQLiteAndOfTheEngineAreCountedInOneList() throws {
    let points = try points()
    #expect(points.allSatisfy { $0.part == "filling" })
    #expect(
      points.contains { $0.caller == .sqlite && $0.kind == .sync && $0.file == "Album.sqlite" })
    #expect(
      points.contains {
        $0.caller == .engine && $0.kind == .write && $0.file == ".Album_SUPPORT/_EXTERNAL_DATA/…"
          && $0.bytes == 150_000
      })
    #expect(!points.contains { $0.caller == .app })
    #expect(try self.points() == points)
  }

  @Test func whatTheSystemSaysOfFsyncIsTold() throws {
    let points = try points()
    for (index, point) in points.enumerated() where point.kind == .sync {
      #expect(throws: CoreDataError.self, "\(point)") { try run(at: index + 1, .failure(EIO)) }
      try PersistentStoreFiles(url).remove()
    }
  }

  @Test func halfAWriteIsHalfDone() throws {
    let points = try points()
    let number = try #require(points.firstIndex { $0.kind == .write && $0.caller == .engine })
    #expect(throws: CoreDataError.self) { try run(at: number + 1, .failureHalfway(ENOSPC)) }
    let name = try #require(try PersistentStoreFiles(url).externalFiles().first)
    #expect(try Data(contentsOf: name).count == 75_000)
  }

  /// As an app's code calls it.
  @Test func whatFileManagerDoesIsCounted() throws {
    let (old, new) = (folder.url.appending(path: "a"), folder.url.appending(path: "b"))
    try folder.write("text", to: "a")
    let counting = FaultPlan(countingIn: folder.url)
    try counting.watch { try FileManager.default.moveItem(at: old, to: new) }
    #expect(counting.points.contains { $0.caller == .app && $0.kind == .rename && $0.file == "a" })
    let number = try #require(counting.points.firstIndex { $0.kind == .rename }) + 1
    try FileManager.default.moveItem(at: new, to: old)
    #expect(throws: (any Error).self) {
      try FaultPlan(in: folder.url, at: number, .failure(EIO)).watch {
        try FileManager.default.moveItem(at: old, to: new)
      }
    }
    #expect(FileManager.default.fileExists(atPath: old.path))
  }

  @Test func filesElsewhereAreLeftAlone() throws {
    let other = try TemporaryFolder()
    let plan = FaultPlan(countingIn: other.url)
    try plan.watch(fill)
    #expect(plan.points == [])
  }
}
