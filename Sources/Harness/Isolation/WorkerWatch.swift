/// Waits for a worker's answer, and sees to it that the worker takes no more than it may.
struct WorkerWatch {
  enum Outcome {
    /// There is an answer, or the worker has died.
    case heard
    case tookTooLong
    case tookTooMuchMemory
  }

  let process: pid_t
  let channel: WorkerChannel
  let limits: RunLimits
  /// The file with what the process prints.
  let output: URL
  /// How often memory is looked at; an answer interrupts the wait at once.
  private static let interval: Int32 = 20
  /// How long a process may take to say where it was.
  private static let lastWords = 8.0

  func wait() -> Outcome {
    let began = ContinuousClock.now
    while true {
      let left = limits.seconds - (ContinuousClock.now - began).seconds
      if left <= 0 { return hearLastWords() }
      let patience = min(Double(Self.interval), (left * 1000).rounded(.up))
      if channel.waitForMessage(milliseconds: Int32(patience)) { return .heard }
      if Self.residentBytes(of: process) > limits.bytes { return .tookTooMuchMemory }
    }
  }

  /// Lets a process print its backtrace first: it says in which line a loop goes on.
  private func hearLastWords() -> Outcome {
    BusyThread(of: process)?.raise(SIGILL)
    let began = ContinuousClock.now
    // After its backtrace the thread goes on, for no instruction is at fault.
    while !hasSaidItAll, (ContinuousClock.now - began).seconds < Self.lastWords {
      if channel.waitForMessage(milliseconds: Self.interval) { break }
    }
    return .tookTooLong
  }

  /// Whether the backtrace is complete.
  private var hasSaidItAll: Bool {
    guard let text = try? Data(contentsOf: output) else { return false }
    return text.range(of: Data("Backtrace took".utf8)) != nil
  }

  /// 0 for a process that isn't there.
  static func residentBytes(of process: pid_t) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)
    else { return 0 }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
