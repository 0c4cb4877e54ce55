/// Plays smaller scenarios in processes of their own, several at a time, to see which still fail the same way.
///
/// What came of each is kept in a file, by a digest of all that it depends on: an interrupted call is taken up again.
final class ReductionTrial {
  let signature: FailureSignature
  /// Those of the same expectation in the scenario as it is: others would be new.
  private let known: [FailureSignature]
  /// Whether expectations can't be left out one by one, so that each has its place.
  private let expectationsStay: Bool
  /// Whether the failing expectation expects as many as there are rows.
  private let countsRows: Bool
  private let original: CheckedScenario
  private let start: String
  private let backends: [Backend]
  private let suite: ScenarioSuite
  private let folder: URL
  private let memory: ReductionMemory
  private let deadline: ContinuousClock.Instant?
  private var count = 0
  private(set) var playedCount = 0
  /// Called after each batch with how many were played.
  var didPlay: (Int) -> Void = { _ in }

  init(
    _ failure: Failure, among failures: [Failure], expectationsStay: Bool, countsRows: Bool,
    of original: CheckedScenario, start: String,
    backends: [Backend], deadline: ContinuousClock.Instant?, limits: RunLimits, jobs: Int,
    isConfined: Bool, folder: URL,
    memory: ReductionMemory
  ) {
    let signatures = ([failure] + failures).map {
      FailureSignature(
        $0, in: original, expectationsStay: expectationsStay, countsRows: countsRows)
    }
    signature = signatures[0]
    known = signatures
    self.deadline = deadline
    self.expectationsStay = expectationsStay
    self.countsRows = countsRows
    self.original = original
    self.start = start
    self.backends = backends
    self.folder = folder
    self.memory = memory
    var suite = ScenarioSuite()
    suite.backends = backends
    suite.starts = [start]
    suite.limits = limits
    suite.jobs = jobs
    suite.isConfined = isConfined
    self.suite = suite
  }

  /// The place of the first text that fails the same way; nil for none.
  func firstThatFails(_ texts: [String]) async throws -> Int? {
    // As many at a time as there are processes: those behind the first that fails are for nothing.
    for begin in stride(from: 0, to: texts.count, by: suite.jobs) {
      if let deadline, ContinuousClock.now > deadline { throw TimeIsOver() }
      let batch = begin..<min(begin + suite.jobs, texts.count)
      let verdicts = try await fail(Array(texts[batch]))
      if let found = verdicts.firstIndex(of: true) { return begin + found }
    }
    return nil
  }

  func fails(_ text: String) async throws -> Bool { try await firstThatFails([text]) != nil }

  private func fail(_ texts: [String]) async throws -> [Bool] {
    var verdicts = texts.map { memory[$0] }
    var scenarios: [(place: Int, scenario: CheckedScenario)] = []
    for (place, text) in texts.enumerated() where verdicts[place] == nil {
      if let scenario = try candidate(text) {
        scenarios.append((place, scenario))
      } else {
        verdicts[place] = false
      }
    }
    if !scenarios.isEmpty {
      let report = await suite.run(scenarios.map(\.scenario))
      TemporaryFiles.waitIfOver()
      // That is another failure, and says nothing of the scenario.
      if let fault = report.machineFault { throw fault }
      playedCount += scenarios.count
      let byPath = Dictionary(grouping: report.results, by: \.id.path)
      for (place, scenario) in scenarios {
        let results = byPath[scenario.scenario.file.path] ?? []
        verdicts[place] = results.contains { failsAlike($0, scenario) }
        try? FileManager.default.removeItem(at: scenario.scenario.fileURL)
      }
      didPlay(playedCount)
    }
    for (text, verdict) in zip(texts, verdicts) { memory[text] = verdict }
    return verdicts.map { $0 ?? false }
  }

  /// Whether a run has the failure, and none of the same expectation that is new.
  private func failsAlike(_ result: RunResult, _ scenario: CheckedScenario) -> Bool {
    let signatures = result.whatFailed.map {
      FailureSignature(
        $0, in: scenario, expectationsStay: expectationsStay, countsRows: countsRows)
    }
    return signatures.contains(where: signature.isSame)
      && signatures.allSatisfy { new in
        !new.isOfSameExpectation(as: signature) || known.contains(where: new.isSame)
      }
  }

  /// - Returns: Nil for a text that isn't a scenario any more: a name is gone that another part needs.
  private func candidate(_ text: String) throws -> CheckedScenario? {
    count += 1
    let file = folder.appending(path: "candidate-\(count)\(ScenarioFinder.suffixes[0])")
    try Data(text.utf8).write(to: file)
    do {
      return try CheckedScenario.load(
        contentsOf: file, shownAs: "candidate \(count)", pathsIn: original.scenario.folder)
    } catch is Diagnostics {
      try? FileManager.default.removeItem(at: file)
      return nil
    }
  }
}

extension CheckedScenario {
  /// The expectation that a failure is about, with its place in the list.
  func expectationPlace(of failure: Failure) -> Int? {
    if failure.kind == .error {
      // One that is expected, if any is.
      return scenario.expectations.firstIndex { $0.isFailure }
    }
    guard [.expectation, .nothingLookedAt].contains(failure.kind), let place = failure.place else {
      return nil
    }
    return scenario.expectations.indices.last {
      let own = scenario.expectations[$0].place
      return (own.line, own.column) <= (place.line, place.column)
        && own.file.path == place.file.path
    }
  }
}

extension FailureSignature {
  /// - Parameters:
  ///   - expectationsStay: Whether none of the scenario's expectations is left out.
  ///   - countsRows: Whether the failing one expects as many as there are rows.
  init(
    _ failure: Failure, in scenario: CheckedScenario, expectationsStay: Bool, countsRows: Bool
  ) {
    let place = scenario.expectationPlace(of: failure)
    self.init(
      failure, keyword: place.map { scenario.scenario.expectations[$0].keyword },
      expectation: expectationsStay ? place : nil, countsRows: countsRows)
  }
}

/// What came of smaller scenarios, in this call and in earlier ones that were interrupted.
final class ReductionMemory {
  private let file: URL?
  private let base: CacheKey
  private var verdicts: [String: Bool] = [:]

  /// - Parameter folder: Where it is kept; nil to forget it.
  /// - Throws: When a file that the scenario names can't be read.
  init(for scenario: CheckedScenario, start: String, backends: [Backend], in folder: URL?) throws {
    var key = CacheKey()
    for path in try scenario.filesForSandbox().read.sorted() {
      let file = URL(fileURLWithPath: path)
      if FileKind(of: file) != .missing { try key.add(fileAt: file) }
    }
    key.add(start)
    key.add(backends.map(\.rawValue).joined(separator: ","))
    base = key
    file = folder.map { $0.appending(path: "\(key.text).txt") }
    for line in file.flatMap({ try? String(contentsOf: $0, encoding: .utf8) })?.split(
      separator: "\n") ?? []
    where line.count == 66 {
      verdicts[String(line.dropFirst(2))] = line.hasPrefix("+")
    }
  }

  subscript(text: String) -> Bool? {
    get { verdicts[Self.digest(base, text)] }
    set {
      let digest = Self.digest(base, text)
      guard let newValue, verdicts.updateValue(newValue, forKey: digest) == nil, let file else {
        return
      }
      // What isn't kept is only played again.
      try? ReportFile.append(Data("\(newValue ? "+" : "-") \(digest)\n".utf8), to: file.path)
    }
  }

  private static func digest(_ base: CacheKey, _ text: String) -> String {
    var key = base
    key.add(text)
    return key.text
  }

  /// Removes what was kept: the reduction has come to its end.
  func forget() { if let file { try? FileManager.default.removeItem(at: file) } }
}

/// That the time is over that a reduction may take.
struct TimeIsOver: Error {}
