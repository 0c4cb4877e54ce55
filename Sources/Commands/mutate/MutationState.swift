import Synchronization

/// What earlier calls found out, kept in a file: a line for each verdict, under a digest of all that it depends
/// on. A process that is killed loses no more than the line that it was writing.
final class MutationState: Sendable {
  /// What a scenario came to as it is.
  struct Baseline: Codable {
    let isPassed: Bool
    let seconds: Double
  }

  private struct Line: Codable {
    let key: String
    var verdict: MutantVerdict?
    var baseline: Baseline?
  }

  private let file: URL
  private let known: [String: Line]
  private let lock = Mutex(())

  /// Older lines than fit in this many bytes are forgotten.
  private static let mostBytes = 16 << 20

  /// - Parameter isFresh: Whether what is known is passed over; it is kept.
  /// - Throws: ``Diagnostics`` when the folder can't be used.
  init(in folder: URL, shownAs shown: String, isFresh: Bool) throws {
    file = folder.appending(path: "verdicts.jsonl")
    do {
      try PrivateFolder.make(folder)
      try Self.shorten(file)
      known = isFresh ? [:] : try Self.read(file)
      // Whether it can be written is asked before anything runs that takes long.
      try ReportFile.append(Data(), to: file.path)
    } catch {
      let reason = (error as? ReportError)?.reason ?? error.plainText
      throw Diagnostics(file: shown, "can't save verdicts here: \(reason)")
    }
  }

  private static func read(_ file: URL) throws -> [String: Line] {
    guard FileManager.default.fileExists(atPath: file.path) else { return [:] }
    let decoder = JSONDecoder()
    return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).reduce(into: [:]) {
      // Half a line is what a killed process left.
      if let line = try? decoder.decode(Line.self, from: $1) { $0[line.key] = line }
    }
  }

  private static func shorten(_ file: URL) throws {
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    let data = try Data(contentsOf: file, options: .mappedIfSafe)
    guard data.count > mostBytes else { return }
    let rest = data.suffix(mostBytes / 2).drop { $0 != UInt8(ascii: "\n") }
    try WholeFile.write(Data(rest), to: file)
  }

  func verdict(_ key: String) -> MutantVerdict? { known[key]?.verdict }
  func baseline(_ key: String) -> Baseline? { known[key]?.baseline }

  /// - Throws: ``ReportError``, on a full disk for example.
  func keep(_ verdict: MutantVerdict, under key: String) throws {
    try append(Line(key: key, verdict: verdict))
  }

  /// - Throws: ``ReportError``, on a full disk for example.
  func keep(_ baseline: Baseline, under key: String) throws {
    try append(Line(key: key, baseline: baseline))
  }

  private func append(_ line: Line) throws {
    // The line break before it ends what somebody else may have left half.
    let data = Data("\n".utf8) + (try JSONEncoder().encode(line)) + Data("\n".utf8)
    try lock.withLock { _ in try ReportFile.append(data, to: file.path) }
  }
}

/// The digests under which things are kept.
struct MutationKeys {
  private let scenarios: [String]

  /// - Throws: When a file of a scenario can't be read.
  init(_ scenarios: [CheckedScenario]) throws {
    self.scenarios = try scenarios.map { scenario in
      var key = CacheKey()
      key.add(scenario.scenario.address.description)
      for path in try scenario.filesForSandbox().read.sorted()
      where FileManager.default.fileExists(atPath: path) {
        key.add(path)
        try key.add(fileAt: URL(fileURLWithPath: path))
      }
      return key.text
    }
  }

  func key(ofScenario index: Int) -> String { "scenario " + scenarios[index] }

  /// - Parameter targets: The scenarios that are to be played.
  func key(of mutant: Mutant, _ targets: [Mutant.Target]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    var key = CacheKey()
    for target in targets {
      key.add(scenarios[target.scenario])
      key.add(String(decoding: try encoder.encode(target.mutation), as: UTF8.self))
    }
    return "mutant " + key.text
  }
}
