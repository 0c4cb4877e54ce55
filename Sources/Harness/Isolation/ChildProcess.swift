internal import Subprocess

/// A process of this tool that plays one run, and that may die of it.
struct ChildProcess {
  enum Ending: Equatable {
    case exited(Int32)
    case signalled(Int32)
    case tookTooLong
    case tookTooMuchMemory
  }

  /// What the process is, and where what it prints goes.
  let executable: URL
  let arguments: [String]
  let output: URL
  let limits: RunLimits

  /// Runs the process to its end.
  /// - Throws: When it can't be started.
  func run() async throws -> Ending {
    let descriptor = open(output.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: output.path])
    }
    defer { close(descriptor) }
    let watch = Watch(limits: limits, output: output)
    let result = try await Subprocess.run(
      .path(.init(executable.path)), arguments: Arguments(arguments),
      environment: .inherit.updating(["SWIFT_BACKTRACE": Self.backtrace]),
      input: .none,
      output: .fileDescriptor(.init(rawValue: descriptor), closeAfterSpawningProcess: false),
      error: .fileDescriptor(.init(rawValue: descriptor), closeAfterSpawningProcess: false)
    ) { execution in
      await watch.watch(execution.processIdentifier.value)
    }
    if let verdict = result.closureResult { return verdict }
    return switch result.terminationStatus {
    case .exited(let code): .exited(code)
    case .signaled(let signal): .signalled(signal)
    }
  }

  /// Short, and only of the thread that crashed: enough to find the line of the policy.
  private static let backtrace =
    "enable=yes,color=no,interactive=no,threads=crashed,registers=none,images=none,limit=64,"
    + "sanitize=no,cache=no"
}

/// Ends a process that takes more than it may.
private struct Watch: Sendable {
  let limits: RunLimits
  /// The file with what the process prints.
  let output: URL
  private static let interval = Duration.milliseconds(10)
  /// How long a process may take to say where it was.
  private static let lastWords = Duration.seconds(8)

  /// Returns when the process has ended; says why, if it was this watch that ended it.
  func watch(_ process: pid_t) async -> ChildProcess.Ending? {
    let began = ContinuousClock.now
    while isRunning(process) {
      if (ContinuousClock.now - began).seconds > limits.seconds {
        return await end(process, .tookTooLong)
      }
      if residentBytes(of: process) > limits.bytes {
        kill(process, SIGKILL)
        return .tookTooMuchMemory
      }
      do { try await Task.sleep(for: Self.interval) } catch { return nil }
    }
    return nil
  }

  /// Lets a process print its backtrace first: it says in which line a loop goes on.
  private func end(_ process: pid_t, _ ending: ChildProcess.Ending) async -> ChildProcess.Ending {
    BusyThread(of: process)?.raise(SIGILL)
    let began = ContinuousClock.now
    // After its backtrace the thread goes on, for no instruction is at fault.
    while isRunning(process), !hasSaidItAll, ContinuousClock.now - began < Self.lastWords {
      try? await Task.sleep(for: Self.interval)
    }
    kill(process, SIGKILL)
    return ending
  }

  /// Whether the backtrace is complete.
  private var hasSaidItAll: Bool {
    guard let text = try? Data(contentsOf: output) else { return false }
    return text.range(of: Data("Backtrace took".utf8)) != nil
  }

  /// A process that has ended stays a zombie until it is waited for, which comes later.
  private func isRunning(_ process: pid_t) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return kill(process, 0) == 0 }
    let state = text[end...].dropFirst(2).first
    return state != "Z" && state != "X"
  }

  private func residentBytes(of process: pid_t) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)
    else { return 0 }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
