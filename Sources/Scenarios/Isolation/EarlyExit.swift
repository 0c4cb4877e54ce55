import Synchronization

/// An end of this process by code of an app, while a run is played in it: that would pass for a run that passed.
enum EarlyExit {
  /// The process in which a run is played; 0 for none. One that it forks may end as it likes.
  private static let player = Atomic<pid_t>(0)

  private static let handler: Void = {
    atexit { EarlyExit.failIfPlaying("exit") }
  }()

  /// Has every end of the process meanwhile be a failure.
  static func failing<Result>(while play: () async -> Result) async -> Result {
    _ = handler
    player.store(getpid(), ordering: .sequentiallyConsistent)
    defer { player.store(0, ordering: .sequentiallyConsistent) }
    return await play()
  }

  fileprivate static func failIfPlaying(_ function: String) {
    let player = Self.player.load(ordering: .sequentiallyConsistent)
    guard player != 0, player == getpid() else { return }
    Console.complain(
      "code of the scenario called \(function) while it was run in this process; run it without --in-process, or "
        + "let it throw an error")
    fflush(nil)
    _Exit(ExitStatus.failed.rawValue)
  }
}

/// Comes before the C library's `_exit`, which runs no handlers, for all libraries that the program loads.
///
/// It is public because an optimized build exports no others. The engine's own code calls `_Exit`, which is the same:
/// the module would have two functions of one name.
@_cdecl("_exit")
public func interposedExit(_ status: Int32) -> Never {
  EarlyExit.failIfPlaying("_exit")
  _Exit(status)
}
