extension ModelCheckReport {
  /// What the page shows beside the findings: how a store of the first version gets on, and what each step loses.
  var sections: [PageSection] {
    if model.versions.count < 2 { return [] }
    let rows = rows()
    let losses = rows.map { lost(after: $0.version) }
    let way = zip(rows, losses).map { row, lost in
      PageSection.Stop(
        version: row.version, step: row.version == rows.last?.version ? nil : row.next,
        look: row.nextFails ? "bad" : lost.isEmpty ? "good" : "notable")
    }
    let head =
      ["version", "to the next"] + (isProgressive ? [] : ["to \(current)"])
      + ["lost on the way to the next"]
    let cells = zip(rows, losses).map { row, lost in
      [row.version, row.next] + (isProgressive ? [] : [row.direct])
        + [lost.joined(separator: ", ")]
    }
    return [
      .way("The way of a store of \(rows.first?.version ?? "")", way),
      .table("Versions", TextTable([head] + cells, left: [0, 1, 2, 3])),
    ]
  }

  /// What a step takes from a store, whether it is accepted or not.
  private func lost(after version: String) -> [String] {
    let losses: Set<CheckRule> = [.removedEntity, .removedProperty, .narrowedType, .orderLost]
    return (findings + silenced.map(\.finding)).filter {
      losses.contains($0.rule) && $0.subject.step?.source == version
    }.compactMap { finding in
      finding.subject.entity.map { entity in
        entity + (finding.subject.property.map { ".\($0)" } ?? "")
      }
    }.uniqued()
  }
}
