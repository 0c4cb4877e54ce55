/// What `heavyweight smoke` found.
package struct SmokeReport: CommandReport, Sendable {
  let model: String
  var target = ""
  var versions: [String] = []
  var findings: [SmokeFinding] = []
  /// Findings that a silence file accepts, with the reason given there.
  var accepted: [(finding: SmokeFinding, reason: String)] = []
  var accounts: [SmokeAccount] = []
  var ways: [SmokeWay] = []
  /// By step, entities whose rows the model's own rules refuse.
  var unfilled: [(step: String, entities: [String])] = []
  /// What is missing, in sentences.
  var remarks: [String] = []
  /// Whether every part was done.
  var isComplete = false
  var isInterrupted = false

  package var exitStatus: ExitStatus {
    if !findings.isEmpty { return .failed }
    // A test of nothing found nothing.
    return accounts.isEmpty ? .nothingChecked : .passed
  }

  mutating func add(_ answer: SmokeJob.Answer, of step: String) {
    for finding in answer.findings where !findings.contains(where: { $0.key == finding.key }) {
      findings.append(finding)
    }
    accounts += answer.accounts
    ways += answer.way.map { [$0] } ?? []
    if !answer.unfilled.isEmpty { unfilled.append((step, answer.unfilled)) }
  }

  /// Adds mapping files that no step uses.
  mutating func addUnplaced(_ files: SmokeFiles) {
    let kinds: [(CheckRule, SmokeFinding.Kind)] = [
      (.mappingFitsNoStep, .mappingFitsNoStep), (.mappingOutdated, .mappingOutdated),
    ]
    for (rule, kind) in kinds {
      for finding in files.check.findings where finding.rule == rule {
        guard
          let mapping = files.mappings.mappings.first(where: {
            $0.file.url.lastPathComponent == finding.subject.file
          })
        else { continue }
        add(kind, of: mapping, finding.message, in: files)
      }
    }
    for mapping in files.mappings.mappings {
      guard case .versions(let source, let destination, _) = mapping.place,
        !files.steps.contains(where: { $0.source === source && $0.destination === destination }),
        files.versions.contains(where: { $0 === source }),
        files.versions.contains(where: { $0 === destination }), destination !== files.target
      else { continue }
      add(
        .mappingFitsNoStep, of: mapping,
        "was made for \(source.shownName) -> \(destination.shownName), which is no step from a version "
          + "to the next: it is never used", in: files)
    }
  }

  private mutating func add(
    _ kind: SmokeFinding.Kind, of mapping: PlacedMapping, _ message: String, in files: SmokeFiles
  ) {
    let nearest = files.nearestStep(of: mapping)
    var finding = SmokeFinding(
      kind, step: nearest.map { "\($0.source.shownName) -> \($0.destination.shownName)" } ?? "",
      mapping: mapping.name, message)
    if let nearest {
      var step = SmokeScenario.Step(
        source: nearest.source.shownName, destination: nearest.destination.shownName,
        mappings: [mapping.file.url])
      step.madeFor = mapping.namedVersions.flatMap { named in
        named.source === nearest.source && named.destination === nearest.destination
          ? nil : .init(source: named.source.shownName, destination: named.destination.shownName)
      }
      var scenario = files.scenario([step])
      // Nothing of the file runs.
      (scenario.policies, scenario.module) = ([], nil)
      scenario.title = "\(mapping.name) is used from \(step.name)"
      scenario.about = message
      scenario.expectations = [.entry("mapping", .text("custom"))]
      finding.scenario = scenario
    }
    if !findings.contains(where: { $0.kind == kind && $0.mapping == mapping.name }) {
      findings.append(finding)
    }
  }
}

extension SmokeFiles {
  /// The step that a mapping file is the likeliest to have been meant for: one from the version that it
  /// names, or to it.
  fileprivate func nearestStep(
    of mapping: PlacedMapping
  ) -> (source: ManagedObjectModel, destination: ManagedObjectModel)? {
    guard let named = mapping.namedVersions else { return steps.last }
    return steps.first { $0.source === named.source } ?? steps.first {
      $0.destination === named.destination
    }
      ?? steps.last
  }
}

// MARK: - Text

extension SmokeReport {
  package func text(style: TextStyle) -> String {
    var lines = ["\(model): \(versions.count.counted("version")) up to \(target)"]
    lines += ["", "what became of the rows"] + accountLines(style)
    if !ways.isEmpty { lines += ["", "all the way to \(target)"] + wayLines(style) }
    for (step, entities) in unfilled {
      lines.append(
        "no rows of \(entities.joined(separator: ", ")) in \(step): no sample passes its rules")
    }
    if !findings.isEmpty { lines += ["", "found"] + findings.flatMap { self.lines($0, style) } }
    lines += ["", summary(style)]
    return lines.map { $0 + "\n" }.joined()
  }

  private var accountTable: TextTable {
    let head = ["step", "entity", "rows", "kept", "split", "merged", "dropped"]
    let rows = accounts.map { account in
      [account.step, account.entity]
        + [account.rows, account.kept, account.split, account.merged, account.dropped]
        .map { $0 == 0 ? "-" : "\($0)" }
    }
    return TextTable([head] + rows, left: [0, 1], least: 7)
  }

  /// The entity mappings that take each account's rows.
  private var takers: [String] {
    accounts.map { $0.mappings.isEmpty ? "no mapping" : $0.mappings.joined(separator: ", ") }
  }

  private func accountLines(_ style: TextStyle) -> [String] {
    zip(accountTable.lines(style, indent: 2), ["by"] + takers).map { "\($0)  \($1)" }
  }

  private func wayLines(_ style: TextStyle) -> [String] {
    let width = ways.map(\.version.count).max() ?? 0
    return ways.map { way in
      "  from \(way.version.padded(to: width))  \(way.rows.counted("row"))  \(way.outcome)"
    }
  }

  /// What the page shows beside the findings: what became of the rows of each step, and all the way.
  var sections: [PageSection] {
    let rows = zip(accountTable.rows, ["by"] + takers).map { $0 + [$1] }
    let ways = ways.map { [$0.version, "\($0.rows)", $0.outcome] }
    return
      (accounts.isEmpty
      ? [] : [.table("What became of the rows", TextTable(rows, left: [0, 1, 7]))])
      + (ways.isEmpty
        ? []
        : [
          .table(
            "All the way to \(target)",
            TextTable([["from", "rows", "outcome"]] + ways, left: [0, 2]))
        ])
  }

  private func lines(_ finding: SmokeFinding, _ style: TextStyle) -> [String] {
    let place = [finding.step.isEmpty ? nil : finding.step, finding.subject].compactMap(\.self)
    let heading =
      "  \(style.bad("✗")) \(style.strong(finding.kind.rawValue))  \(place.joined(separator: "  "))"
    let message = finding.message.split(separator: "\n").map { "      \($0)" }
    let rows = finding.scenario.map { scenario in
      "      shown by \(scenario.rows.count.counted("row"))"
        + (finding.file.map { ": heavyweight run \($0)" } ?? "")
    }
    return [heading] + message + [rows].compactMap(\.self)
  }

  private func summary(_ style: TextStyle) -> String {
    let rows = accounts.reduce(0) { $0 + $1.rows }
    let nothing = accounts.isEmpty ? style.bad("nothing was migrated") : style.good("nothing found")
    var text =
      "\(rows.counted("row")) in \(Set(accounts.map(\.step)).count.counted("step")) on both backends: "
      + (findings.isEmpty ? nothing : style.bad(findings.count.counted("finding")))
    if !accepted.isEmpty { text += ", \(accepted.count) accepted" }
    if !isComplete { text += isInterrupted ? ", interrupted before the end" : ", incomplete" }
    if !findings.isEmpty { text += "; heavyweight explain \(findings[0].kind.rawValue) says more" }
    return text
  }
}

extension SmokeWay {
  fileprivate var outcome: String {
    let stepwise = failure.map { "fails in \($0)" } ?? "version by version: done"
    if failure == nil, let error = directFailure {
      return MigrationWay.difference(direct: error, stepwise: "passes")
    }
    return switch direct {
    case .same: stepwise + "; in one step: the same"
    case .differs: stepwise + "; in one step: a different result"
    case .impossible: stepwise + "; in one step: \(directFailure ?? "impossible")"
    case .unknown: stepwise + "; in one step: not compared"
    case .only: stepwise
    }
  }
}

// MARK: - Other machines

extension SmokeReport {
  /// Each finding fails.
  func told(_ places: FindingPlaces) -> ToldFindings {
    ToldFindings(
      command: "smoke", file: model,
      findings: findings.map { finding in
        let subject = [finding.step.isEmpty ? nil : finding.step, finding.subject]
        return ToldFinding(
          .error, rule: finding.kind.rawValue,
          about: subject.compactMap(\.self).joined(separator: ": "),
          finding.message, advice: finding.file.map { "To see it: heavyweight run \($0)" },
          place: places.place(of: finding, among: versions))
      }, isFailure: exitStatus != .passed, sections: sections)
  }
}

// MARK: - JSON

extension SmokeReport {
  package var json: JSONObject {
    [
      "format": 1, "model": model, "target": target, "versions": versions, "complete": isComplete,
      "findings": findings.map(\.json), "accepted": accepted.map(\.finding.json),
      "rows": accounts.map(\.json),
      "ways": ways,
      "unfilled": Dictionary(firstOf: unfilled.map { ($0.step, $0.entities) }),
      "exitStatus": exitStatus.rawValue,
    ]
  }
}

extension SmokeFinding {
  fileprivate var json: JSONObject {
    [
      "kind": kind.rawValue, "step": step, "hop": step, "entity": entity, "property": property,
      "mapping": mapping, "message": message, "seedRows": scenario?.rows.count, "file": file,
    ]
  }
}

extension SmokeAccount {
  fileprivate var json: JSONObject {
    [
      "step": step, "hop": step, "entity": entity, "rows": rows, "kept": kept, "split": split,
      "merged": merged, "dropped": dropped, "mappings": mappings,
    ]
  }
}
