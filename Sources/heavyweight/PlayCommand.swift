import ArgumentParser
import Harness

/// What `heavyweight run` starts for each run; nobody types it.
struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Plays one run for another process.", shouldDisplay: false)

  @Argument var request: String

  func run() async throws { try await PlaySession.run(request) }
}
