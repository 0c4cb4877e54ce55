import Synchronization

/// An end of this process by code of an app, while a run is played in it: that would pass for a run that passed.
///
/// `_exit` isn't seen.
enum EarlyExit {
  private static let isPlaying = Atomic(false)

  private static let handler: Void = {
    atexit {
      guard EarlyExit.isPlaying.load(ordering: .sequentiallyConsistent) else { return }
      Console.complain(
        "code of the scenario called exit while it was run in this process; run it without --in-process, or let it "
          + "throw an error")
      _exit(ExitStatus.failed.rawValue)
    }
  }()

  /// Has every end of the process meanwhile be a failure.
  static func failing<Result>(while play: () async -> Result) async -> Result {
    _ = handler
    isPlaying.store(true, ordering: .sequentiallyConsistent)
    defer { isPlaying.store(false, ordering: .sequentiallyConsistent) }
    return await play()
  }
}
