import TestSupport
import Testing

@testable import Migration

/// What is told to whoever measures the parts of a chain's steps.
@Suite struct StepMeterTests {
  private final class Recorder: StepMeter {
    var told: [String] = []
    func begin(_ part: StepPart) { told.append("begin \(part.rawValue)") }
    func end(_ part: StepPart) { told.append("end \(part.rawValue)") }
  }

  private static func versions() throws -> [ManagedObjectModel] {
    try (1...3).map { version in
      let extra = (1..<version).map { attribute("n\($0)", .integer32) }
      let song = entity("Song", attribute("name"))
      song.ownProperties += extra
      return try model("v\(version)", song)
    }
  }

  private func run(
    _ backend: Backend, _ change: (inout MigrationChain) -> Void = { _ in }
  ) throws -> (told: [String], report: ChainReport) {
    let versions = try Self.versions()
    let stage = try Stage(backend, versions[0]) { context in
      for number in 0..<200 { context.insert("Song", ["name": "\(number)"]) }
    }
    let recorder = Recorder()
    var chain = MigrationChain(
      steps: zip(versions, versions.dropFirst()).map { MigrationStep(from: $0, to: $1) })
    chain.meter = recorder
    change(&chain)
    let (store, report) = chain.run(from: stage.source, into: backend.stores(in: stage.folder))
    try store?.close()
    #expect(report.failure == nil)
    return (recorder.told, report)
  }

  private func told(_ parts: [String]) -> [String] {
    parts.flatMap { ["begin \($0)", "end \($0)"] }
  }

  @Test(arguments: [Backend.memory, .sqlite])
  func passesOfAManagerFollowOneAnother(on backend: Backend) throws {
    let (told, report) = try run(backend) { $0.lightweightMethod = .manager }
    let step = ["instances", "relationships", "validation", "validation", "save", "sync"]
    #expect(told == self.told(step + step))
    for run in report.steps.flatMap(\.runs) {
      let pass = try #require(run.passSeconds[.instances])
      #expect(run.readSeconds >= 0 && run.readSeconds <= pass)
    }
  }

  @Test func stepsInsideSQLiteHaveTwoParts() throws {
    #expect(try run(.sqlite).told == told(["sql", "sync", "sql", "sync"]))
  }

  @Test func stepsThatRunTogetherAreMeasuredTogether() throws {
    let (told, report) = try run(.sqlite) { $0.observesEveryStep = false }
    #expect(told == self.told(["sql", "sync"]))
    let last = try #require(report.steps.last)
    #expect(last.sealSeconds > 0 && last.sealSeconds < last.seconds)
  }
}
