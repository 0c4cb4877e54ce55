/// Leaves out of a scenario what its failure doesn't need: expectations, rows, properties, names, steps.
final class Reduction {
  private let scenario: ReducibleScenario
  private let trial: ReductionTrial
  /// The expectations that fail; none for an error.
  private let failing: [Int]
  /// What the failure says it is about.
  private let target: Failure.Target?
  private let title: String
  private let mark: String
  /// Rows of which one must be left at least: that nothing comes of nothing is another failure. None where the
  /// failure doesn't hang on numbers of objects.
  private let needed: Set<Int>
  private var choice: ReducibleScenario.Choice
  /// Puts a smaller text in its place: whoever interrupts has that.
  var write: (String) throws -> Void = { _ in }

  init(
    _ scenario: ReducibleScenario, _ trial: ReductionTrial, failing: [Int],
    target: Failure.Target?, title: String, mark: String
  ) {
    self.scenario = scenario
    self.trial = trial
    self.failing = failing
    self.target = target
    self.title = title
    self.mark = mark
    needed =
      failing.contains(where: scenario.countsObjects)
      ? scenario.rows(becoming: target?.entity) : []
    choice = scenario.everything
  }

  /// How many of each part are left.
  var parts: ReductionReport.Parts {
    let all = scenario.checked.scenario
    return .init(
      rows: .init(left: choice.rows.count, of: scenario.rows.count),
      expectations: .init(left: choice.expectations.count, of: all.expectations.count),
      steps: .init(left: choice.steps.count, of: all.chain.count),
      entities: scenario.models.map {
        .init(left: entities(of: $0).count, of: $0.entityNames.count)
      },
      properties: scenario.models.map {
        .init(left: properties(of: $0).count, of: $0.properties.count)
      })
  }

  /// The same in one line.
  var left: String { parts.text }

  private func entities(of models: ReducibleModels) -> [String] {
    models.entityNames.filter { !choice.omission.entities.contains($0) }
  }

  private func properties(of models: ReducibleModels) -> [ReducibleModels.Property] {
    models.properties.filter { !choice.omission.leavesOut($0) }
  }

  /// - Returns: Whether it came to its end before the deadline.
  func run() async throws -> Bool {
    do {
      try await leaveOutAllButNamed()
      try await leaveOutExpectations()
      try await leaveOutRows()
      try await leaveOutSteps()
      try await leaveOutFields()
      try await leaveOutModels()
      try await leaveOutNames()
      // What fewer properties made unnecessary.
      try await leaveOutRows()
      try keep(choice)
      return true
    } catch is TimeIsOver {
      try keep(choice)
      return false
    }
  }

  // MARK: Trying

  private func heading(_ choice: ReducibleScenario.Choice) -> [String] {
    [
      "\(mark)\(title): \(choice.rows.count) of \(scenario.rows.count.counted("row")) "
        + (choice.rows.count == 1 ? "is left." : "are left."),
      "# It fails in the same way: \(trial.signature.text.replacing("\n", with: " "))",
    ]
  }

  private func text(_ choice: ReducibleScenario.Choice) -> String { scenario.text(choice) }

  private func keep(_ new: ReducibleScenario.Choice) throws {
    choice = new
    try write(scenario.text(new, heading: heading(new)))
  }

  /// Takes the first of several choices that still fails.
  private func take(_ choices: [ReducibleScenario.Choice]) async throws -> Int? {
    let places = choices.indices.filter { hasNeededRows(choices[$0]) }
    let texts = places.map { text(choices[$0]) }
    guard let found = try await trial.firstThatFails(texts) else { return nil }
    try keep(choices[places[found]])
    return places[found]
  }

  private func hasNeededRows(_ choice: ReducibleScenario.Choice) -> Bool {
    needed.isEmpty || choice.rows.contains(where: needed.contains)
  }

  /// Leaves out what of a list can be left out, all at once if that goes.
  private func minimize<Element: Sendable>(
    _ elements: [Element], _ change: @escaping (inout ReducibleScenario.Choice, [Element]) -> Void
  ) async throws {
    let current = choice
    _ = try await DeltaDebugging<Element> { parts in
      try await self.take(
        parts.map { part in
          var choice = current
          change(&choice, part)
          return choice
        })
    }.minimum(of: elements)
  }

  // MARK: Parts

  /// The object that the failure names is most often all that it takes: one trial instead of many large ones.
  private func leaveOutAllButNamed() async throws {
    guard let named = scenario.row(of: target) else { return }
    var new = choice
    new.rows = scenario.closed([named])
    if scenario.hasExpectationItems { new.expectations = wantedExpectations }
    new.hasActions = false
    _ = try await take([new])
  }

  private var wantedExpectations: [Int] {
    failing.isEmpty ? scenario.generalExpectations : failing
  }

  /// Only what fails is asked; of an error what can be asked of fewer objects, too.
  private func leaveOutExpectations() async throws {
    var choices: [ReducibleScenario.Choice] = []
    let wanted = wantedExpectations
    for hasActions in [false, true] {
      for expectations in scenario.hasExpectationItems
        ? [wanted, choice.expectations] : [choice.expectations]
      {
        var new = choice
        new.expectations = expectations
        new.hasActions = hasActions
        choices.append(new)
      }
    }
    _ = try await take(choices)
  }

  private func leaveOutRows() async throws {
    try await minimize(choice.rows) { [scenario] choice, rows in choice.rows = scenario.closed(rows)
    }
  }

  private func leaveOutSteps() async throws {
    guard scenario.hasStepItems else { return }
    while choice.steps.count > 1 {
      var (shorter, later) = (choice, choice)
      shorter.steps = choice.steps.dropLast()
      later.steps = choice.steps.dropFirst()
      guard try await take([shorter, later]) != nil else { return }
    }
  }

  private func leaveOutFields() async throws {
    let all = choice.rows.flatMap { row in
      scenario.rows[row].fields.indices.map { ReducibleScenario.Choice.Place(row: row, field: $0) }
    }
    let every = Set(all)
    try await minimize(all) { choice, kept in choice.omitted = every.subtracting(kept) }
  }

  /// Versions that no step is left of, entities, and properties with their values.
  private func leaveOutModels() async throws {
    guard let models = scenario.models else { return }
    try await omit(models.versionNames, of: models) { $0.versions = Set($1) }
    try await omit(entities(of: models), of: models) { $0.entities = Set($1) }
    try await omit(properties(of: models), of: models) { $0.properties.formUnion($1) }
  }

  /// - Parameter change: Adds to an omission what isn't to be kept.
  private func omit<Part: Hashable & Sendable>(
    _ parts: [Part], of models: ReducibleModels,
    _ change: @escaping (inout ReducibleModels.Omission, [Part]) -> Void
  ) async throws {
    try await minimize(parts) { choice, kept in
      let kept = Set(kept)
      change(&choice.omission, parts.filter { !kept.contains($0) })
      choice.omission = models.closed(choice.omission)
    }
  }

  private func leaveOutNames() async throws {
    let named = choice.rows.filter { scenario.rows[$0].name != nil }
    let every = Set(named)
    try await minimize(named) { choice, kept in choice.nameless = every.subtracting(kept) }
  }
}

extension ReducibleScenario {
  /// The place of the row that a failure names; nil for none.
  func row(of target: Failure.Target?) -> Int? {
    guard let target else { return nil }
    if let name = target.name?.split(separator: " ").last {
      return rows.firstIndex { $0.name == String(name) }
    }
    // Rows without names are numbered in the order of the seed, entity by entity.
    guard let row = target.row, let number = Int(row.drop { !$0.isNumber }) else { return nil }
    let all = rows.indices.filter { rows[$0].entity == target.entity }
    return all.indices.contains(number - 1) ? all[number - 1] : nil
  }

  /// The expectations that say something of any number of objects.
  var generalExpectations: [Int] {
    checked.scenario.expectations.indices.filter { countsRows($0) || !countsObjects($0) }
  }

  /// Whether an expectation says something of a number of objects, or of certain ones.
  func countsObjects(_ expectation: Int) -> Bool {
    checked.scenario.expectations[expectation].countsObjects
  }
}
