/// Leaves out of a scenario what its failure doesn't need: expectations, rows, properties, names, hops.
final class Reduction {
  private let scenario: ReducibleScenario
  private let trial: ReductionTrial
  /// The expectations that fail; none for an error.
  private let failing: [Int]
  private let title: String
  private let mark: String
  private let deadline: ContinuousClock.Instant?
  private var choice: ReducibleScenario.Choice
  /// Puts a smaller text in its place: whoever interrupts has that.
  var write: (String) throws -> Void = { _ in }

  init(
    _ scenario: ReducibleScenario, _ trial: ReductionTrial, failing: [Int], title: String,
    mark: String, deadline: ContinuousClock.Instant?
  ) {
    self.scenario = scenario
    self.trial = trial
    self.failing = failing
    self.title = title
    self.mark = mark
    self.deadline = deadline
    choice = scenario.everything
  }

  private struct TimeIsOver: Error {}

  /// What is left, in one line.
  var left: String {
    let expectations = scenario.checked.scenario.expectations.count
    return "\(choice.rows.count) of \(scenario.rows.count.counted("row")), "
      + "\(choice.expectations.count) of \(expectations.counted("expectation")), "
      + "\(choice.hops.count) of \(scenario.checked.scenario.chain.count.counted("hop"))"
  }

  /// - Returns: Whether it came to its end before the deadline.
  func run() async throws -> Bool {
    do {
      try await leaveOutExpectations()
      try await leaveOutRows()
      try await leaveOutHops()
      try await leaveOutFields()
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
      "\(mark)\(title): \(choice.rows.count) of \(scenario.rows.count.counted("row")) are left.",
      "# It fails like that one: \(trial.signature.text.replacing("\n", with: " "))",
    ]
  }

  private func text(_ choice: ReducibleScenario.Choice) -> String { scenario.text(choice) }

  private func keep(_ new: ReducibleScenario.Choice) throws {
    choice = new
    try write(scenario.text(new, heading: heading(new)))
  }

  /// Takes the first of several choices that still fails.
  private func take(_ choices: [ReducibleScenario.Choice]) async throws -> Int? {
    if let deadline, ContinuousClock.now > deadline { throw TimeIsOver() }
    guard let found = try await trial.firstThatFails(choices.map(text)) else { return nil }
    try keep(choices[found])
    return found
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

  /// Only what fails is asked; of an error what can be asked of fewer objects, too.
  private func leaveOutExpectations() async throws {
    var choices: [ReducibleScenario.Choice] = []
    let wanted = failing.isEmpty ? scenario.generalExpectations : failing
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

  private func leaveOutHops() async throws {
    guard scenario.hasHopItems else { return }
    while choice.hops.count > 1 {
      var (shorter, later) = (choice, choice)
      shorter.hops = choice.hops.dropLast()
      later.hops = choice.hops.dropFirst()
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

  private func leaveOutNames() async throws {
    let named = choice.rows.filter { scenario.rows[$0].name != nil }
    let every = Set(named)
    try await minimize(named) { choice, kept in choice.nameless = every.subtracting(kept) }
  }
}

extension ReducibleScenario {
  /// The expectations that say something of any number of objects.
  var generalExpectations: [Int] {
    let counting: Set<String> = [
      "count", "exactly", "some", "object", "dropped", "made", "instanceOf", "calls", "prints",
      "trace",
    ]
    let all = checked.scenario.expectations
    return all.indices.filter { !counting.contains(all[$0].check.keyword) }
  }
}
