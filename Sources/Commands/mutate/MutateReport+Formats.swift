// For machines, and for a browser.

extension MutateReport {
  var json: JSONObject {
    [
      "format": 1, "mutants": mutants.map(entry), "failing": failing, "problems": problems,
      "unused": unused.map { "\($0.place.file.path):\($0.place.line)" },
      "summary": [
        "scenarios": scenarioCount, "mutants": mutants.count, "caught": caught.count,
        "timedOut": caught.count { $0.verdict?.catch?.way == .timeout },
        "alive": unexplained.count, "accepted": accepted.count,
        "uncompilable": uncompilable.count, "unjudged": unjudged.count,
        "unplayed": unplayed.count,
      ] as JSONObject,
      "score": score, "complete": isWhole, "seconds": seconds, "exitStatus": exitStatus.rawValue,
    ]
  }

  private func entry(_ judged: JudgedMutant) -> JSONObject {
    let mutant = judged.mutant
    return [
      "kind": mutant.kind, "file": mutant.file, "line": mutant.line, "mutant": mutant.title,
      "removed": mutant.removed, "added": mutant.added,
      "scenarios": mutant.targets.map { scenarios[$0.scenario] }, "status": judged.status,
      "caughtBy": judged.verdict?.catch, "problem": judged.verdict?.problem,
      "reason": judged.isAlive ? judged.accepted?.reason : nil,
    ]
  }
}

extension JudgedMutant {
  fileprivate var status: String {
    switch verdict {
    case .caught: "caught"
    case .alive: accepted == nil ? "alive" : "accepted"
    case .uncompilable: "uncompilable"
    case .unjudged, .faulted: "unjudged"
    case nil: "unplayed"
    }
  }
}

// MARK: - Other machines

extension MutateReport {
  /// A finding for each mutant that lives and that nobody accepted, and for what kept others from being judged.
  /// - Parameter paths: What was given to the command.
  func told(_ paths: [String]) -> ToldFindings {
    let alive = unexplained.map { judged in
      told(judged, as: "alive", saying: "still passed: \(judged.paths(in: scenarios))")
    }
    let unjudged = unjudged.map { told($0, as: "not-judged", saying: $0.verdict?.problem ?? "") }
    let failing = failing.map { path in
      ToldFinding(
        .error, rule: "failing", about: path, "it fails without any mutant, and was left out",
        place: FilePlace(file: ScenarioAddress(path).path))
    }
    return ToldFindings(
      command: "mutate", file: paths.joined(separator: ", "),
      findings: alive + failing + unjudged, isFailure: exitStatus != .passed, ownPage: page())
  }

  private func told(_ judged: JudgedMutant, as rule: String, saying message: String) -> ToldFinding
  {
    let mutant = judged.mutant
    let diff = Self.diff(mutant, TextStyle(isColoured: false)).map { $0.dropFirst(4) }
    return ToldFinding(
      .error, rule: rule, about: "\(mutant.place): \(mutant.title)",
      (diff + [message[...]]).joined(separator: "\n"),
      place: FilePlace(file: mutant.file, line: mutant.line))
  }
}

extension JudgedMutant {
  fileprivate func paths(in scenarios: [String]) -> String {
    mutant.targets.map { scenarios[$0.scenario] }.joined(separator: ", ")
  }
}

// MARK: - A page

extension MutateReport {
  /// A page for a browser: one file that needs no other, and no network.
  func page() -> String {
    let isGood = exitStatus == .passed
    let title =
      unexplained.isEmpty
      ? (isWhole ? "No mutant is alive" : "No mutant of those tested is alive")
      : "\(unexplained.count.counted("mutant")) alive"
    let tiles: [(String, Int, String)] = [
      ("Mutants", mutants.count, ""), ("Caught", caught.count, "good"),
      ("Alive", unexplained.count, "bad"), ("Accepted", accepted.count, "notable"),
      ("Don't compile", uncompilable.count, ""), ("Not played", unplayed.count, "notable"),
    ]
    return HTMLPage.text(
      title: "\(title.markupEscaped) · Heavyweight", isGood: isGood,
      body: """
        \(HTMLPage.header("Heavyweight · mutation check", verdict: title.markupEscaped, isGood: isGood, meta: "\(scoreText)took \(TimeText.text(seconds))", tiles: tiles))
        \(controls)
        <main>
        \(section("Alive", of: unexplained) { paths($0) })
        \(section("Accepted", of: accepted) { "<p>\(($0.accepted?.reason ?? "").markupEscaped)</p>" })
        \(section("Not judged", of: unjudged) { "<p>\(($0.verdict?.problem ?? "").markupEscaped)</p>" })
        \(section("Caught", of: caught) { caughtBy($0) })
        <p id="empty" hidden>No mutant matches.</p>
        \(tables.map(\.markup).joined(separator: "\n"))
        </main>
        """, script: HTMLPage.script)
  }

  private var tables: [PageSection] {
    let files = Set(mutants.map(\.mutant.file)).sorted()
    return [
      table(of: "file", files, by: \.file).map { .table("By file", $0) },
      kindTable.map { .table("By kind", $0) },
    ].compactMap(\.self)
  }

  private var controls: String {
    let states = [
      ("alive", "Alive"), ("accepted", "Accepted"), ("unjudged", "Not judged"),
      ("caught", "Caught"),
    ]
    return HTMLPage.controls(
      "mutants", hint: "Search files, kinds, changes",
      states.filter { state, _ in mutants.contains { $0.status == state } })
  }

  private var scoreText: String { score.map { "score \(Self.percent($0)) · " } ?? "" }

  private func section(
    _ title: String, of judged: [JudgedMutant], showing detail: (JudgedMutant) -> String
  ) -> String {
    if judged.isEmpty { return "" }
    let items = judged.map { judged in
      let mutant = judged.mutant
      let diff = Self.diff(mutant, TextStyle(isColoured: false)).map { $0.dropFirst(4) }
        .joined(separator: "\n")
      return """
        <article class="finding \(judged.status)" data-state="\(judged.status)"><h3>\(mutant.title.markupEscaped)</h3>
        <p class="path">\(mutant.place.markupEscaped) · \(mutant.kind.rawValue)</p>
        <pre>\(diff.markupEscaped)</pre>\(detail(judged))</article>
        """
    }
    return
      "<section><h2>\(title) (\(judged.count))</h2>\n\(items.joined(separator: "\n"))\n</section>"
  }

  private func paths(_ judged: JudgedMutant) -> String {
    let paths = judged.mutant.targets.map { scenarios[$0.scenario].markupEscaped }
    return "<p>Still passed: \(paths.joined(separator: ", "))</p>"
  }

  private func caughtBy(_ judged: JudgedMutant) -> String {
    guard let found = judged.verdict?.catch else { return "" }
    return
      "<p>\(found.scenario.markupEscaped) from \(found.start.markupEscaped), \(found.backend): "
      + "\(found.way.rawValue): \(found.what.markupEscaped)</p>"
  }
}
