/// The processes that this one started, and those that they started.
enum Descendants {
  /// Ends all of them at once, and waits until they are gone, though not for long.
  static func end() {
    let all = identifiers()
    for process in all { kill(process, SIGKILL) }
    for _ in 0..<mostLooks where all.contains(where: isRunning) { usleep(microsecondsBetween) }
  }

  private static let mostLooks = 200
  private static let microsecondsBetween: UInt32 = 5000

  private static func identifiers() -> [pid_t] {
    // Without /proc nobody can be ended but by themselves.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let children = Dictionary(grouping: names.compactMap { pid_t($0) }) { parent(of: $0) ?? 0 }
    var found: [pid_t] = []
    var open = [getpid()]
    while let process = open.popLast() {
      let next = children[process] ?? []
      found += next
      open += next
    }
    return found
  }

  private static func parent(of process: pid_t) -> pid_t? {
    status(of: process).flatMap { $0.count > 1 ? pid_t($0[1]) : nil }
  }

  /// Whether a process does anything yet; one that is dead may wait to be asked how it ended. Where its first
  /// thread is dead others may not be, and hold its locks.
  private static func isRunning(_ process: pid_t) -> Bool {
    guard let state = status(of: process)?.first, state != "X" else { return false }
    return state != "Z" || threadCount(of: process) > 1
  }

  private static func threadCount(of process: pid_t) -> Int {
    // A process that is gone has none.
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").count) ?? 0
  }

  /// The fields after the name, which may hold anything: state, parent, ….
  private static func status(of process: pid_t) -> [Substring]? {
    // A process that is gone has no status.
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/stat")) else {
      return nil
    }
    let text = String(decoding: data, as: UTF8.self)
    return text.lastIndex(of: ")").map { text[text.index(after: $0)...].split(separator: " ") }
  }
}
