/// All measurements of one call: what `--json` and `--save` write and `--baseline` reads.
struct BenchResults: Codable, Equatable {
  /// Of the format; grows when keys change their meaning.
  var format = 2
  let machine: String
  /// Whether the tool was built with optimisation; times of others say nothing.
  let isOptimized: Bool
  let date: Date
  let scenarios: [BenchResult]
  /// The version of SQLite; nil where an older build measured.
  var sqlite: String?
  /// The commit of what was measured; nil where it isn't known.
  var commit: String?
  /// The results of another build, measured by turns with this one.
  var baseline: [BenchResult]?

  init(_ scenarios: [BenchResult]) {
    self.scenarios = scenarios
    machine = Machine.description
    isOptimized = Machine.isOptimizedBuild
    date = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded())
    sqlite = StoreCounters.sqliteVersion
    commit = CheckedOutCommit.name()
  }

  /// - Throws: ``BenchError`` for a file that isn't one.
  init(contentsOf file: String) throws {
    let data: Data
    do { data = try Data(reading: URL(fileURLWithPath: file)) } catch {
      throw BenchError.unreadable(file, reason: error.plainText)
    }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    do { self = try decoder.decode(Self.self, from: data) } catch {
      throw BenchError.unreadable(file, reason: "it isn't what 'heavyweight bench --json' writes")
    }
  }

  /// The machine, and that the build is a debug one if it is.
  var shownMachine: String { machine + (isOptimized ? "" : ", debug build") }

  /// - Parameter other: What another build took in the same call.
  func json(beside other: BenchResults? = nil) throws -> Data {
    var all = self
    all.baseline = other?.scenarios
    return try all.machineReport()
  }

  /// The same scenario, backend and size in another call.
  func size(_ objects: Int, of file: String, _ backend: Backend) -> BenchResult.Size? {
    let result = scenarios.first { $0.file == file && $0.backend == backend }
    return result?.sizes.first { $0.objects == objects }
  }
}

/// The measurements of one scenario on one backend.
struct BenchResult: Equatable {
  let scenario: String
  let file: String
  var backend: Backend = .sqlite
  let sizes: [Size]

  struct Size: Codable, Equatable {
    /// In the source.
    let objects: Int
    let samples: [BenchSample]
  }

  /// How time grows with size; nil with one size.
  var exponent: Double? {
    GrowthExponent.of(sizes.map { ($0.objects, $0.statistics.median) })
  }

  /// How far off the exponent may be where samples spread; nil where there are too few to know.
  var exponentDoubt: Double? {
    let points = sizes.map { (objects: $0.objects, doubt: $0.statistics.doubt) }
    let known = points.compactMap { point in point.doubt.map { (point.objects, $0) } }
    return known.count == points.count ? GrowthExponent.doubt(of: known) : nil
  }

  /// How memory grows with size; nil with one size.
  var memoryExponent: Double? {
    GrowthExponent.of(sizes.map { ($0.objects, Double($0.peakBytes)) })
  }
}

extension BenchResult: Codable {
  private enum CodingKeys: String, CodingKey { case scenario, file, backend, sizes }

  init(from decoder: any Decoder) throws {
    let keyed = try decoder.container(keyedBy: CodingKeys.self)
    scenario = try keyed.decode(String.self, forKey: .scenario)
    file = try keyed.decode(String.self, forKey: .file)
    // There was one backend only at first.
    backend = try keyed.decodeIfPresent(Backend.self, forKey: .backend) ?? .sqlite
    sizes = try keyed.decode([Size].self, forKey: .sizes)
  }
}

// MARK: - What the samples come to

extension BenchResult.Size {
  var seconds: [Double] { samples.map(\.seconds) }
  var statistics: BenchStatistics { BenchStatistics(seconds) }
  var cpu: Double { BenchStatistics(samples.map(\.cpuSeconds)).median }
  var peakBytes: Int64 { samples.map(\.peakBytes).max() ?? 0 }
  var diskBytes: Int64? { samples.compactMap(\.diskBytes).max() }
  var objectsPerSecond: Int { Int(Double(objects) / max(statistics.median, 1e-9)) }
  var writtenBytes: Int64 {
    Int64(BenchStatistics(samples.map { Double($0.writtenBytes) }).median)
  }

  /// Seconds that a fixed piece of work took between the samples; nil where nobody looked.
  var pace: Double? {
    let paces = samples.compactMap(\.paceSeconds)
    return paces.isEmpty ? nil : BenchStatistics(paces).median
  }

  /// The counters that are the same in all samples.
  var counters: [BenchCounter: Int] {
    guard let first = samples.first?.counters else { return [:] }
    return first.filter { name, count in samples.allSatisfy { $0.counters?[name] == count } }
  }

  /// The counters that differ from sample to sample, so that nobody can compare them.
  var unsteadyCounters: [BenchCounter] {
    guard let first = samples.first?.counters else { return [] }
    return BenchCounter.allCases.filter { first[$0] != nil && counters[$0] == nil }
  }
}

/// What times depend on besides the code.
enum Machine {
  /// Processor, number of cores and system.
  static var description: String {
    // Only the machine's name, for people.
    let info = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
    let line = info?.split(separator: "\n").first { $0.hasPrefix("model name") }
    let processor =
      line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
    let gigabytes = (Double(ProcessInfo.processInfo.physicalMemory) / 1_073_741_824).rounded()
    return "\(ProcessInfo.processInfo.processorCount) × \(processor), \(Int(gigabytes)) GB"
  }

  static var isOptimizedBuild: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }
}
