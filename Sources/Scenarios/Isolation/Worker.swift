/// Why there is no process to work for this one, or none that it hears of.
enum WorkerProblem: Error, CustomStringConvertible {
  case notStarted(any Error)
  case notHeard(any Error)

  var description: String {
    switch self {
    case .notStarted(let error):
      let program = (try? Worker.executable().path).map { ", \($0)" } ?? ""
      return "can't start another process of this tool\(program): \(error.plainText)"
    case .notHeard(let error):
      return "can't read what the run's process says: \(error.plainText)"
    }
  }
}

/// A process of this tool that works for another one, and that may die of it.
package final class Worker: Sendable {
  package enum Ending: Equatable, Sendable {
    /// The request was answered, and the worker waits for the next one.
    case answered
    case exited(Int32)
    case signalled(Int32)
    case tookTooLong
    case tookTooMuchMemory
  }

  let process: pid_t
  private let channel: WorkerChannel
  private let sandbox: Sandbox?

  /// Starts a process.
  /// - Parameter places: Its own places where it isn't confined, if it runs foreign code.
  /// - Parameter tellsLines: Whether it says in which line it crashed, which takes seconds.
  /// - Throws: ``WorkerProblem`` when that can't be done.
  init(
    in sandbox: Sandbox? = nil, places: PrivatePlaces? = nil, tellsLines: Bool = true
  ) throws {
    self.sandbox = sandbox
    do {
      let (here, there) = try WorkerChannel.pair()
      defer { there.hangUp() }
      do {
        process = try Self.spawn(
          standardInput: there.descriptor, sandbox,
          Self.environment(sandbox, places, tellsLines))
      } catch {
        here.hangUp()
        throw error
      }
      channel = here
    } catch {
      throw WorkerProblem.notStarted(error)
    }
  }

  /// Has a request answered. Blocks the thread until the worker has answered or is dead.
  /// - Parameter hear: Called with what the worker says meanwhile.
  func perform(
    _ request: WorkerRequest, within limits: RunLimits, hear: (Data) -> Void = { _ in }
  ) throws -> Ending {
    let message = try JSONEncoder().encode(request)
    do { try channel.send(message) } catch { return buried() }
    let watch = WorkerWatch(
      process: process, channel: channel, limits: limits, output: request.files.output)
    while true {
      switch watch.wait() {
      case .heard:
        let word: WorkerChannel.Word?
        do { word = try channel.receiveWord() } catch {
          _ = ended(.signalled(SIGKILL))
          throw WorkerProblem.notHeard(error)
        }
        switch word {
        case .answered?: return .answered
        case .remark(let data)?: hear(data)
        case .unjudged(let fault)?:
          _ = ended(.signalled(SIGKILL))
          throw fault
        case nil: return buried()
        }
      case .tookTooLong: return ended(.tookTooLong)
      case .trapped: return ended(.signalled(SIGTRAP))
      case .tookTooMuchMemory: return ended(.tookTooMuchMemory)
      }
    }
  }

  /// Lets the worker end by itself, which it does when nobody can ask it anything more.
  func dismiss() { _ = buried() }

  private func ended(_ ending: Ending) -> Ending {
    kill(process, SIGKILL)
    _ = buried()
    return ending
  }

  /// Waits for a process that is ending, and ends it when it doesn't come to that: it may be stopped, or
  /// loop in what it does at its end.
  private func buried() -> Ending {
    defer { endGroup() }
    channel.hangUp()
    let began = ContinuousClock.now
    while (ContinuousClock.now - began).seconds < Self.secondsForEnding {
      if let status = Self.status(of: process, WNOHANG) { return Self.ending(status) }
      usleep(Self.microsecondsBetween)
    }
    kill(process, SIGKILL)
    return Self.ending(Self.status(of: process, 0) ?? SIGKILL)
  }

  /// Ends what a confined worker started and left: it can't leave its group.
  private func endGroup() {
    if sandbox != nil { kill(-process, SIGKILL) }
  }

  /// More than an abandoned worker gives itself.
  private static let secondsForEnding = 10.0
  private static let microsecondsBetween: UInt32 = 1000

  private static func ending(_ status: Int32) -> Ending {
    Interruption.standStill()
    let signal = status & 0x7f
    return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
  }

  /// How a process ended; nil while it lives, unless `options` say to wait.
  private static func status(of process: pid_t, _ options: Int32) -> Int32? {
    var status: Int32 = 0
    while true {
      let found = waitpid(process, &status, options)
      if found == process { return status }
      if found == 0 { return nil }
      // Nobody knows any more of a process that somebody else asked after.
      if errno != EINTR { return SIGKILL }
    }
  }

  // MARK: Starting

  private static func spawn(
    standardInput: Int32, _ sandbox: Sandbox?, _ environment: [String]
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, standardInput, STDIN_FILENO)
    // What it prints before the first request says where to is the runtime's own talk.
    for output in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
    }
    let program = try executable().path
    var arguments = copied([program, "play"] + (sandbox.map { ["--sandbox", $0.file] } ?? []))
    var environment = copied(environment)
    defer { for text in arguments + environment { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, nil, &arguments, &environment)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    return process
  }

  /// Texts as C has them, with the end that it wants.
  private static func copied(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { strdup($0) } + [nil]
  }

  /// Backtraces are to be short, and only of the thread that crashed: enough to find the line of
  /// the policy.
  private static func environment(
    _ sandbox: Sandbox?, _ places: PrivatePlaces?, _ tellsLines: Bool
  ) -> [String] {
    var variables = ProcessInfo.processInfo.environment
    // Where there is no usual place for it, this process made one of its own.
    variables[PolicyCache.variable] = PolicyCache.placeOfProcess
    if let places {
      variables = places.environment(of: variables)
      variables[RunFolder.variable] = RunFolder.temporaryParent.path
    }
    if let sandbox { variables = sandbox.environment(of: variables) }
    variables["SWIFT_BACKTRACE"] =
      "enable=\(tellsLines ? "yes" : "no"),color=no,interactive=no,threads=crashed,registers=none,images=none,limit=64,"
      + "sanitize=no,cache=no"
    return variables.map { "\($0)=\($1)" }
  }

  /// This tool itself.
  package static func executable() throws -> URL {
    if let chosen = ProcessInfo.processInfo.environment["HEAVYWEIGHT_EXECUTABLE"] {
      return URL(fileURLWithPath: chosen)
    }
    return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
  }
}
