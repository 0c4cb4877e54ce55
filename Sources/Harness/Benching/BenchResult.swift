/// All measurements of one call: what `--json` and `--save` write and `--baseline` reads.
struct BenchResults: Codable, Equatable {
  /// Of the format; grows when keys change their meaning.
  var format = 1
  let machine: String
  /// Whether the tool was built with optimisation; times of others say nothing.
  let isOptimized: Bool
  let date: Date
  let scenarios: [BenchResult]

  init(_ scenarios: [BenchResult]) {
    self.scenarios = scenarios
    machine = Machine.description
    isOptimized = Machine.isOptimizedBuild
    date = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded())
  }

  /// - Throws: ``BenchError`` for a file that isn't one, or of another machine.
  init(baseline file: String) throws {
    do {
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      self = try decoder.decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    } catch { throw BenchError.unreadable(file, reason: "\(error.reasonText)") }
    guard machine == Machine.description, isOptimized == Machine.isOptimizedBuild else {
      throw BenchError.otherMachine(
        file, kept: Self.shown(machine, isOptimized),
        here: Self.shown(Machine.description, Machine.isOptimizedBuild))
    }
  }

  private static func shown(_ machine: String, _ isOptimized: Bool) -> String {
    machine + (isOptimized ? "" : ", debug build")
  }

  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return try encoder.encode(self) + Data("\n".utf8)
  }

  /// The same scenario and size in another call.
  func size(_ objects: Int, of file: String) -> BenchResult.Size? {
    scenarios.first { $0.file == file }?.sizes.first { $0.objects == objects }
  }
}

/// The measurements of one scenario.
struct BenchResult: Codable, Equatable {
  let scenario: String
  let file: String
  let sizes: [Size]

  struct Size: Codable, Equatable {
    /// In the source.
    let objects: Int
    let samples: [BenchSample]

    var seconds: [Double] { samples.map(\.seconds) }
    var statistics: BenchStatistics { BenchStatistics(seconds) }
    var cpu: Double { BenchStatistics(samples.map(\.cpuSeconds)).median }
    var peakBytes: Int64 { samples.map(\.peakBytes).max() ?? 0 }
    var writtenBytes: Int64 {
      Int64(BenchStatistics(samples.map { Double($0.writtenBytes) }).median)
    }
  }

  /// How time grows with size; nil with one size.
  var exponent: Double? {
    GrowthExponent.of(sizes.map { ($0.objects, $0.statistics.median) })
  }
}

/// What times depend on besides the code.
enum Machine {
  /// Processor, number of cores and system.
  static var description: String {
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
