/// One measured migration, in a process of its own.
struct BenchSample: Codable, Equatable {
  /// From opening the source to the durable result; neither the process's start nor compiling.
  let seconds: Double
  /// Of all threads, the process's start included.
  let cpuSeconds: Double
  let peakBytes: Int64
  /// Bytes handed to the system for writing, temporary stores included.
  let writtenBytes: Int64
  let resultBytes: Int64
  let hops: [HopUsage]
}

/// What `heavyweight migrate --json --usage` says of the machine.
struct MigrationUsage: Codable, Sendable {
  let process: ProcessUse
  let hops: [HopUsage]

  init(_ hops: [HopReport]) {
    process = .current
    self.hops = hops.map { HopUsage(hop: $0.hop, seconds: $0.seconds, passes: $0.passes) }
  }
}

/// Where the time of a hop went.
struct HopUsage: Codable, Equatable, Sendable {
  let hop: String
  /// 0 for one that ran together with the next.
  let seconds: Double
  /// Seconds by pass; only those that ran.
  let passes: [String: Double]
}

/// What a process has used of its machine so far.
struct ProcessUse: Codable, Sendable {
  let cpuSeconds: Double
  let peakBytes: Int64
  /// 0 where the system doesn't tell.
  let writtenBytes: Int64

  static var current: ProcessUse {
    var usage = rusage()
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
    return ProcessUse(
      cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
      peakBytes: Int64(usage.ru_maxrss) * 1024, writtenBytes: written)
  }

  private static var written: Int64 {
    let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)
    let line = text?.split(separator: "\n").first { $0.hasPrefix("wchar:") }
    return line?.split(separator: " ").last.flatMap { Int64($0) } ?? 0
  }
}
