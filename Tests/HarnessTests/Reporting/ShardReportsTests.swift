import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import Scenarios
@testable import Terminal

/// Reports of shards joined into one: that of a call which played everything, and never green with a part missing.
@Suite struct ShardReportsTests {
  private let folder: TemporaryFolder
  private let whole: SuiteReport

  init() throws {
    folder = try TemporaryFolder()
    whole = try SampleReport.make()
  }

  /// What a call with one shard reports of all.
  private func shard(_ text: String) throws -> SuiteReport {
    let shard = try #require(Shard(argument: text))
    var report = whole
    report.shard = shard
    let runs = whole.results.map { [$0.id.address.description, $0.id.start] }
    let numbers = Dictionary(
      runs.enumerated().map { ($1, $0 % shard.total + 1) }, uniquingKeysWith: { first, _ in first })
    report.dealt = whole.results.map {
      let number = numbers[[$0.id.address.description, $0.id.start]] ?? 0
      return DealtRun(address: $0.id.address, start: $0.id.start, shard: number)
    }
    report.results = whole.results.filter { result in
      report.dealt?.contains {
        $0.address == result.id.address && $0.start == result.id.start && $0.shard == shard.number
      } == true
    }
    report.skipped = shard.number == 1 ? whole.skipped : []
    report.leftOut.append(.init(option: "--shard \(text)", count: 1))
    report.seconds = whole.seconds / Double(shard.total)
    return report
  }

  private func save(_ report: SuiteReport, as name: String, commit: String = "4b2d91c0") throws {
    let data = try JSONReport(report, commit: commit).data()
    try folder.write(String(decoding: data, as: UTF8.self), to: "shards/\(name).json")
  }

  private func joined() throws -> SuiteReport {
    try ShardReports(at: [folder.url.appending(path: "shards").path]).joined
  }

  private func problems() -> String {
    do {
      _ = try joined()
      return "none"
    } catch { return "\(error)".replacing(folder.url.path + "/", with: "") }
  }

  /// Every form is made of this value alone.
  private func content(_ report: SuiteReport) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }

  @Test(arguments: 1...4) func togetherTheyAreTheReportOfOneCall(_ total: Int) throws {
    for number in (1...total).shuffled() {
      try save(try shard("\(number)/\(total)"), as: "\(total - number)")
    }
    #expect(try content(joined()) == content(whole))
  }

  @Test func aMissingShardFailsTheWholeInEveryForm() throws {
    var passed = try shard("1/3")
    passed.problems = []
    passed.results = passed.results.filter(\.isPassed)
    try save(passed, as: "one")
    try save(try shard("3/3"), as: "three")
    let report = try joined()
    #expect(report.problems.map(\.path) == ["Scenarios/Wrong.scenario.yaml", "shard 2/3"])
    let text = """
      shard 2/3: error: its report is missing: nothing is known of its scenarios; see whether its job wrote one
      """
    #expect(report.problems.last?.text == text)
    #expect(report.exitStatus == .badInput)
    #expect(
      TextReport(style: TextStyle(isColoured: false)).text(report).contains(
        "✗ shard 2/3 can't be run\n    \(text)\n"))
    let junit = JUnitReport.content(of: report).data
    #expect(String(decoding: junit, as: UTF8.self).contains("shard 2/3"))
  }

  @Test func passedShardsPassAlsoWhereOneIsEmpty() throws {
    var passed = SuiteReport()
    passed.results = whole.results.filter(\.isPassed)
    passed.shard = Shard(argument: "1/2")
    try save(passed, as: "one")
    #expect(try joined().exitStatus == .badInput)
    var empty = SuiteReport()
    empty.isEmptyShard = true
    empty.shard = Shard(argument: "2/2")
    try save(empty, as: "two")
    #expect(try joined().exitStatus == .passed)
  }

  @Test func shardsOfOtherCallsAreRefused() throws {
    try save(try shard("1/2"), as: "a")
    try save(try shard("2/2"), as: "b", commit: "9f03ab6b")
    #expect(
      problems()
        == "shards/b.json: error: of another commit than shards/a.json; join the shards of one call alone: remove the reports of others"
    )
    try save(try shard("1/2"), as: "b")
    #expect(problems().hasPrefix("shards/b.json: error: shard 1/2, as shards/a.json is; "))
    try save(try shard("2/3"), as: "b")
    #expect(
      problems().hasPrefix("shards/b.json: error: shard 2/3, and shards/a.json is one of 2; "))
    var (dealt, edited) = (try shard("2/2"), try shard("2/2"))
    dealt.dealt?.removeLast()
    edited.dealt?[0].text = "of another day"
    for other in [dealt, edited] {
      try save(other, as: "b")
      #expect(
        problems().hasPrefix(
          "shards/b.json: error: of other scenarios, models or policies, or dealt by another --earlier, than shards/a.json; "
        ))
    }
    var other = try shard("2/2")
    other.leftOut.removeFirst()
    var (first, memory) = (try shard("1/2"), try shard("2/2"))
    first.options = ["--backend memory,sqlite"]
    try save(first, as: "a")
    memory.options = ["--backend memory"]
    for other in [other, memory] {
      try save(other, as: "b")
      #expect(
        problems().hasPrefix("shards/b.json: error: made with other options than shards/a.json; "))
    }
  }

  @Test func whatIsNoReportOfAShardIsRefusedWhereItIsNamed() throws {
    try folder.write("{\"name\": \"package\"}", to: "shards/package.json")
    try folder.write("{\"shard\": {\"number\": 1, \"total\": 2}}", to: "strange.json")
    try folder.write("{", to: "broken.json")
    try save(whole, as: "whole")
    let path = folder.url.appending(path: "shards").path
    let none = try ShardReports(at: [path])
    #expect(none.isEmpty)
    #expect(none.others.map { $0.replacing(path, with: "") } == ["/package.json", "/whole.json"])
    for (file, start) in [
      ("shards/whole.json", "not the report of a shard: make it with 'run --shard --json'"),
      ("strange.json", "the report of another version of this tool: "),
      ("broken.json", "not a report of this tool: "), ("nothing.json", "no such file or folder"),
    ] {
      let error = #expect(throws: Diagnostics.self) {
        try ShardReports(at: [folder.url.appending(path: file).path])
      }
      #expect(error?.all.first?.message.hasPrefix(start) == true, "\(String(describing: error))")
    }
  }
}
