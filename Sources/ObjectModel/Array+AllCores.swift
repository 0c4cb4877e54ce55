import Synchronization

extension Array where Element: Sendable {
  /// Transforms all elements, on as many cores as there are. Elements are begun in their order.
  ///
  /// No thread is waited for that there isn't: where none can be had, the caller's does everything.
  /// - Parameter body: Called on any thread, which has no task of the caller's.
  package func mapOnAllCores<Result: Sendable>(
    _ body: @escaping @Sendable (Element) -> Result
  ) -> [Result] {
    if count < 2 { return map(body) }
    let work = SharedWork(self, body)
    let threads = (1..<Swift.min(count, ProcessInfo.processInfo.activeProcessorCount)).compactMap {
      _ in SystemThread { work.doAll() }
    }
    work.doAll()
    for thread in threads { thread.join() }
    return work.results
  }
}

/// Does one thing on another thread while this one does the second.
///
/// No thread is waited for that there isn't: where none can be had, the caller's does both.
package func meanwhile<First: Sendable, Second>(
  _ first: @escaping @Sendable () -> First, _ second: () -> Second
) -> (First, Second) {
  let work = SharedWork([0]) { _ in first() }
  let thread = SystemThread { work.doAll() }
  let result = second()
  work.doAll()
  thread?.join()
  return (work.results[0], result)
}

/// Elements that several threads take from.
private final class SharedWork<Element: Sendable, Result: Sendable>: Sendable {
  private let elements: [Element]
  private let body: @Sendable (Element) -> Result
  private let state: Mutex<(next: Int, results: [Result?])>

  init(_ elements: [Element], _ body: @escaping @Sendable (Element) -> Result) {
    self.elements = elements
    self.body = body
    state = Mutex((0, Array(repeating: nil, count: elements.count)))
  }

  func doAll() {
    while let index = take() {
      let result = body(elements[index])
      state.withLock { $0.results[index] = result }
    }
  }

  private func take() -> Int? {
    state.withLock { state in
      if state.next == elements.count { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  var results: [Result] { state.withLock { $0.results.compactMap(\.self) } }
}
