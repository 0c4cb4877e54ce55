/// The part of the page that is about one scenario.
package struct HTMLScenario {
  private let results: [RunResult]
  private let number: Int

  /// - Parameter number: Tells scenarios of one page apart.
  init(_ results: [RunResult], number: Int) {
    self.results = results
    self.number = number
  }

  func text() -> String {
    let isPassed = results.allSatisfy(\.isPassed)
    let id = results[0].id
    let rows = RunTable(results).rows.enumerated().map { index, row in
      run(row, identifier: "\(number)-\(index)")
    }
    return Self.section(
      of: "\(id.address)", state: isPassed ? "passed" : "failed", mark: isPassed ? "✓" : "✗",
      title: id.title,
      path: "\(id.address)", time: TimeText.text(results.reduce(0) { $0 + $1.seconds }),
      isOpen: !isPassed,
      body: (rows + notes).joined(separator: "\n"))
  }

  /// What is to be said of the scenario, as what couldn't be compared.
  private var notes: [String] {
    results.notes.map { "<p class=\"held\">\($0.markupEscaped)</p>" }
  }

  /// What the page's address ends with to lead to a scenario: its path, the same in every report.
  ///
  /// Characters that need an escape in addresses get one of their own, so that browsers leave it as it is.
  static func address(of path: String) -> String {
    path.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      return isPlain || "/._-".contains(character)
        ? String(character) : "~" + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  /// A scenario that opens and closes.
  package static func section(
    of file: String, state: String, mark: String, title: String, path: String, time: String = "",
    isOpen: Bool, body: String
  ) -> String {
    """
    <details class="scenario \(state)" id="\(address(of: file))" data-state="\(state)"\(isOpen ? " open" : "")>
    <summary><span class="mark" aria-hidden="true">\(mark)</span><span class="sr">\(state)</span>\
    <span class="names"><span class="title">\(title.markupEscaped)</span>\
    <span class="path">\(path.markupEscaped)</span></span><span class="time">\(time)</span></summary>
    <div class="body">
    \(body)
    <p class="address"><a href="#\(address(of: file))">Link to this scenario\
    <span class="sr">: \(title.markupEscaped)</span></a></p>
    </div>
    </details>
    """
  }

  // MARK: One run

  /// Runs of backends that did the same are told together.
  private func run(_ row: RunTable.Row, identifier: String) -> String {
    guard let result = row.results.first else { return "" }
    let picture = ChainPicture(result: result, identifier: identifier).svg()
    return """
      <section class="run">
      <h2>\(heading(row))</h2>
      <div class="columns">
      <figure>\(picture)</figure>
      <div class="facts">
      \(failures(of: row))
      \(steps(row))
      \(output(row))
      </div>
      </div>
      </section>
      """
  }

  private func heading(_ row: RunTable.Row) -> String {
    let start =
      row.results.first.map { $0.id.hasSeveralStarts ? "From \($0.id.start), " : "" } ?? ""
    let runs = row.results.map { result in
      "<span class=\"pill \(result.isPassed ? "good" : "bad")\">\(result.id.backend.rawValue) "
        + "\(TimeText.text(result.seconds))</span>"
    }
    return start.markupEscaped + runs.joined(separator: " ")
  }

  private func failures(of row: RunTable.Row) -> String {
    guard let result = row.results.first else { return "" }
    if result.failures.isEmpty {
      let count = result.checkCount
      return "<p class=\"held\">\(count) expectation\(count == 1 ? " holds" : "s hold").</p>"
    }
    let backends = row.results.map(\.id.backend)
    return result.failures.map { failure in
      self.failure(FailureText(failure: failure, result: result, backends: backends))
    }.joined(separator: "\n")
  }

  private func failure(_ text: FailureText) -> String {
    let failure = text.failure
    let rest = text.facts.filter { !["expected", "found", "again", "values"].contains($0.label) }
      .map(fact)
    return """
      <article class="failure">
      <h3>\(text.title.markupEscaped)</h3>
      <p class="place">\(text.place.markupEscaped)</p>
      <dl class="values"><div class="expected"><dt>expected</dt><dd>\
      \(failure.expected.markupEscaped)</dd></div><div class="found"><dt>found</dt><dd>\
      \(failure.found.markupEscaped)</dd></div></dl>
      \(history(failure))
      <dl class="rest">\(rest.joined())</dl>
      <div class="again"><code>\(text.command.markupEscaped)</code>\
      <button type="button" class="copy" hidden>Copy</button></div>
      </article>
      """
  }

  private func fact(_ label: String, _ text: String) -> String {
    let shown = text.markupEscaped.replacing("\n", with: "<br>")
      .replacing(#/`([^`]+)`/#) { "<code>\($0.output.1)</code>" }
    return "<div class=\"\(label)\"><dt>\(label)</dt><dd>\(shown)</dd></div>"
  }

  /// The value at every version, and from which on it is wrong.
  private func history(_ failure: Failure) -> String {
    guard failure.history.count > 1, let first = failure.origin?.version else { return "" }
    var isWrong = false
    let items = failure.history.map { stage in
      isWrong = isWrong || stage.version == first
      return """
        <li class="\(isWrong ? "bad" : "good")"><span>\(stage.version.markupEscaped)</span>\
        <b>\((stage.value ?? "–").markupEscaped)</b></li>
        """
    }
    return "<ol class=\"history\" aria-label=\"the value at each version\">\(items.joined())</ol>"
  }

  // MARK: Timings and output

  private func steps(_ row: RunTable.Row) -> String {
    let executed = row.results.first?.executedSteps ?? []
    if executed.isEmpty { return "" }
    let most = row.results.flatMap(\.executedSteps).map(\.seconds).max() ?? 1
    let lines = executed.indices.map { index in
      step(
        executed[index],
        taking: row.results.compactMap {
          $0.executedSteps.indices.contains(index)
            ? ($0.id.backend, $0.executedSteps[index].seconds) : nil
        }, atMost: most)
    }
    return """
      <details class="steps"><summary>Steps and timings</summary><table><thead><tr>\
      <th scope="col">step</th><th scope="col">objects</th><th scope="col">time</th></tr></thead>\
      <tbody>\(lines.joined())</tbody></table></details>
      """
  }

  private func step(
    _ step: ExecutedStep, taking times: [(backend: Backend, seconds: Double)], atMost most: Double
  ) -> String {
    let bars = times.map { time in
      """
      <span class="timing"><span class="bar" style="--part:\
      \(Int((100 * time.seconds / max(most, 1e-9)).rounded()))%"></span> \
      \(time.backend.rawValue) \(TimeText.text(time.seconds))</span>
      """
    }
    let objects =
      step.destinationObjectCount.map { "\(step.sourceObjectCount) → \($0)" }
      ?? "\(step.sourceObjectCount)"
    let mapping = step.mapping?.rawValue ?? "no mapping"
    let remarks = step.remarks.map { "<br><span class=\"stale\">\($0.markupEscaped)</span>" }
    let mappings = step.entityMappings.map { mapping in
      let policy = mapping.policyClassName.map { ", \($0)" } ?? ""
      return
        "<li>\("\(mapping.name)\(policy): \(mapping.sourceCount) → \(mapping.destinationCount)".markupEscaped)</li>"
    }
    let list = mappings.isEmpty ? "" : "<ul>\(mappings.joined())</ul>"
    return """
      <tr><th scope="row">\(step.name.markupEscaped)<br><small>\(mapping)</small>\(remarks.joined())\
      \(list)</th><td>\(objects)</td><td>\(bars.joined())</td></tr>
      """
  }

  private func output(_ row: RunTable.Row) -> String {
    let printed = row.results.filter { !$0.output.isEmpty }.map { result in
      "<h3>\(result.id.backend.rawValue)</h3><pre>\(result.output.markupEscaped)</pre>"
    }
    if printed.isEmpty { return "" }
    return "<details class=\"steps\"><summary>Printed</summary>\(printed.joined())</details>"
  }
}
