/// What came of `heavyweight mutate`.
struct MutateReport: CommandReport, Sendable {
  /// Whether the mutants were only listed.
  let isList: Bool
  /// In the order in which they were to be played.
  var mutants: [JudgedMutant] = []
  /// The scenarios that mutants name by number.
  var scenarios: [String] = []
  /// How many scenarios were found.
  var scenarioCount = 0
  /// How many say themselves that they aren't to be run.
  var skipped = 0
  /// Scenarios that fail without any mutant.
  var failing: [String] = []
  /// How many mutants the filter left out.
  var leftOut = 0
  /// Entries of the file of accepted mutants that accept nothing.
  var unused: [AcceptedMutant] = []
  /// What kept the verdicts from being kept.
  var problems: [String] = []
  var isInterrupted = false
  var seconds = 0.0

  var caught: [JudgedMutant] { mutants.filter { $0.verdict?.catch != nil } }
  var unexplained: [JudgedMutant] { mutants.filter(\.isUnexplained) }
  var accepted: [JudgedMutant] { mutants.filter { $0.isAlive && $0.accepted != nil } }
  var uncompilable: [JudgedMutant] { mutants.filter { $0.verdict?.isUncompilable == true } }
  var unjudged: [JudgedMutant] { mutants.filter { $0.verdict?.problem != nil } }
  var unplayed: [JudgedMutant] { mutants.filter { $0.verdict == nil } }

  /// Whether every mutant has a verdict.
  var isWhole: Bool { !isList && unplayed.isEmpty && !isInterrupted }

  /// The part of the mutants that were caught, of those that were or should have been.
  var score: Double? {
    let count = caught.count + unexplained.count
    return count == 0 ? nil : Double(caught.count) / Double(count)
  }

  mutating func note(unusedOf accepted: [AcceptedMutant]) {
    unused = accepted.filter { entry in
      // Entries for files that this call has nothing of are for other calls.
      mutants.contains { entry.isAbout($0.mutant.file) }
        && !mutants.contains { $0.isAlive && entry.applies(to: $0.mutant) }
    }
  }

  var exitStatus: ExitStatus {
    if scenarioCount == 0 { return .nothingFound }
    if mutants.isEmpty { return leftOut > 0 ? .nothingSelected : .nothingChecked }
    if isList { return .passed }
    if !unexplained.isEmpty || !failing.isEmpty { return .failed }
    if unjudged.contains(where: { $0.verdict?.isFaulted == true }) { return .notJudged }
    // What wasn't played may live.
    if !isWhole || !unjudged.isEmpty || caught.isEmpty && accepted.isEmpty {
      return .nothingChecked
    }
    return .passed
  }
}

extension MutantVerdict {
  var `catch`: Catch? { if case .caught(let found) = self { found } else { nil } }
  var isUncompilable: Bool { if case .uncompilable = self { true } else { false } }
  var problem: String? {
    switch self {
    case .unjudged(let text): text
    case .faulted(let fault): "\(fault.kind.rawValue): \(fault.text)"
    default: nil
    }
  }
  var isFaulted: Bool { if case .faulted = self { true } else { false } }
}

// MARK: - For a person

extension MutateReport {
  func text(style: TextStyle) -> String {
    let lines = isList ? list(style) : survivors(style) + problemLines(style) + table(style)
    return (lines + notes(style) + [ending(style)]).map { $0 + "\n" }.joined()
  }

  private func list(_ style: TextStyle) -> [String] {
    let kinds = mutants.map(\.mutant.kind.rawValue.count).max() ?? 0
    return mutants.map { judged in
      let mutant = judged.mutant
      let count = mutant.targets.count
      return
        "\(mutant.kind.rawValue.padded(to: kinds))  \(style.strong(mutant.place))  \(mutant.title)"
        + style.faint("  (\(count.counted("scenario")))")
    }
  }

  private func survivors(_ style: TextStyle) -> [String] {
    unexplained.flatMap { judged in
      let mutant = judged.mutant
      let head =
        "\(style.bad("✗")) \(style.strong(mutant.place)): \(mutant.kind.rawValue): \(mutant.title)"
      let paths = mutant.targets.map { scenarios[$0.scenario] }
      return [head] + Self.diff(mutant, style)
        + ["    still passed: \(paths.listed(most: 3))", ""]
    }
  }

  /// As many lines of a change as show what it is.
  private static let mostLines = 4

  static func diff(_ mutant: Mutant, _ style: TextStyle) -> [String] {
    func lines(_ all: [String], after sign: String, by paint: (String) -> String) -> [String] {
      let more = all.count > mostLines ? ["    \(sign) … \(all.count - mostLines) more lines"] : []
      return all.prefix(mostLines).map { paint("    \(sign) \($0)") } + more.map(paint)
    }
    return lines(mutant.removed, after: "-", by: style.bad)
      + lines(mutant.added, after: "+", by: style.good)
  }

  private func problemLines(_ style: TextStyle) -> [String] {
    var lines = failing.map {
      "\(style.bad("✗")) \($0) fails without any mutant, and was left out"
    }
    lines += unjudged.map {
      "\(style.notable("?")) \($0.mutant.place): \($0.mutant.title): not judged: \($0.verdict?.problem ?? "")"
    }
    lines += problems.map { "\(style.notable("?")) \($0)" }
    return lines.isEmpty ? [] : lines + [""]
  }

  private func table(_ style: TextStyle) -> [String] {
    kindTable.map { $0.lines(style) + [""] } ?? []
  }

  /// Nil where there are no mutants.
  var kindTable: TextTable? {
    table(of: "mutants", Mutant.Kind.allCases.map(\.rawValue)) { $0.kind.rawValue }
  }

  /// A row for each group, of those that have mutants.
  func table(
    of heading: String, _ groups: [String], by group: (Mutant) -> String
  ) -> TextTable? {
    let head = [heading, "all", "caught", "alive", "accepted", "don't compile", "not played"]
    let members = Dictionary(grouping: mutants) { group($0.mutant) }
    let rows = groups.compactMap { name -> [String]? in
      guard let own = members[name] else { return nil }
      func count(_ isMeant: (JudgedMutant) -> Bool) -> String {
        let count = own.filter(isMeant).count
        return count == 0 ? "-" : "\(count)"
      }
      return [
        name, "\(own.count)", count { $0.verdict?.catch != nil }, count(\.isUnexplained),
        count { $0.isAlive && $0.accepted != nil }, count { $0.verdict?.isUncompilable == true },
        count { $0.verdict == nil },
      ]
    }
    return rows.isEmpty ? nil : TextTable([head] + rows)
  }

  private func notes(_ style: TextStyle) -> [String] {
    var notes: [String] = []
    let slow = caught.filter { $0.verdict?.catch?.way == .timeout }.count
    if slow > 0 { notes.append("\(slow.counted("mutant")) caught because a run took too long") }
    let large = caught.filter { $0.verdict?.catch?.way == .memory }.count
    if large > 0 {
      notes.append("\(large.counted("mutant")) caught because a run took too much memory")
    }
    let earlier = mutants.filter(\.isFromEarlier).count
    if earlier > 0 { notes.append("\(earlier.counted("verdict")) of earlier calls") }
    if skipped > 0 { notes.append("\(skipped.counted("scenario")) skipped") }
    if leftOut > 0 { notes.append("\(leftOut.counted("mutant")) left out by --filter") }
    notes += unused.map {
      "\($0.place.file.path):\($0.place.line) accepts no live mutant; remove the entry"
    }
    return notes.map { style.notable($0) }
  }

  private func ending(_ style: TextStyle) -> String {
    let count = mutants.count.counted("mutant")
    let seen = "\(scenarioCount.counted("scenario")), \(count)"
    if isList { return seen }
    if mutants.isEmpty { return "\(seen): \(style.bad("nothing to play"))" }
    var outcome: [String] = []
    if !unexplained.isEmpty { outcome.append(style.bad("\(unexplained.count) alive")) }
    outcome.append(style.good("\(caught.count) caught"))
    if !unplayed.isEmpty {
      outcome.append(
        style.notable("\(unplayed.count) not played" + (isInterrupted ? ", interrupted" : "")))
    }
    let score = score.map { "score \(Self.percent($0)), " } ?? ""
    return "\(seen): \(outcome.joined(separator: ", ")); \(score)in \(TimeText.text(seconds))"
  }

  /// Never rounded up to all, which would say that none is alive.
  static func percent(_ part: Double) -> String { "\(Int((part * 100).rounded(.down)))%" }
}
