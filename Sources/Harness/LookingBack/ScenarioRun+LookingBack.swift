// Where a value first went wrong.

extension ScenarioRun {
  /// Adds to the failures found so far what the stores on the way tell about them.
  func lookBack() {
    for (index, question) in questions.sorted(by: { $0.key < $1.key }) {
      result.failures[index].lookBack(question.question, in: history(upTo: question.version))
    }
    for index in result.failures.indices {
      let failure = result.failures[index]
      result.failures[index].code = failure.code ?? lineOfPolicy(of: failure)
      result.failures[index].hints =
        FailureHints(result: result, failure: result.failures[index]).identifiers
    }
  }

  // MARK: Playing a step once more

  /// So many failures are followed into their hooks; a store with more objects takes too long.
  private static let mostReplays = 3
  private static let mostObjects = 20_000

  var isWorthReplaying: Bool { !replayable.isEmpty }

  /// The failures about single properties that a migration manager gave their values.
  private var replayable: [(index: Int, step: String, target: HookReplay.Target)] {
    let all = questions.sorted { $0.key < $1.key }.compactMap { index, asked in
      replayTarget(index, asked.question).map { (index, $0.step, $0.target) }
    }
    return Array(all.prefix(Self.mostReplays))
  }

  private func replayTarget(
    _ index: Int, _ question: HistoryQuestion
  ) -> (step: String, target: HookReplay.Target)? {
    let failure = result.failures[index]
    guard case .value(let origins, let keyPath) = question, keyPath.count == 1,
      let step = failure.origin?.step, let entity = failure.target?.entity,
      let hop = result.hops.first(where: { $0.hop == step }), !hop.events.isEmpty,
      hop.sourceObjectCount <= Self.mostObjects
    else { return nil }
    return (step, HookReplay.Target(origins: origins, entity: entity, property: keyPath[0]))
  }

  /// Finds the hooks in which values went wrong, by playing the steps once more.
  func replay() {
    for (index, step, target) in replayable {
      guard let replay = HookReplay(of: self, step: step, target: target),
        let origin = try? replay.find()
      else { continue }
      result.failures[index].origin = origin
      result.failures[index].code = lineOfPolicy(of: result.failures[index])
    }
  }

  private func history(upTo version: String) -> History {
    let end = snapshots.firstIndex { $0.stage == version }.map { $0 + 1 } ?? snapshots.count
    return History(
      stages: snapshots.prefix(end).map { (version: $0.stage, content: $0.content) },
      scenario: scenario)
  }

  /// The policy's method that an error stopped, or that set the value.
  private func lineOfPolicy(of failure: Failure) -> Failure.CodePlace? {
    let finder = PolicyMethodFinder(scenario: scenario)
    if let origin = failure.origin, let policy = origin.policy, let hook = origin.hook {
      return finder.place(of: hook, inClassNamed: policy)
    }
    guard failure.kind == .error, let chain = facts.failure, let pass = failure.pass else {
      return nil
    }
    let policy = chain.place.entityMapping.flatMap { name in
      facts.hops.last?.entityMappings.first { $0.name == name }?.policyClassName
    }
    if let seen = facts.failedLine {
      return Failure.CodePlace(
        file: finder.shown(URL(fileURLWithPath: seen.line.file)), line: seen.line.line,
        method: policy.map { "\(seen.hook) of \($0)" } ?? seen.hook)
    }
    guard let policy, let hook = MigrationPass(rawValue: pass)?.hookForObjects else { return nil }
    return finder.place(of: hook, inClassNamed: policy)
  }
}

extension Failure {
  fileprivate mutating func lookBack(_ question: HistoryQuestion, in history: History) {
    let answers = history.answers(to: question)
    guard let first = History.firstOfLastValue(answers) else { return }
    self.history = answers
    origin = Origin(
      step: first == 0 ? nil : "\(answers[first - 1].version) -> \(answers[first].version)",
      version: answers[first].version)
  }
}

extension MigrationPass {
  /// The hook that is called for each object.
  var hookForObjects: String? {
    switch self {
    case .instances: "createDestinationInstances"
    case .relationships: "createRelationships"
    case .validation: "performCustomValidation"
    case .save, .willMigrate, .didMigrate: nil
    }
  }
}
