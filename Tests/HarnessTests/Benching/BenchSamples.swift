@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Made-up measurements.
enum BenchSamples {
  typealias Size = (objects: Int, seconds: [Double], peak: Int64)

  static func result(
    _ sizes: [Size], backend: Backend = .sqlite, counters: [BenchCounter: Int]? = nil,
    pace: Double? = nil, hooks: ((Int) -> [HookWork])? = nil
  ) -> BenchResult {
    BenchResult(
      scenario: "Tags & co.", file: "Tags.scenario.yaml", backend: backend,
      sizes: sizes.map { size in
        BenchResult.Size(
          objects: size.objects,
          samples: size.seconds.map {
            var sample = sample(seconds: $0, size.objects, size.peak, hooks?(size.objects) ?? [])
            sample.counters = counters
            sample.paceSeconds = pace
            if backend == .memory { sample.diskBytes = 0 }
            return sample
          })
      })
  }

  private static func sample(
    seconds: Double, _ objects: Int, _ peak: Int64, _ hooks: [HookWork]
  ) -> BenchSample {
    let write = PassUse(
      seconds: seconds / 2, cpuSeconds: seconds / 2, peakBytes: peak, writtenBytes: 2_000_000,
      diskBytes: 4 << 20)
    let map = PassUse(
      seconds: seconds / 8, cpuSeconds: seconds / 4, peakBytes: peak / 2, writtenBytes: 0,
      diskBytes: 1 << 20)
    var last = StepUsage(
      name: "v2 -> v3", seconds: seconds, objects: objects,
      passes: [.save: write, .instances: map, .read: PassUse(seconds: seconds / 8)])
    last.hooks = hooks
    return BenchSample(
      seconds: seconds, cpuSeconds: seconds, peakBytes: peak, writtenBytes: 2_000_000,
      resultBytes: 1,
      steps: [StepUsage(name: "v1 -> v2", seconds: 0, objects: objects, passes: [:]), last],
      diskBytes: 5 << 20)
  }

  static func summary(
    _ results: [BenchResult], against old: [BenchResult]? = nil, gates: BenchGates = .init()
  ) -> BenchSummary {
    BenchSummary(
      results: BenchResults(results),
      baseline: old.map { BenchBaseline(measuredBeside: BenchResults($0)) }, gates: gates)
  }
}
