// Whether the store that a chain led to is sound.

extension ScenarioRun {
  /// So many objects a finding names.
  private static let mostNamed = 5
  /// So many rows a finding lists, to tell those that were damaged before from the others.
  private static let mostRows = 100_000

  /// Looks at the result as `heavyweight inspect` does, whatever the scenario expects of it: who looks only
  /// at the counts doesn't see links that lead nowhere, or only one way.
  ///
  /// What the store that was given had already isn't the chain's doing, and becomes a note.
  /// - Parameters:
  ///   - store: The result, open for reading.
  ///   - step: What led to it.
  func audit(_ store: PersistentStore, after step: String?) throws {
    let findings = try Self.damage(of: store)
    let given = try givenFindings()
    defer { (isAudited, hasSaved) = (true, false) }
    if !findings.isEmpty {
      let model = try scenario.model(start)
      let before = DamagedOrigins(given, model: model, provenance: provenance)
      for finding in findings where !accepts(finding) {
        report(finding, in: store.model, before, after: step)
      }
    }
    if isAudited { return }
    // A link that led nowhere and a missing file read as nothing, which is what the result has.
    for finding in given where !findings.contains(where: { $0.kind == finding.kind }) {
      if !accepts(finding) { noteDamage(finding) }
    }
  }

  func accepts(_ finding: IntegrityFinding) -> Bool {
    guard
      scenario.scenario.accepts(
        .damage(finding.kind), entity: finding.entity, property: finding.property)
    else { return false }
    acceptedDamage.insert(finding)
    return true
  }

  static func damage(of store: PersistentStore) throws -> [IntegrityFinding] {
    guard let store = store as? SQLiteStore else { return try ObjectAudit.findings(in: store) }
    return try StoreInspector(of: store).inspect(with: store.model, rowLimit: mostRows).findings
      .filter(\.isDamage)
  }

  // MARK: What was there before

  /// What was wrong with the store that was given, or with rows that got past validation.
  private func givenFindings() throws -> [IntegrityFinding] {
    guard case .store(let path) = scenario.seed(for: start)?.content else { return seedDamage }
    return try SourceDamage.findings(in: path, of: scenario, start, rowLimit: Self.mostRows)
  }

  private func noteDamage(_ finding: IntegrityFinding) {
    note(
      finding, names: names(of: finding.rows, amongAll: finding.count, finding, nil),
      explanation:
        "the store that was given had it before the migration, and the result shows nothing of it")
  }

  private func note(_ finding: IntegrityFinding, names: String, explanation: String) {
    let objects = names.isEmpty ? "" : ": \(names)"
    let note = "\(finding.text)\(objects); \(explanation)"
    if !result.notes.contains(note) { result.notes.append(note) }
  }

  private func report(
    _ finding: IntegrityFinding, in model: ManagedObjectModel, _ before: DamagedOrigins,
    after step: String?
  ) {
    let names = finding.propertyNames(in: model)
    var (old, new): ([IntegrityFinding.Row], [IntegrityFinding.Row]) = ([], [])
    for row in finding.rows {
      let origins = provenance.origins(of: row.object, in: model)
      if before.explain(origins, names) { old.append(row) } else { new.append(row) }
    }
    if !old.isEmpty {
      var part = finding
      part.count = old.count
      note(
        part, names: self.names(of: old, amongAll: old.count, finding, model),
        explanation: "the given store had it before the migration")
    }
    if finding.rows.isEmpty || !new.isEmpty || finding.count > finding.rows.count {
      var part = finding
      part.count = finding.rows.isEmpty ? finding.count : finding.count - old.count
      result.failures.append(failure(part, rows: new, in: model, after: step))
    }
  }

  // MARK: Wording

  private func failure(
    _ finding: IntegrityFinding, rows: [IntegrityFinding.Row], in model: ManagedObjectModel,
    after step: String?
  ) -> Failure {
    let objects = rows.isEmpty ? "" : ": \(names(of: rows, amongAll: rows.count, finding, model))"
    var failure = Failure(
      .damagedResult,
      at: scenario.steps(from: start).place(of: step)
        ?? scenario.scenario.title.place, step: step, finding.place ?? "the result",
      expected: "a sound store",
      found: "\(finding.message)\(objects)",
      notes: [
        "heavyweight inspect finds this in the result, whatever the scenario expects; to accept it:",
        "accept: [{ finding: \(finding.kind.rawValue), because: … }]",
      ])
    failure.hints = [finding.kind.rawValue]
    failure.target = Failure.Target(
      entity: rows.first?.entity ?? finding.entity,
      name: rows.first.flatMap { name(of: $0, model) },
      row: rows.first.map(finding.name(of:)), property: finding.property)
    return failure
  }

  /// - Parameters:
  ///   - count: How many there are, those that the finding doesn't list included.
  ///   - model: The result's, for rows of the result: these have the names of what they came from.
  private func names(
    of rows: [IntegrityFinding.Row], amongAll count: Int, _ finding: IntegrityFinding,
    _ model: ManagedObjectModel?
  ) -> String {
    let shown = rows.prefix(Self.mostNamed).map { row in
      let known = model.flatMap { name(of: row, $0) }.map { "\(row.entity ?? "object") \($0)" }
      let target = row.target.map { " -> \($0)" } ?? ""
      let detail = row.detail.map { " (\($0))" } ?? ""
      return (known ?? finding.name(of: row)) + target + detail
    }
    let more = shown.isEmpty || count <= shown.count ? "" : " and \(count - shown.count) more"
    return shown.joined(separator: ", ") + more
  }

  /// The local name of what an object came from.
  private func name(of row: IntegrityFinding.Row, _ model: ManagedObjectModel) -> String? {
    provenance.origins(of: row.object, in: model).first.flatMap { provenance.origins[$0].name }
  }
}

/// The objects of a store that was given of which something was wrong, as places in the list of origins, with
/// the properties that it was wrong about.
private struct DamagedOrigins {
  private var properties: [Int: Set<String>] = [:]

  init(_ findings: [IntegrityFinding], model: ManagedObjectModel, provenance: Provenance) {
    for finding in findings {
      for row in finding.rows {
        note(row.object, property: finding.property ?? "", model: model, provenance: provenance)
        // Either end of a link that isn't right may show it afterwards.
        guard let target = row.targetObject,
          let inverse = finding.relationship(in: model)?.inverseRelationship
        else { continue }
        note(target, property: inverse.name, model: model, provenance: provenance)
      }
    }
  }

  private mutating func note(
    _ object: AuditedObject, property: String, model: ManagedObjectModel,
    provenance: Provenance
  ) {
    for origin in provenance.beginnings(of: object, in: model) {
      properties[origin, default: []].insert(property)
    }
  }

  /// Whether an object came from one of which the same was wrong. What a chain renamed twice isn't recognized, and
  /// so is taken for the chain's doing.
  func explain(_ origins: [Int], _ names: Set<String>) -> Bool {
    origins.contains { !(properties[$0] ?? []).isDisjoint(with: names) }
  }
}

extension IntegrityFinding {
  /// The property, by its name in the version before too; an empty name for what is wrong with an object as
  /// a whole.
  fileprivate func propertyNames(in model: ManagedObjectModel) -> Set<String> {
    guard let property else { return [""] }
    let described = entity.flatMap { model.entity(named: $0)?.property(named: property) }
    return Set([property, described?.renamingIdentifier].compactMap(\.self))
  }

  fileprivate func relationship(in model: ManagedObjectModel) -> RelationshipDescription? {
    guard let entity, let property else { return nil }
    return model.entity(named: entity)?.relationship(named: property)
  }
}

/// An object as an inspection names it: by any entity of its hierarchy.
struct AuditedObject: Hashable {
  let entity: String
  let key: Int64
}

extension IntegrityFinding.Row {
  fileprivate var object: AuditedObject { AuditedObject(entity: entity ?? "", key: key) }

  /// What `Entity/p3` means.
  fileprivate var targetObject: AuditedObject? {
    guard let parts = target?.split(separator: "/"), parts.count == 2,
      let key = Int64(parts[1].dropFirst())
    else { return nil }
    return AuditedObject(entity: String(parts[0]), key: key)
  }
}
