import Synchronization

/// What happens when somebody presses Control-C, closes the terminal or stops the job: the processes
/// that this one started end, temporary files go, and then the process, as it would have without.
package enum Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  private static let isWatched = Atomic(false)
  private static let isEnding = Atomic(false)
  /// Where the handler writes the signal's number; reading and writing end.
  /// Written once, before the handler that reads it is there.
  nonisolated(unsafe) private static var pipeEnds: [Int32] = [-1, -1]

  /// What is still to be said then.
  private static let lastWords = Mutex<(@Sendable () -> Void)?>(nil)

  /// Has something said before the process ends: what was found so far.
  /// - Parameter words: Called on a thread of its own, once the other processes have ended; nil for nothing.
  package static func sayAtTheEnd(_ words: (@Sendable () -> Void)?) {
    lastWords.withLock { $0 = words }
  }

  /// What is done at the first signal instead of ending the process, by whoever has something to tell yet.
  private static let firstAnswer = Mutex<(@Sendable () -> Void)?>(nil)

  /// Sees to it for the rest of the process's life, but lets the process go on after the first signal: the
  /// processes that it started end, and `stop` is called. The next signal ends it.
  package static func lets(_ stop: @escaping @Sendable () -> Void) {
    firstAnswer.withLock { $0 = stop }
    removesTemporaryFiles()
  }

  /// Never comes back once this process ends: how the processes that it started ended then says nothing.
  package static func standStill() {
    while isEnding.load(ordering: .sequentiallyConsistent) { sleep(1) }
  }

  /// Sees to it for the rest of the process's life.
  package static func removesTemporaryFiles() {
    guard !isWatched.exchange(true, ordering: .relaxed), pipe(&pipeEnds) == 0 else { return }
    for end in pipeEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // Without somebody who waits for it, a signal does what it does without a handler.
    if Threads.start(waitAndEnd) { signals.forEach(watch) }
  }

  /// Names the process that the next one is to end with.
  package static let parentVariable = "HEAVYWEIGHT_ENDS_WITH"

  /// Ends this process once the one that started it is gone, however that ended, if that one asks for it.
  package static func endsWithParent() {
    let parent = getppid()
    let named = ProcessInfo.processInfo.environment[parentVariable]
    unsetenv(parentVariable)
    guard named == "\(parent)" else { return }
    // Without a thread for it the process ends when it has done its work.
    _ = Threads.start {
      while getppid() == parent { usleep(200_000) }
      TemporaryFiles.removeAll(Descendants.end)
      _Exit(1)
    }
  }

  /// A handler, and not ignoring the signal: programs started meanwhile would inherit that.
  private static func watch(_ number: Int32) {
    let before = signal(number) { number in
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(Interruption.pipeEnds[1], &byte, 1)
    }
    // `nohup` and the like.
    if isIgnoring(before) { signal(number, SIG_IGN) }
  }

  private static func isIgnoring(_ handler: sig_t?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func isSignalled(within milliseconds: Int32) -> Bool {
    var end = pollfd(fd: pipeEnds[0], events: Int16(POLLIN), revents: 0)
    return poll(&end, 1, milliseconds) > 0
  }

  private static func waitAndEnd() {
    var byte: UInt8 = 0
    while read(pipeEnds[0], &byte, 1) != 1 {}
    let answer = firstAnswer.withLock { answer in
      defer { answer = nil }
      return answer
    }
    if let answer {
      answer()
      // What was about to start another process may do so yet.
      repeat { Descendants.end() } while !isSignalled(within: 100)
      while read(pipeEnds[0], &byte, 1) != 1 {}
    }
    isEnding.store(true, ordering: .sequentiallyConsistent)
    TemporaryFiles.removeAll(Descendants.end)
    lastWords.withLock(\.self)?()
    signal(Int32(byte), SIG_DFL)
    kill(getpid(), Int32(byte))
  }
}
