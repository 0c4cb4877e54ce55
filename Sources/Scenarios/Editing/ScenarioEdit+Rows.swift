// What a scenario of a `for_each` table expects may stand in a cell of its row, or for all rows.

extension ScenarioEdit {
  /// A repair of one scenario, as the file has the value.
  package enum Placed {
    /// The value is the scenario's own: its document has no table, or it stands in a cell.
    case own(Repair)
    /// The value stands for all rows of the scenario's document, which must agree about it.
    case ofAllRows(Repair)
    case refused(Diagnostic)
  }

  /// Finds what a repair of a scenario means in the file.
  package func placed(_ repair: Repair, of scenario: Scenario) -> Placed {
    guard let row = scenario.row else { return .own(repair) }
    let found = values(for: repair.target)
    guard found.count == 1, let value = found.first, value.column == nil else {
      return .own(repair)
    }
    if let text = value.node.text, let name = Placeholder.only(in: text), let cell = row.cell(name)
    {
      return .own(Repair(of: cell.place, repair.value))
    }
    if value.node.hasPlaceholders {
      return .refused(.notUpdated("a placeholder is part of it", value.node))
    }
    return .ofAllRows(repair)
  }
}

extension FoundNode {
  /// The column of a `for_each` table that the value is a cell of; nil for all others.
  var column: String? {
    guard path.steps.count == 3, path.steps[0] == .key(ForEachTable.key),
      case .key(let name) = path.steps[2]
    else { return nil }
    return name
  }
}

extension SourceNode {
  /// Whether a cell says more than what is expected, and what the scenario is called.
  func usesOutsideOfExpectations(_ column: String) -> Bool {
    let others: Set = ["scenario", "about", "expect", "then", ForEachTable.key]
    return (map ?? []).contains { entry in
      !others.contains(entry.key.value) && entry.value.hasPlaceholder(column)
    }
  }
}
