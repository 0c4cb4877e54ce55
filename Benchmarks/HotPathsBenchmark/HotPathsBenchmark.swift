import Benchmark
import Commands

// The small things that a migration does a million times, and what starting one takes: predicates,
// fetches, inserts, saves, hashes, models and archives. Each result is checked.
//
// HEAVYWEIGHT_BENCHMARK_BOOKS sets how many books there are: 10000 unless given. Where a benchmark goes
// over all of them, its time is for all of them.

let benchmarks: @Sendable () -> Void = {
  addPredicates()
  addModels()
  for backend in Backend.allCases {
    addFetches(on: backend)
    addWriting(on: backend)
  }
}

enum Limits {
  /// The number of books.
  static let books: Int = {
    let text = ProcessInfo.processInfo.environment["HEAVYWEIGHT_BENCHMARK_BOOKS"]
    return text.flatMap { Int($0) } ?? 10_000
  }()

  static func of(_ factor: BenchmarkScalingFactor = .one) -> Benchmark.Configuration {
    .init(
      metrics: [.wallClock, .throughput], timeUnits: .automatic, warmupIterations: 1,
      scalingFactor: factor, maxDuration: .seconds(2), maxIterations: 200)
  }
}

/// What a benchmark found isn't what it must find: the time would be that of another thing.
struct WrongResult: Error, CustomStringConvertible {
  let description: String

  static func check(_ isRight: Bool, _ found: Any) throws {
    if !isRight { throw WrongResult(description: "found \(found)") }
  }
}
