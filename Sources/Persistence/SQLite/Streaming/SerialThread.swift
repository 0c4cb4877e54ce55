import Foundation

/// Does one piece of work after the other, on a thread of its own that stands back.
///
/// All is asked of it by one other thread.
final class SerialThread {
  private let state = State()

  init(name: String) {
    let thread = Thread { [state] in state.run() }
    thread.name = name
    thread.start()
  }

  deinit { state.end() }

  /// Has something done, behind what was asked before.
  /// - Parameter limit: Most pieces that may then wait or be under way; waits until they are so few.
  func perform(limit: Int = .max, _ work: @escaping () -> Void) {
    state.add(work, limit: limit)
  }

  /// Waits until all is done.
  func wait() { state.wait(until: 0) }
}

extension SerialThread {
  /// What the two threads share.
  /// Sendable unchecked: guarded by its condition.
  private final class State: @unchecked Sendable {
    private let condition = NSCondition()
    // What the condition guards.
    private var waiting: [() -> Void] = []
    private var unfinished = 0
    private var isEnded = false

    func add(_ work: @escaping () -> Void, limit: Int) {
      assert(limit > 0, "nothing could ever be under way")
      wait(until: limit - 1)
      condition.withLock {
        waiting.append(work)
        unfinished += 1
        condition.broadcast()
      }
    }

    func wait(until count: Int) {
      condition.withLock {
        while unfinished > count { condition.wait() }
      }
    }

    func end() {
      condition.withLock {
        isEnded = true
        condition.broadcast()
      }
    }

    // MARK: On the thread

    func run() {
      while doNext() {
        condition.withLock {
          unfinished -= 1
          condition.broadcast()
        }
      }
    }

    /// What the work holds is let go of before it counts as done.
    /// - Returns: False at the end.
    private func doNext() -> Bool {
      guard let work = next() else { return false }
      work()
      return true
    }

    private func next() -> (() -> Void)? {
      condition.withLock {
        while waiting.isEmpty, !isEnded { condition.wait() }
        return waiting.isEmpty ? nil : waiting.removeFirst()
      }
    }
  }
}
