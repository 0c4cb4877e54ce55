extension Array where Element: Sendable {
  /// Has work done for each element, for several at a time.
  /// - Parameters:
  ///   - jobs: For how many at a time.
  ///   - hear: Called with the results, in the order of the elements.
  ///   - willBegin: Called before each.
  /// - Throws: What the first element throws whose work fails; none is begun after it.
  package func work<Result: Sendable, Failure: Error>(
    jobs: Int = ProcessInfo.processInfo.activeProcessorCount,
    on work: @escaping @Sendable (Element) async throws(Failure) -> Result,
    hear: (Int, Result) throws(Failure) -> Void, willBegin: (Int) -> Void = { _ in }
  ) async throws(Failure) {
    typealias Outcome = Swift.Result<Result, Failure>
    let failure = await withTaskGroup(of: (Int, Outcome).self) { group -> Failure? in
      var next = 0
      func begin() {
        guard next < count else { return }
        let (index, element) = (next, self[next])
        next += 1
        willBegin(index)
        group.addTask {
          do throws(Failure) { return (index, .success(try await work(element))) } catch {
            return (index, .failure(error))
          }
        }
      }
      for _ in 0..<Swift.max(1, jobs) { begin() }
      var waiting: [Int: Outcome] = [:]
      var told = 0
      while let (index, outcome) = await group.next() {
        if case .failure = outcome { next = count }
        waiting[index] = outcome
        while let first = waiting.removeValue(forKey: told) {
          do throws(Failure) { try hear(told, first.get()) } catch {
            group.cancelAll()
            return error
          }
          told += 1
        }
        begin()
      }
      return nil
    }
    if let failure { throw failure }
  }
}
