extension StoreMigrationReport {
  /// The report for a person.
  /// - Parameter isVerbose: Whether to say why steps weren't carried out in SQL, and their plans.
  func text(style: TextStyle, isVerbose: Bool = false) -> String {
    let lines =
      [heading(style)] + stepLines(style, isVerbose) + warnings(style)
      + (table.map { [""] + $0.lines(style, indent: 2) } ?? []) + ending(style)
    return lines.map { $0 + "\n" }.joined()
  }

  private func heading(_ style: TextStyle) -> String {
    guard let first = versions.first else {
      if route.isFromStoreModel {
        return style.strong(store) + " matches none of the versions; its own model is the source"
      }
      let isUnknown = failure?.error is PolicyDeath
      return style.strong(store) + (isUnknown ? "" : " matches none of the versions")
    }
    let ties = versions.dropFirst()
    let others = ties.isEmpty ? "" : " (equal to it: \(ties.joined(separator: ", ")))"
    let part = configuration.map { ", configuration \($0)" } ?? ""
    return "\(style.strong(store)) is of version \(first)\(part)\(others)"
  }

  private func stepLines(_ style: TextStyle, _ isVerbose: Bool) -> [String] {
    let width = steps.map(\.name.count).max() ?? 0
    let mappingWidth = steps.map { mapping(of: $0).count }.max() ?? 0
    return steps.flatMap { step in
      let mark = step.errorText == nil ? style.good("✓") : style.bad("✗")
      let objects = step.destinationObjectCount.map { "\(step.sourceObjectCount) -> \($0) objects" }
      let outcome = step.errorText ?? objects ?? ""
      let time = style.faint(
        step.isPassedThrough == true ? "with the next" : TimeText.text(step.seconds))
      let name = "\(mark) \(step.name.padded(to: width))"
      let line = "  \(name)  \(mapping(of: step).padded(to: mappingWidth))  \(outcome)  \(time)"
      let details: [String] = isVerbose ? step.unsupportedRemarks + step.planLines : []
      let remarks: [String] = step.remarks.map(style.notable) + details.map(style.faint)
      return [line] + remarks.map { "      " + $0 }
    }
  }

  /// `inferred`, or `custom` with the mapping models' names.
  private func mapping(of step: ExecutedStep) -> String {
    guard let use = step.mapping else { return "no mapping" }
    return use == .inferred ? "inferred" : "custom \(step.mappingNames.joined(separator: ", "))"
  }

  private func warnings(_ style: TextStyle) -> [String] {
    let tables = failure == nil ? leftBehind : []
    let told = (failure?.error as? RouteRefusal)?.reason == .unusedMappings
    let unused = unusedMappings.filter { !told || !$0.isMeant }
    return unused.map { "  " + style.notable("mapping file not used: \($0)") }
      + findings.map { "  " + style.notable("damaged: \($0)") }
      + tables.map { "  " + style.notable("left behind: \($0.text)") }
  }

  /// The entities with objects, before and after.
  private var table: TextTable? {
    let rows = failure == nil ? entities.filter { $0.before ?? 0 > 0 || $0.after ?? 0 > 0 } : []
    if rows.isEmpty { return nil }
    func shown(_ count: Int?) -> String { count.map(String.init) ?? "-" }
    let cells = rows.map { [$0.entity, shown($0.before), shown($0.after)] }
    return TextTable([["entity", "before", "after"]] + cells, least: 8)
  }

  /// What the page shows beside the findings: the steps, and how many objects there were and are.
  var sections: [PageSection] {
    let way = steps.map { step in
      PageSection.Stop(
        version: StepEnds(step.name)?.source ?? step.name,
        step: step.errorText ?? mapping(of: step),
        look: step.errorText == nil ? step.remarks.isEmpty ? "good" : "notable" : "bad")
    }
    let end = steps.last.flatMap { StepEnds($0.name)?.destination }
    return (way.isEmpty ? [] : [.way("Steps", way + [PageSection.Stop(version: end ?? "")])])
      + (table.map { [.table("Objects", $0)] } ?? [])
  }

  private func ending(_ style: TextStyle) -> [String] {
    if let failure {
      let end =
        MachineFault(failure.error).map { "not judged: \($0.kind.rawValue)" }
        ?? "the migration failed"
      return "\(failure)".split(separator: "\n").map { "    \($0)" } + hint
        + ["", style.bad("\(end); \(remains)")]
    }
    let version = target.map { " is of version \($0)" } ?? ""
    let how = steps.isEmpty ? "a copy: nothing had to be migrated" : TimeText.text(seconds)
    return ["", "\(style.strong(output))\(version), \(steps.isEmpty ? how : "in \(how)")"]
  }

  private var remains: String {
    isResultThere
      ? "its result is in \(output); remove it before trying again" : "nothing was written"
  }

  /// Where to look on when it is unclear what the store is.
  private var hint: [String] {
    versions.isEmpty && !route.isFromStoreModel && !(failure?.error is PolicyDeath)
      ? [
        "    see: `heavyweight inspect \(store.shellQuoted) --models \(models?.shellQuoted ?? "MODEL")` shows what differs, property "
          + "by property"
      ]
      : []
  }
}
