/// One measured migration, in a process of its own.
package struct BenchSample: Codable, Equatable {
  /// From opening the source to the durable result; neither the process's start nor compiling.
  package let seconds: Double
  /// Of all threads, the process's start included.
  package let cpuSeconds: Double
  package let peakBytes: Int64
  /// Bytes handed to the system for writing, temporary stores included.
  package let writtenBytes: Int64
  let resultBytes: Int64
  package let steps: [StepUsage]
  /// The largest sum of the sizes of the migration's files: result, temporary stores, journals. Nil
  /// where an older build measured.
  package var diskBytes: Int64?
  /// What doesn't depend on the machine.
  package var counters: [BenchCounter: Int]?
  /// Seconds that a fixed piece of work took just before: how fast the machine was then.
  package var paceSeconds: Double?

  private enum CodingKeys: String, CodingKey {
    case seconds, cpuSeconds, peakBytes, writtenBytes, resultBytes
    case steps = "hops"
    case diskBytes, counters, paceSeconds
  }
}

/// What `heavyweight migrate --json --usage` says of the machine.
package struct MigrationUsage: Codable, Sendable {
  package let process: ProcessUse
  package let steps: [StepUsage]
  /// The largest size of the migration's files that was seen after any pass.
  package var diskBytes: Int64?
  package var counters: [BenchCounter: Int]?

  private enum CodingKeys: String, CodingKey {
    case process
    case steps = "hops"
    case diskBytes, counters
  }

  init(_ report: StoreMigrationReport, _ meter: ResourceMeter) {
    process = UseSoFar.now.process(since: report.usedBefore, peakBytes: meter.peakBytes)
    steps = report.steps.enumerated().map { index, step in
      StepUsage(step, meter.steps.indices.contains(index) ? meter.steps[index] : [:])
    }
    diskBytes = meter.diskBytes
    counters = BenchCounter.counts(
      of: report.steps, StoreCounters.ofProcess - report.usedBefore.counters)
  }
}

/// What a process has used and done so far.
struct UseSoFar: Sendable {
  fileprivate let process: ProcessUse
  fileprivate let counters: StoreCounters

  static let none = UseSoFar(
    process: ProcessUse(cpuSeconds: 0, peakBytes: 0, writtenBytes: 0), counters: StoreCounters())
  static var now: UseSoFar { UseSoFar(process: .current, counters: .ofProcess) }

  fileprivate func process(since earlier: UseSoFar, peakBytes: Int64) -> ProcessUse {
    ProcessUse(
      cpuSeconds: process.cpuSeconds - earlier.process.cpuSeconds,
      peakBytes: max(peakBytes, ProcessUse.peakBytes),
      writtenBytes: process.writtenBytes - earlier.process.writtenBytes)
  }
}

/// What a step used.
package struct StepUsage: Equatable, Sendable {
  package let name: String
  /// 0 for one that ran together with the next.
  package let seconds: Double
  /// Objects in the store before; 0 where an older build measured.
  package var objects = 0
  /// Only those that ran.
  package let passes: [BenchPass: PassUse]
  /// What the calls of hooks did; empty where SQL did the step, and where an older build measured.
  package var hooks: [HookWork] = []

}

extension StepUsage {
  init(_ report: ExecutedStep, _ measured: [BenchPass: PassUse]) {
    name = report.name
    seconds = report.seconds
    objects = report.sourceObjectCount
    hooks = report.hookWork ?? []
    var passes = measured
    // Both happen by turns; only their times can be told apart.
    if let instances = measured[.instances], let read = report.readSeconds {
      let seconds = min(read, instances.seconds)
      passes[.read] = PassUse(seconds: seconds)
      passes[.instances]?.seconds -= seconds
    }
    self.passes = passes
  }
}

extension StepUsage: Codable {
  private enum CodingKeys: String, CodingKey {
    case name = "hop"
    case seconds, objects, passes, hooks
  }

  package init(from decoder: any Decoder) throws {
    let keyed = try decoder.container(keyedBy: CodingKeys.self)
    name = try keyed.decode(String.self, forKey: .name)
    seconds = try keyed.decode(Double.self, forKey: .seconds)
    objects = try keyed.decodeIfPresent(Int.self, forKey: .objects) ?? 0
    // The first format had seconds only, by other names.
    let uses = try? keyed.decode([BenchPass: PassUse].self, forKey: .passes)
    passes = uses ?? [:]
    hooks = try keyed.decodeIfPresent([HookWork].self, forKey: .hooks) ?? []
  }
}

/// What a process has used of its machine so far.
package struct ProcessUse: Codable, Sendable {
  package let cpuSeconds: Double
  package let peakBytes: Int64
  /// 0 where the system doesn't tell.
  package let writtenBytes: Int64

  static var current: ProcessUse {
    var usage = rusage()
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
    return ProcessUse(
      cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
      peakBytes: Int64(usage.ru_maxrss) * 1024, writtenBytes: written)
  }

  /// The largest resident size since the process began, or since ``forgetPeak()``.
  package static var peakBytes: Int64 {
    number("VmHWM:", in: "/proc/self/status").map { $0 * 1024 } ?? current.peakBytes
  }

  /// Lets ``peakBytes`` begin anew, where the system can do that.
  package static func forgetPeak() {
    let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    _ = write(descriptor, "5", 1)
  }

  private static var written: Int64 { number("wchar:", in: "/proc/self/io") ?? 0 }

  private static func number(_ name: String, in file: String) -> Int64? {
    // Nil where the system doesn't count it.
    let text = try? String(contentsOfFile: file, encoding: .utf8)
    let line = text?.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int64($0) }
  }
}
