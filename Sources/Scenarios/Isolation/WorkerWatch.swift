/// Waits for a worker's answer, and sees to it that the worker takes no more than it may.
package struct WorkerWatch {
  enum Outcome {
    /// There is an answer, or the worker has died.
    case heard
    case tookTooLong
    /// It met a trap within its time, and takes too long to say where.
    case trapped
    case tookTooMuchMemory
  }

  let process: pid_t
  let channel: WorkerChannel
  let limits: RunLimits
  /// The file with what the process prints.
  let output: URL
  private let began = ContinuousClock.now

  /// How often memory is looked at; an answer interrupts the wait at once.
  private static let interval: Int32 = 20
  /// How long a process may take to say where it was, in seconds.
  var lastWords = 8.0

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
    if isDying {
      if channel.waitForMessage(milliseconds: Int32(lastWords * 1000)) { return .heard }
      if !isWorking { return .trapped }
    }
    BusyThread(of: process)?.raise(SIGILL)
    let began = ContinuousClock.now
    // After its backtrace the thread goes on, for no instruction is at fault.
    while !hasSaidItAll, (ContinuousClock.now - began).seconds < lastWords {
      if channel.waitForMessage(milliseconds: Self.interval) { break }
    }
    return .tookTooLong
  }

  /// Whether the process goes on with what it does: an app may print such words as a trap does. One that
  /// met a trap has all its threads wait for its backtrace.
  private var isWorking: Bool {
    guard let before = BusyThread.ticks(of: process) else { return false }
    _ = channel.waitForMessage(milliseconds: Self.interval * 5)
    return BusyThread.ticks(of: process).map { $0 > before } ?? false
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
  package static func residentBytes(of process: pid_t) -> Int {
    // A process that is gone holds nothing.
    guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)
    else { return 0 }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
