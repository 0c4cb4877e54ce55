import ArgumentParser
import Benching

/// What `heavyweight run` starts to play runs; nobody types it.
struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Executes runs for another process.", shouldDisplay: false)

  /// A file that says what the process is confined to.
  @Option(help: .hidden)
  var sandbox: String?

  func run() async throws {
    if let sandbox { PlaySession.enterSandbox(by: sandbox) }
    var session = try PlaySession(jobs: CommandJob.self)
    try await session.run()
  }
}
