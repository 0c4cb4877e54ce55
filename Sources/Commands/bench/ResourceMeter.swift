/// Measures what each part of each step of a migration uses of the machine.
///
/// Used by the thread that migrates. A look at the machine takes a tenth of a millisecond, and there are
/// two for each part.
final class ResourceMeter: StepMeter {
  /// The files that are counted as the migration's; nil for one in memory.
  private let disk: DiskUse?
  private var before = Moment.zero
  private var passes: [BenchPass: PassUse] = [:]
  /// By step.
  private(set) var steps: [[BenchPass: PassUse]] = []
  private(set) var peakBytes: Int64 = 0
  private(set) var diskBytes: Int64 = 0

  init(result: URL?) { disk = result.map(DiskUse.init(besides:)) }

  private struct Moment {
    let time: ContinuousClock.Instant
    let cpuSeconds: Double
    let writtenBytes: Int64

    static var now: Moment { Moment(process: .current) }
    static let zero = Moment(process: ProcessUse(cpuSeconds: 0, peakBytes: 0, writtenBytes: 0))

    private init(process: ProcessUse) {
      time = .now
      cpuSeconds = process.cpuSeconds
      writtenBytes = process.writtenBytes
    }
  }

  func begin(_ part: StepPart) {
    notePeak()
    ProcessUse.forgetPeak()
    before = .now
  }

  func end(_ part: StepPart) {
    let now = Moment.now
    let peak = notePeak()
    let size = disk?.bytes ?? 0
    diskBytes = max(diskBytes, size)
    let use = PassUse(
      seconds: (now.time - before.time).seconds, cpuSeconds: now.cpuSeconds - before.cpuSeconds,
      peakBytes: peak, writtenBytes: now.writtenBytes - before.writtenBytes, diskBytes: size)
    passes[BenchPass(part), default: PassUse(seconds: 0)].add(use)
  }

  @discardableResult
  private func notePeak() -> Int64 {
    let peak = ProcessUse.peakBytes
    peakBytes = max(peakBytes, peak)
    return peak
  }

  /// What was measured since the step before belongs to a step that is done.
  func finishStep(isPassedThrough: Bool) {
    steps.append(isPassedThrough ? [:] : passes)
    if !isPassedThrough { passes = [:] }
    notePeak()
  }
}

/// A pass as benchmarks call it, in the words of errors and scenario files.
package enum BenchPass: String, Codable, CaseIterable, Sendable, CodingKeyRepresentable {
  /// Reading source objects, in the first pass.
  case read
  /// Making destination objects from them, policies included: the rest of the first pass.
  case instances = "instance creation"
  /// The second pass.
  case relationships = "relationship creation"
  /// The third pass, and what is checked before saving.
  case validation
  /// The one save at the end.
  case save
  /// All of these at once, of a step that runs inside SQLite.
  case sql = "SQL"
  /// Indexes, and in the last step everything made durable.
  case sync

  init(_ part: StepPart) {
    switch part {
    case .instances: self = .instances
    case .relationships: self = .relationships
    case .validation: self = .validation
    case .save: self = .save
    case .sql: self = .sql
    case .sync: self = .sync
    }
  }
}

/// What one pass of a step used.
package struct PassUse: Codable, Equatable, Sendable {
  package var seconds: Double
  /// Nil where it can't be told from that of another pass: `instance creation` has what `read` used, too.
  package var cpuSeconds: Double?
  /// The largest resident size while it ran.
  package var peakBytes: Int64?
  package var writtenBytes: Int64?
  /// The size of the migration's files when it ended.
  package var diskBytes: Int64?

  /// Adds what the pass used another time, for one that has several parts.
  mutating func add(_ other: PassUse) {
    seconds += other.seconds
    cpuSeconds = (cpuSeconds ?? 0) + (other.cpuSeconds ?? 0)
    peakBytes = max(peakBytes ?? 0, other.peakBytes ?? 0)
    writtenBytes = (writtenBytes ?? 0) + (other.writtenBytes ?? 0)
    diskBytes = max(diskBytes ?? 0, other.diskBytes ?? 0)
  }
}
