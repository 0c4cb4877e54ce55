import ArgumentParser
import Benching

/// What `./ci.sh soak` starts.
struct SoakCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak",
    abstract: "Executes random runs in one process for a long time: its memory must not grow.",
    shouldDisplay: false)

  @Argument(help: "Scenario files or folders of them.")
  var paths: [String]

  @Option(help: "Shortest duration.")
  var minutes = 0.0

  @Option(help: "Least number of runs.")
  var runs = 10_000

  @Option(help: "Seed of all random numbers.")
  var seed: UInt64 = 1

  func run() async throws {
    let status = await SoakSession(
      paths, options: SoakOptions(seconds: minutes * 60, seed: seed, runs: runs)
    ).run()
    if status != .passed { throw ExitCode(status.rawValue) }
  }
}
