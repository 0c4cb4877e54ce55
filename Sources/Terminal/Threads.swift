/// Threads, which a limit on processes may refuse: who waits for work that no thread does waits for ever.
package enum Threads {
  /// Starts a thread that nobody waits for.
  /// - Returns: Whether there is one.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = SystemThread(body) else { return false }
    thread.detach()
    return true
  }

  /// Whether as many threads as a command needs can be had at once, all of which end again.
  package static var canBeHad: Bool {
    let gate = DispatchSemaphore(value: 0)
    let wanted = ProcessInfo.processInfo.activeProcessorCount + additional
    var threads: [pthread_t] = []
    while threads.count < wanted {
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { argument in
          if let argument {
            Unmanaged<DispatchSemaphore>.fromOpaque(argument).takeUnretainedValue().wait()
          }
          return nil
        }, Unmanaged.passUnretained(gate).toOpaque())
      if code != 0 { break }
      threads.append(thread)
    }
    for _ in threads { gate.signal() }
    for thread in threads { pthread_join(thread, nil) }
    return threads.count == wanted
  }

  /// Those that wait for signals and workers, and what writes and reads beside.
  private static let additional = 4
}
