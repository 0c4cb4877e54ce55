import ArgumentParser
import Harness

/// What `heavyweight run` starts to play runs; nobody types it.
struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Plays runs for another process.", shouldDisplay: false)

  func run() async throws {
    var session = try PlaySession()
    try await session.run()
  }
}
