import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What is said of a process whose time is over.
@Suite struct WorkerWatchTests {
  /// Watches a shell's command that printed something, until its time is over.
  private func outcome(_ command: String, printed: String) throws -> WorkerWatch.Outcome {
    let folder = try TemporaryFolder()
    let output = try folder.write(printed, to: "output.txt")
    let (here, there) = try WorkerChannel.pair()
    defer {
      here.hangUp()
      there.hangUp()
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    try process.run()
    defer { kill(process.processIdentifier, SIGKILL) }
    var watch = WorkerWatch(
      process: process.processIdentifier, channel: here, limits: RunLimits(seconds: 0.2),
      output: output)
    watch.lastWords = 0.3
    return watch.wait()
  }

  @Test func aTrapWhoseBacktraceTakesLongIsNoTimeout() throws {
    let outcome = try outcome(
      "exec sleep 60", printed: "Swift/Array.swift:1: Fatal error: Index out of range\n")
    #expect(outcome == .trapped)
  }

  @Test func whoPrintsLikeATrapAndGoesOnTakesTooLong() throws {
    let outcome = try outcome(
      "while :; do :; done", printed: "Fatal error: no tags, going on\n")
    #expect(outcome == .tookTooLong)
  }

  @Test func whoOnlyWaitsTakesTooLong() throws {
    #expect(try outcome("exec sleep 60", printed: "waiting\n") == .tookTooLong)
  }
}
