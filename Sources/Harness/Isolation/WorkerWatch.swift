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
  private let began = ContinuousClock.now

  init(process: pid_t, channel: WorkerChannel, limits: RunLimits, output: URL) {
    self.process = process
    self.channel = channel
    self.limits = limits
    self.output = output
  }

  /// How often memory is looked at; an answer interrupts the wait at once.
  private static let interval: Int32 = 20
  /// How long a process may take to say where it was.
  private static let lastWords = 8.0

  /// Waits until there is something to hear; called again, it goes on.
  func wait() -> Outcome {
    while true {
      let left = limits.seconds - (ContinuousClock.now - began).seconds
      if left <= 0 { return hearLastWords() }
      let patience = min(Double(Self.interval), (left * 1000).rounded(.up))
      if channel.waitForMessage(milliseconds: Int32(patience)) { return .heard }
      if Self.residentBytes(of: process) > limits.bytes { return .tookTooMuchMemory }
      PrintedText.giveBackRoom(of: output)
    }
  }

  /// Lets a process print its backtrace first: it says in which line a loop goes on.
  private func hearLastWords() -> Outcome {
    // Printing a backtrace takes a while, too: a process that is about to die isn't one that loops.
    if isDying, channel.waitForMessage(milliseconds: Int32(Self.lastWords * 1000)) {
      return .heard
    }
    BusyThread(of: process)?.raise(SIGILL)
    let began = ContinuousClock.now
    // After its backtrace the thread goes on, for no instruction is at fault.
    while !hasSaidItAll, (ContinuousClock.now - began).seconds < Self.lastWords {
      if channel.waitForMessage(milliseconds: Self.interval) { break }
    }
    return .tookTooLong
  }

  /// Whether the process met a trap or a signal, and says so.
  private var isDying: Bool {
    let text = PrintedText.of(output)
    return text.contains("Fatal error: ") || text.contains("*** ")
  }

  /// Whether the backtrace is complete.
  private var hasSaidItAll: Bool {
    PrintedText.of(output).contains("Backtrace took")
  }

  /// 0 for a process that isn't there.
  static func residentBytes(of process: pid_t) -> Int {
    // A process that is gone holds nothing.
    guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)
    else { return 0 }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
