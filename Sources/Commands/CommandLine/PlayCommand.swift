/// What `heavyweight run` starts to play runs; nobody types it.
///
/// It isn't one of the commands that ArgumentParser knows: to learn its options would take as long as many a run.
enum PlayCommand {
  static let name = "play"

  /// - Parameter arguments: Those after the command's name: none, or `--sandbox` and a file that says what the
  ///   process is confined to.
  static func run(_ arguments: [String]) async throws {
    if arguments.count == 2, arguments[0] == "--sandbox" {
      PlaySession.enterSandbox(by: arguments[1])
    }
    var session = try PlaySession(jobs: CommandJob.self)
    try await session.run()
  }
}
