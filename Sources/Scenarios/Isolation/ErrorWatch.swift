import Synchronization

/// Remembers where in a policy the running hook was when it met an error.
///
/// Swift's runtime tells whoever asks of each error that is thrown, before it is. An error that a
/// policy throws itself is at its `throw`; one that comes out of the engine (a save, a fetch, an
/// exception) is at the policy's call.
///
/// What tells is the runtime's hook for tools, `_swift_setWillThrowHandler`, and nothing public can do its
/// job: an error that was thrown doesn't know from where. It is looked up when it is needed. In a runtime
/// without it, errors of policies are reported as ever, with their hook and object, but without the line.
enum ErrorWatch {
  private static let deepestCall = 128

  private typealias Walk =
    @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32
  private static let walk = dlsym(nil, "backtrace").map { unsafeBitCast($0, to: Walk.self) }

  /// An exception that was raised in a hook. On a device it ends the app; here the hook goes on until it
  /// returns, and may end the process before that.
  struct Raised: Codable {
    let text: String
    let file: String?
    let line: Int?

    /// Nil where no line of an app's code is known.
    var withFile: (file: URL, line: Int?)? {
      file.map { (URL(fileURLWithPath: $0), line) }
    }

    static func read(_ file: URL) -> Raised? {
      ProcessAnswer.note(file).flatMap { try? ProcessAnswer.decode($0) }
    }
  }

  /// Where the first exception is written; nil where the process lives on to tell.
  private static let raisedFile = Mutex<URL?>(nil)

  /// Has the next exception of a hook written into a file.
  static func writeRaised(to file: URL) { raisedFile.withLock { $0 = file } }

  private static func write(_ exception: any Error, _ addresses: [UInt]) {
    guard
      let file = raisedFile.withLock({ file in
        defer { file = nil }
        return file
      })
    else { return }
    let place = addresses.lazy.compactMap(PolicyImages.place).first { $0.file.hasSuffix(".swift") }
    let raised = Raised(
      text: "\(exception)".split(separator: "\n").first.map(String.init) ?? "", file: place?.file,
      line: place?.line)
    // Without it the report says less.
    try? JSONEncoder().encode(raised).write(to: file)
  }

  /// Where the line is written that a process aborted in.
  private static let abortedFile = Mutex<URL?>(nil)

  /// Has the line of an app's code written into a file in which this process aborts, as at an `as!` of the
  /// wrong type. The runtime's own backtraces end in C's library then.
  static func writeAborted(to file: URL) {
    abortedFile.withLock { $0 = file }
    // The first call loads what the handler must not load.
    _ = callers()
    signal(SIGALRM) { _ in
      // What the handler needs was locked when the process aborted.
      signal(SIGABRT, SIG_DFL)
      kill(getpid(), SIGABRT)
    }
    signal(SIGABRT) { _ in
      signal(SIGABRT, SIG_DFL)
      alarm(5)
      ErrorWatch.noteAbort()
      kill(getpid(), SIGABRT)
    }
  }

  private static func noteAbort() {
    guard let file = abortedFile.withLock(\.self),
      let place = PolicyImages.filter(callers()).lazy.compactMap(PolicyImages.place)
        .first(where: { $0.file.hasSuffix(".swift") })
    else { return }
    // Without it the report says less.
    try? JSONEncoder().encode(Raised(text: "", file: place.file, line: place.line)).write(to: file)
  }

  /// Begins to watch, for the rest of the process's life. Without a hook that runs, and a
  /// ``FlightRecorder`` that says so, an error costs next to nothing; with one some microseconds.
  static func begin() { _ = hasBegun }

  /// The runtime has room for one handler, and several tasks may begin at a time.
  private static let hasBegun: Void = {
    typealias Handler = @convention(c) (UnsafeRawPointer) -> Void
    typealias Setter = @convention(c) (Handler?) -> Void
    guard walk != nil, let symbol = dlsym(nil, "_swift_setWillThrowHandler") else { return }
    ExceptionTrap.observer.withLock { $0 = { note(isRaised: true, $0) } }
    unsafeBitCast(symbol, to: Setter.self)({ _ in ErrorWatch.note(isRaised: false) })
  }()

  /// Runs while an error is on its way, so it must not throw any.
  private static func note(isRaised: Bool, _ exception: (any Error)? = nil) {
    guard let recorder = FlightRecorder.current, recorder.isInHook else { return }
    let number = recorder.hookNumber
    let addresses = PolicyImages.filter(callers())
    if addresses.isEmpty { return }
    if let exception { write(exception, addresses) }
    recorder.lastSight.withLock { last in
      if let last, last.isRaised, last.hookNumber == number { return }
      last = .init(hookNumber: number, isRaised: isRaised, addresses: addresses)
    }
  }

  /// The calls that led here: each the address behind its instruction.
  private static func callers() -> [UInt] {
    guard let walk else { return [] }
    return withUnsafeTemporaryAllocation(
      of: UnsafeMutableRawPointer?.self, capacity: deepestCall
    ) { buffer in
      guard let start = buffer.baseAddress else { return [] }
      let count = Int(walk(start, Int32(deepestCall)))
      return buffer.prefix(count).map { UInt(bitPattern: $0) - 1 }
    }
  }

  /// A line of a policy, and the hook that ran.
  struct Place {
    let line: LineTable.Place
    let hook: String
  }

  /// Where the hook that was called last met the error that ended it; nil when it came back.
  static func placeInLastHook() -> Place? {
    guard let recorder = FlightRecorder.current, let last = recorder.lastSight.withLock(\.self),
      last.hookNumber == recorder.hookNumber, let hook = recorder.lastHook
    else { return nil }
    // What is generated beside an app's code isn't in a file of Swift's.
    return last.addresses.lazy.compactMap(PolicyImages.place)
      .first { $0.file.hasSuffix(".swift") }.map { Place(line: $0, hook: hook.rawValue) }
  }
}
