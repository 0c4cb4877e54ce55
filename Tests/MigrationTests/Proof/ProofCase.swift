import Migration

/// A first model with rows, and the changes of each step.
struct ProofCase {
  struct Row {
    var entity: String
    var values: [String: Value]
    /// Rows by number, for each relationship.
    var links: [String: [Int]] = [:]
  }
  var base: ProofModel
  var rows: [Row]
  var steps: [[ProofChange]]
  /// What mapping models that are written for the steps are made from.
  var mappingSeed: UInt64 = 0
  /// Whether what was gone may come back as something else, which one step takes for the same.
  var reusesNames = false

  var models: [ProofModel] {
    steps.reduce(into: [base]) { models, changes in
      models.append(models[models.count - 1].applying(changes))
    }
  }

  /// Whether going step by step must come to the same as one direct step.
  var isComposable: Bool { !reusesNames && steps.joined().allSatisfy(\.isComposable) }
}

// MARK: - As a scenario

extension ProofCase: CustomStringConvertible {
  /// A scenario file that does the same.
  var description: String {
    let versions = models.indices.map { "v\($0 + 1)" }
    var lines = ["scenario: A generated case", "models:"]
    for (version, model) in zip(versions, models) {
      lines.append("  \(version):")
      for entity in model.entities {
        lines.append("    \(entity.name):")
        lines += entity.notation.map { "      \($0)" }
      }
    }
    lines.append("seed:")
    for entity in base.entities {
      let rows = self.rows.enumerated().filter { $0.element.entity == entity.name }
      if rows.isEmpty { continue }
      lines.append("  \(entity.name):")
      lines += rows.map { "    - { id: r\($0.offset)\(Self.text(of: $0.element)) }" }
    }
    lines.append("chain:")
    lines += zip(versions, versions.dropFirst()).map { "  - \($0) -> \($1)" }
    lines.append("# changes: \(steps), mapping models of seed \(mappingSeed)")
    return lines.joined(separator: "\n")
  }

  private static func text(of row: Row) -> String {
    let values = row.values.sorted { $0.key < $1.key }.map { ", \($0.key): \(text(of: $0.value))" }
    let links = row.links.sorted { $0.key < $1.key }.map { key, rows in
      ", \(key): [\(rows.map { "r\($0)" }.joined(separator: ", "))]"
    }
    return (values + links).joined()
  }

  private static func text(of value: Value) -> String {
    switch value {
    case .null: "null"
    case .string(let text): "\"\(text)\""
    case .data(let data): "0x" + data.map { String(format: "%02x", $0) }.joined()
    case .date(let date): date.ISO8601Format()
    default: value.boxed.map { "\($0)" } ?? "null"
    }
  }
}

// MARK: - Shrinking

extension ProofCase {
  /// Smaller cases, the much smaller ones first.
  var smaller: [ProofCase] {
    var cases: [ProofCase] = []
    for step in steps.indices {
      var copy = self
      copy.steps.remove(at: step)
      cases.append(copy)
    }
    cases += rows.indices.reversed().map(withoutRow)
    for (step, changes) in steps.enumerated() {
      for change in changes.indices {
        var copy = self
        copy.steps[step].remove(at: change)
        cases.append(copy)
      }
    }
    return cases + base.entities.flatMap(withoutParts)
  }

  private func withoutRow(_ number: Int) -> ProofCase {
    var copy = self
    copy.rows.remove(at: number)
    for row in copy.rows.indices {
      copy.rows[row].links = copy.rows[row].links.mapValues { links in
        links.filter { $0 != number }.map { $0 > number ? $0 - 1 : $0 }
      }
    }
    return copy
  }

  private func withoutParts(of entity: ProofModel.Entity) -> [ProofCase] {
    let changes =
      entity.attributes.map { ProofChange.removeAttribute(entity.name, $0.name) }
      + entity.relationships.map { ProofChange.removeRelationship(entity.name, $0.name) }
      + (rows.contains { $0.entity == entity.name } ? [] : [.removeEntity(entity.name)])
    return changes.compactMap { change in
      var copy = self
      copy.base = base.applying([change])
      if copy.base == base { return nil }
      for row in copy.rows.indices {
        guard let known = copy.base[copy.rows[row].entity] else { continue }
        let attributes = Set(copy.base.attributes(of: known).map(\.name))
        let relationships = Set(copy.base.relationships(of: known).map(\.name))
        copy.rows[row].values = copy.rows[row].values.filter { attributes.contains($0.key) }
        copy.rows[row].links = copy.rows[row].links.filter { relationships.contains($0.key) }
      }
      return copy
    }
  }
}
