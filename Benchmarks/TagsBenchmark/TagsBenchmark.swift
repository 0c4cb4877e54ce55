import Benchmark
import Commands
import Foundation

// What is timed: the migration of the scenario Scenarios/Tags/Tags.scenario.yaml, from choosing the
// mapping to the durable result, with its Swift policy: every tag is fetched by name, made if it is
// missing, and linked to its event. Seeding and compiling the policy happen before. The result is
// checked after each sample.
//
// HEAVYWEIGHT_BENCHMARK_EVENTS sets the sizes: "10000,100000" unless given.

let benchmarks: @Sendable () -> Void = {
  for backend in Backend.allCases {
    for size in Sizes.chosen { addMigration(of: size, on: backend) }
    addGrowth(on: backend)
  }
}

private func addMigration(of size: Int, on backend: Backend) {
  let speed = BenchmarkMetric.custom(
    "Source objects / s", polarity: .prefersLarger, useScalingFactor: false)
  Benchmark(
    "tags, \(backend.rawValue), \(size) events",
    configuration: .init(
      metrics: [.wallClock, .cpuTotal, .peakMemoryResident, speed], timeUnits: .milliseconds,
      warmupIterations: 0, maxDuration: .seconds(60), maxIterations: 3)
  ) { benchmark, workload in
    benchmark.startMeasurement()
    let seconds = try workload.migrate()
    benchmark.stopMeasurement()
    try workload.check()
    benchmark.measurement(speed, Int(Double(size) / seconds))
  } setup: {
    try await TagsWorkload(eventCount: size, backend: backend)
  }
}

/// How much longer twice as many events take: 200 % is linear.
private func addGrowth(on backend: Backend) {
  let half = (Sizes.chosen.max() ?? 2) / 2
  let growth = BenchmarkMetric.custom(
    "Time for twice the events (%)", polarity: .prefersSmaller, useScalingFactor: false)
  Benchmark(
    "tags, \(backend.rawValue), growth from \(half) to \(2 * half) events",
    configuration: .init(
      metrics: [growth], warmupIterations: 0, maxDuration: .seconds(60), maxIterations: 3)
  ) { benchmark, workloads in
    let seconds = try workloads.map { try $0.migrate() }
    benchmark.measurement(growth, Int((seconds[1] / seconds[0] * 100).rounded()))
  } setup: {
    [
      try await TagsWorkload(eventCount: half, backend: backend),
      try await TagsWorkload(eventCount: 2 * half, backend: backend),
    ]
  }
}

private enum Sizes {
  static let chosen: [Int] = {
    let text = ProcessInfo.processInfo.environment["HEAVYWEIGHT_BENCHMARK_EVENTS"]
    return (text ?? "10000,100000").split(separator: ",").compactMap { Int($0) }
  }()
}
