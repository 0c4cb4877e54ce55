extension ModelCheckReport {
  /// The report for a person.
  func text(style: TextStyle) -> String {
    let sections = [heading(style), table(style), findingLines(style), [summary(style)]]
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }
      .joined(separator: "\n\n") + "\n"
  }

  private func heading(_ style: TextStyle) -> [String] {
    let versions = model.versions.count.counted("version")
    let line = "\(style.strong(modelName)): \(versions), current \(current)"
    let parts = [
      since.map { "only steps from \($0) on" },
      isProgressive ? "for an app that migrates version by version" : nil,
    ].compactMap(\.self)
    return [line] + (parts.isEmpty ? [] : [parts.joined(separator: ", ")])
      + (model.versions.count < 2 ? [] : ["in order \(model.order.howItWasFound)"])
  }

  // MARK: Versions

  struct Row {
    let version: String
    let next: String
    let direct: String
    let nextFails: Bool
    let directFails: Bool

    func line(width: Int, next nextWidth: Int, in style: TextStyle) -> String {
      let next = nextFails ? style.bad(next.padded(to: nextWidth)) : next.padded(to: nextWidth)
      let direct = directFails ? style.notable(direct) : direct
      return ["", version.padded(to: width), next, direct].joined(separator: "  ")
    }
  }

  /// A line for each version: how it gets to the next, and how to the current one.
  private func table(_ style: TextStyle) -> [String] {
    if model.versions.count < 2 { return [] }
    let header = Row(
      version: "version", next: "to the next", direct: isProgressive ? "" : "to \(current)",
      nextFails: false,
      directFails: false)
    let rows = rows()
    let width = ([header] + rows).map(\.version.count).max() ?? 0
    let nextWidth = ([header] + rows).map(\.next.count).max() ?? 0
    let lines = ([header] + rows).map {
      $0.line(width: width, next: nextWidth, in: style).trimmingTrailingSpaces
    }
    return [style.faint(lines[0])] + lines.dropFirst()
  }

  func rows() -> [Row] {
    let next = Dictionary(firstOf: steps.map { ($0.versions.source, $0.verdict) })
    let direct = Dictionary(firstOf: direct.map { ($0.versions.source, $0.verdict) })
    return versions.map(\.shownName).map { name in
      // Without a column for single steps, the current version is told where its next step would be.
      let isTold = isProgressive && name == current && next[name] == nil
      return Row(
        version: name, next: isTold ? "current" : next[name]?.shown ?? "",
        direct: name == current && !isTold ? "current" : direct[name]?.shown ?? "",
        nextFails: next[name]?.error != nil, directFails: direct[name]?.error != nil)
    }
  }

  // MARK: Findings

  private func findingLines(_ style: TextStyle) -> [String] {
    findings.flatMap { finding in
      [finding.line(style)] + (finding.advice.map { [style.faint("    do: \($0)")] } ?? [])
    }
  }

  private func summary(_ style: TextStyle) -> String {
    let counts = FindingSeverity.allCases.map { count(of: $0).counted($0.rawValue) }
    let silenced = silenced.isEmpty ? "" : ", \(silenced.count) accepted"
    let text = counts.joined(separator: ", ") + silenced
    return exitStatus == .passed ? style.good(text) : style.bad(text)
  }
}

extension StepVerdict {
  /// The verdict in a table.
  var shown: String {
    switch self {
    case .unchanged, .lightweight: name
    case .mapped(let names): "mapped by \(names.joined(separator: ", "))"
    case .impossible(let error): "impossible (\(error.code.rawValue))"
    }
  }
}

extension CheckFinding {
  /// `error: v1 -> v2: Order.total: message (134110) [rule]`.
  func line(_ style: TextStyle) -> String {
    let severity =
      switch severity {
      case .error: style.bad("error")
      case .warning: style.notable("warning")
      case .note: "note"
      }
    let code = code.map { " (\($0))" } ?? ""
    let parts = subject.parts.map { "\($0): " }.joined()
    return "\(severity): \(parts)\(message)\(code) \(style.faint("[\(rule.rawValue)]"))"
  }
}

extension CheckFinding.Subject {
  /// The file, the step or versions, and the entity with its property, whatever there is.
  var parts: [String] {
    let element = [entity, property].compactMap { $0 }.joined(separator: ".")
    return [file, step?.description, versions, element.isEmpty ? nil : element].compactMap { $0 }
  }
}
