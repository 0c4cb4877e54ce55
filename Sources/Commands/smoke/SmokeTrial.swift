/// Plays scenarios of a smoke test in this process.
struct SmokeTrial {
  let policies: any PolicyProvider
  /// What the paths of scenarios are relative to while they are played.
  let folder: URL

  /// What one play came to.
  struct Outcome {
    let failures: [Failure]
    /// The error that the chain ended with.
    let error: ChainFailure?
    let steps: [ExecutedStep]
    /// What the store held before the first step; nil where the rows were refused.
    let before: ContentSnapshot?
    /// What it held in the end; nil after an error.
    let after: ContentSnapshot?
    let origins: [Provenance.Origin]
    /// What is wrong with the store that was made.
    var unsound: [IntegrityFinding] = []

    /// Whether another play came to something else: other content, or another error.
    func differs(from other: Outcome) -> Bool {
      guard let after, let second = other.after else {
        return MigrationError(self) != MigrationError(other)
      }
      return !after.differences(from: second).isEmpty
    }

    /// The first difference, in words.
    func difference(from other: Outcome) -> String {
      guard let after, let second = other.after else {
        return "\(error.map { "\($0)" } ?? "no error"), or "
          + (other.error.map { "\($0)" } ?? "no error")
      }
      return after.differences(from: second).first.map {
        "\($0.subject): \($0.first), or \($0.second)"
      } ?? "no difference"
    }

    /// The objects that a row became.
    func made(of origin: Int) -> [ContentSnapshot.Object] {
      after?.objects.filter { $0.origins.contains(origin) } ?? []
    }
  }

  /// An error, which a device perhaps doesn't have.
  func finding(
    of error: MigrationError, in scenario: SmokeScenario
  ) throws -> (kind: SmokeFinding.Kind, text: String) {
    let text = "error \(error.code): \(error.reason)"
    guard let unknown = try play(scenario).steps.flatMap(\.unknowns).first else {
      return (.migrationFails, text)
    }
    return (.unknownOnDevice, "\(text); \(unknown.what): what a device does here isn't known")
  }

  func play(_ scenario: SmokeScenario, on backend: Backend = .memory) throws -> Outcome {
    switch backend {
    case .memory: return try play(scenario, on: backend, in: MemoryStores(destination: nil))
    case .sqlite:
      return try ScratchFolder.with { scratch in
        let stores = try SQLiteStores(folder: scratch, destination: nil)
        var outcome = try play(scenario, on: backend, in: stores)
        if outcome.after != nil, let file = stores.currentFile {
          let inspector = try StoreInspector(of: file)
          outcome.unsound = try inspector.inspect(with: inspector.cachedModel).findings
            .filter { $0.severity == .error }
        }
        return outcome
      }
    }
  }

  private func play(_ scenario: SmokeScenario, on backend: Backend, in stores: any ScenarioStores)
    throws -> Outcome
  {
    let checked = try checked(scenario)
    let start = checked.starts.first ?? ""
    let run = ScenarioRun(
      checked, id: RunID(checked, start: start, backend: backend), stores: stores,
      policies: policies)
    checked.withSurroundings { run.play() }
    // Without the app's policy nothing is as in the app.
    if let failure = run.facts.failure, failure.isOfMissingPolicy { throw failure }
    let isDone = run.facts.failure == nil && run.snapshots.count > 1
    return Outcome(
      failures: run.result.failures, error: run.facts.failure, steps: run.facts.executedSteps,
      before: run.snapshots.first?.content, after: isDone ? run.snapshots.last?.content : nil,
      origins: run.provenance.origins)
  }

  /// The smallest scenario by which memory and SQLite come to something else; nil where they don't, and where they
  /// only differ by rows that SQLite drops, of which is told otherwise.
  /// - Parameters:
  ///   - memory: What the scenario comes to in memory.
  ///   - stored: What it comes to in SQLite.
  func smallestDifference(of scenario: SmokeScenario, in memory: Outcome, and stored: Outcome)
    throws -> (scenario: SmokeScenario, text: String)?
  {
    guard memory.differs(from: stored) else { return nil }
    let dropped = Set(
      stored.after == nil
        ? []
        : stored.origins.indices.filter { stored.made(of: $0).isEmpty }.compactMap {
          stored.origins[$0].name
        })
    func differs(_ scenario: SmokeScenario) throws -> Bool {
      let memory = try play(scenario)
      return try memory.before != nil && memory.differs(from: play(scenario, on: .sqlite))
    }
    let rest = scenario.with(scenario.rows.filter { !dropped.contains($0.name) })
    do { guard try differs(rest) else { return nil } } catch is Diagnostics {
      // Others can't be without the rows that SQLite drops.
      return nil
    }
    let small = try smallest(rest, differs)
    return (small, try play(small).difference(from: play(small, on: .sqlite)))
  }

  /// The smallest scenario whose store in SQLite isn't sound in the same way, and what is wrong with it then.
  /// - Parameter finding: What is wrong with the store that the scenario comes to.
  func smallestDamage(
    _ scenario: SmokeScenario, _ finding: IntegrityFinding
  ) throws -> (scenario: SmokeScenario, finding: IntegrityFinding) {
    func damage(_ scenario: SmokeScenario) throws -> IntegrityFinding? {
      try play(scenario, on: .sqlite).unsound.first { $0.isAbout(sameAs: finding) }
    }
    let small = try smallest(scenario) { try damage($0) != nil }
    return (small, try damage(small) ?? finding)
  }

  private func checked(_ scenario: SmokeScenario) throws -> CheckedScenario {
    let file = SourceFile(path: "smoke.scenario.yaml", text: scenario.text(in: folder))
    return try CheckedScenario.check(ScenarioReader.read(file, in: folder))
  }

  /// The entity whose row the store of a version refuses; nil when all rows are taken.
  /// - Throws: What has nothing to do with rows.
  func refusedEntity(_ scenario: SmokeScenario) throws -> String? {
    let checked = try checked(scenario)
    let run = ScenarioRun(
      checked, id: RunID(checked, start: checked.starts.first ?? "", backend: .memory),
      stores: MemoryStores(destination: nil), policies: policies)
    return try run.refusedEntity()
  }

  // MARK: Shrinking

  /// The fewest rows, and the fewest values in them, with which a scenario still shows something.
  /// - Parameter shows: Whether a scenario shows it.
  /// - Complexity: A few plays for each row and value that stays, and few for those that go.
  func smallest(
    _ scenario: SmokeScenario, _ showsIt: (SmokeScenario) throws -> Bool
  ) throws -> SmokeScenario {
    func shows(_ scenario: SmokeScenario) throws -> Bool {
      do { return try showsIt(scenario) } catch is Diagnostics {
        // A required value is missing, or an expectation names a row that isn't there any more.
        return false
      }
    }
    var rows = scenario.rows
    var size = rows.count
    while size > 1 {
      size = max(1, min(size, rows.count) / 2)
      // The last first, so that the first of several that show it stays.
      var end = rows.count
      while end > 0, rows.count > 1 {
        let start = max(0, end - size)
        var fewer = rows
        fewer.removeSubrange(start..<end)
        if try !fewer.isEmpty && shows(scenario.with(fewer)) { rows = fewer }
        end = start
      }
    }
    rows = scenario.with(rows).rows
    for index in rows.indices {
      for field in rows[index].fields.reversed() {
        var fewer = rows
        fewer[index].fields.removeAll { $0.key == field.key }
        if try shows(scenario.with(fewer)) { rows = fewer }
      }
    }
    return scenario.with(rows)
  }
}

extension IntegrityFinding {
  /// Whether another finding is the same, of whichever rows.
  fileprivate func isAbout(sameAs other: Self) -> Bool {
    kind == other.kind && entity == other.entity && property == other.property
      && table == other.table
  }
}

extension ScenarioRun {
  /// The entity whose row the first store refuses; nil when all rows are taken.
  /// - Throws: What has nothing to do with rows.
  func refusedEntity() throws -> String? {
    do {
      try prepareSource()
      return nil
    } catch let error as CoreDataError where error.code != .persistentStoreIncompatibleSchema {
      guard let entity = error.place.entity ?? error.details.first?.place.entity else {
        throw error
      }
      return entity
    }
  }
}
