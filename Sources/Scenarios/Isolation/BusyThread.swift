/// The thread of a process that has used most of the processor: the one a loop goes on in.
struct BusyThread {
  private let process: pid_t
  private let thread: pid_t

  /// Nil where threads can't be looked at.
  init?(of process: pid_t) {
    let folder = "/proc/\(process)/task"
    // A process that is gone has none.
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let times = threads.compactMap { name -> (pid_t, Int)? in
      guard let thread = pid_t(name) else { return nil }
      return (thread, Self.ticks("\(folder)/\(name)/stat"))
    }
    guard let busiest = times.max(by: { $0.1 < $1.1 }) else { return nil }
    self.process = process
    thread = busiest.0
  }

  /// Processor time in user mode of the whole process; nil when it is gone.
  static func ticks(of process: pid_t) -> Int? {
    let file = "/proc/\(process)/stat"
    return FileManager.default.fileExists(atPath: file) ? ticks(file) : nil
  }

  /// Processor time in user mode: the 14th field, counted after the name, which may hold anything.
  private static func ticks(_ file: String) -> Int {
    // A thread that is gone isn't busy.
    guard let text = try? String(contentsOfFile: file, encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return 0 }
    let fields = text[end...].split(separator: " ")
    return fields.count > 12 ? Int(fields[12]) ?? 0 : 0
  }

  /// Sends a signal to just this thread. The main thread, to which a signal for the whole process
  /// would go, waits with all signals blocked.
  func raise(_ signal: Int32) {
    typealias Function = @convention(c) (pid_t, pid_t, Int32) -> Int32
    guard let symbol = dlsym(nil, "tgkill") else { return }
    _ = unsafeBitCast(symbol, to: Function.self)(process, thread, signal)
  }
}
