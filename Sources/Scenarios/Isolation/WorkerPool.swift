/// The workers of one call: started when they are needed, and used again for what leaves nothing
/// behind.
package actor WorkerPool {
  /// What a worker is for. Whoever opens a store again had no part in making it.
  package enum Purpose: Hashable, Sendable {
    case playing
    case opening
  }

  /// Each with the scenario of its last request, which it still has.
  private var idle: [Purpose: [(worker: Worker, scenario: ScenarioAddress?)]] = [:]
  /// A worker that holds more than this part of the limit, or than so many bytes, isn't used again.
  private static let shareOfMemory = 4
  private static let mostKeptBytes = 256 << 20

  private let tellsLines: Bool

  /// - Parameter tellsLines: Whether a worker that crashes says in which line, which takes seconds.
  package init(tellsLines: Bool = true) { self.tellsLines = tellsLines }

  /// Has a request answered, on a thread that may wait.
  /// - Parameter hear: Called with what the worker says meanwhile.
  /// - Parameter isAlone: The worker does nothing else, before or after: it runs foreign code, which
  ///   may leave anything behind.
  /// - Parameter sandbox: What confines the worker, which is for this request only then.
  /// - Parameter temporaryFolder: Where foreign code may have large files; nil for beside the answer.
  package func perform(
    _ request: WorkerRequest, _ purpose: Purpose, alone isAlone: Bool, within limits: RunLimits,
    sandbox: Sandbox? = nil, temporaryFolder: URL? = nil,
    hear: @escaping @Sendable (Data) -> Void = { _ in }
  ) async throws -> Worker.Ending {
    let isAlone = isAlone || sandbox != nil
    let places =
      isAlone && sandbox == nil
      ? try PrivatePlaces(
        request.files, temporary: temporaryFolder, cache: request.policyFolder) : nil
    let worker =
      try (isAlone ? nil : takeIdle(purpose, request.scenario))
      ?? Worker(in: sandbox, places: places, tellsLines: tellsLines)
    let ending = try await Self.onThread { try worker.perform(request, within: limits, hear: hear) }
    if let problem = sandbox?.problem(ending) { throw problem }
    guard ending == .answered else { return ending }
    if isAlone || !Self.isModest(worker, limits) {
      await Self.onThread { worker.dismiss() }
    } else {
      idle[purpose, default: []].append((worker, request.scenario))
    }
    return ending
  }

  /// One that has the scenario already, if there is one.
  private func takeIdle(_ purpose: Purpose, _ scenario: ScenarioAddress?) -> Worker? {
    guard let workers = idle[purpose], !workers.isEmpty else { return nil }
    let index = workers.lastIndex { $0.scenario == scenario } ?? workers.count - 1
    return idle[purpose]?.remove(at: index).worker
  }

  /// Ends all workers.
  package func dismissAll() async {
    let all = idle.values.flatMap(\.self).map(\.worker)
    idle = [:]
    for worker in all { await Self.onThread { worker.dismiss() } }
  }

  /// Whether what a worker still holds leaves the next run its memory.
  private static func isModest(_ worker: Worker, _ limits: RunLimits) -> Bool {
    WorkerWatch.residentBytes(of: worker.process)
      < min(limits.bytes / shareOfMemory, mostKeptBytes)
  }

  private static let threads = DispatchQueue(
    label: "heavyweight.workers", attributes: .concurrent)

  private static func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      threads.async { continuation.resume(with: Swift.Result { try body() }) }
    }
  }

  private static func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      threads.async {
        body()
        continuation.resume()
      }
    }
  }
}
