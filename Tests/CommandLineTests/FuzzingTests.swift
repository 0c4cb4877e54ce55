import Foundation
import TestSupport
import Testing

/// What the fuzzers found is played again; see `Tests/Fuzzing`.
@Suite(.tags(.process), .tiered)
struct FuzzingTests {
  private static let kept = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fuzzing/Found")

  private func fuzz(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = try Tool.executable().deletingLastPathComponent()
      .appending(path: "fuzz")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  @Test(arguments: ["archives", "formats", "mappings", "models", "scenarios", "stores"])
  func whatWasFoundIsMended(target: String) throws {
    let folder = Self.kept.appending(path: target)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { !$0.hasPrefix(".") }.map { folder.appending(path: $0).path }
    #expect(!files.isEmpty)
    let result = try fuzz(["play", target] + files)
    #expect(result.status == 0, "\(result.output)")
  }

  @Test func aFewInputsOfEachKindAreReadWell() throws {
    let folder = try TemporaryFolder()
    let result = try fuzz([
      "run", "--minutes", "0.03", "--seed", "1", "--found", folder.url.path,
    ])
    #expect(result.status == 0, "\(result.output)")
    for target in ["archives", "formats", "mappings", "models", "scenarios", "stores"] {
      #expect(result.output.contains("\(target): "), "\(result.output)")
    }
  }

  @Test func whatBreaksIsFoundAndKept() throws {
    let folder = try TemporaryFolder()
    let result = try fuzz([
      "run", "brittle", "--minutes", "0.1", "--seed", "1", "--found", folder.url.path,
    ])
    #expect(result.status == 1, "\(result.output)")
    #expect(result.output.contains("it was told to, kept in"), "\(result.output)")
    #expect(result.output.contains("finding: it never ends, kept in"), "\(result.output)")
    let kept = try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/brittle")
    let file = try #require(kept.first)
    let again = try fuzz(["play", "brittle", folder.url.path + "/brittle/" + file])
    #expect(again.status == 1, "\(again.output)")
  }
}
