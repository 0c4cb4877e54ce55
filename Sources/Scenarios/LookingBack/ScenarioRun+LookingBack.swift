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
        FailureHints(
          result: result, failure: result.failures[index], scenario: scenario
        ).identifiers
    }
  }

  // MARK: Playing a step once more

  /// So many steps are played once more, and so many failures of each followed into their hooks; a
  /// store with more objects takes too long.
  private static let mostSteps = 3
  private static let mostWatches = 10
  private static let mostObjects = 20_000

  /// Failures that may be followed into the hooks of a step.
  private typealias Followed = (index: Int, question: HistoryQuestion, version: String)

  var isWorthReplaying: Bool { !replayable.isEmpty }

  /// By step, the failures that hooks of it are behind.
  private var replayable: [(step: String, failures: [Followed])] {
    var steps: [(step: String, failures: [Followed])] = []
    for (index, asked) in questions.sorted(by: { $0.key < $1.key }) {
      guard let executed = managedStep(of: result.failures[index]),
        executed.sourceObjectCount <= Self.mostObjects
      else { continue }
      let followed = (index, asked.question, asked.version)
      if let place = steps.firstIndex(where: { $0.step == executed.name }) {
        if steps[place].failures.count < Self.mostWatches { steps[place].failures.append(followed) }
      } else if steps.count < Self.mostSteps {
        steps.append((executed.name, [followed]))
      }
    }
    return steps
  }

  /// The step since which something is wrong, if a migration manager performed it.
  private func managedStep(of failure: Failure) -> ExecutedStep? {
    guard let step = failure.origin?.step else { return nil }
    return result.executedSteps.first { $0.name == step && !$0.events.isEmpty }
  }

  private func watch(_ followed: Followed) -> (any HookWatch)? {
    switch followed.question {
    case .value(let origins, let keyPath, let expected):
      guard let name = result.failures[followed.index].target?.entity,
        let version = result.failures[followed.index].origin?.version,
        let entity = scenario.models[version]?.entity(named: name)
      else { return nil }
      return ValueWatch(origins: origins, entity: entity, keyPath: keyPath, expected: expected)
    case .presence(let origin): return PresenceWatch(origin: origin)
    case .count: return nil
    case .matching(let condition):
      guard let version = result.failures[followed.index].origin?.version else { return nil }
      let history = history(upTo: followed.version)
      return ConditionWatch(
        condition, suspects: history.suspects(of: condition, at: version))
    }
  }

  /// Finds the hooks in which things went wrong, by playing the steps once more.
  func replay() {
    let steps = replayable
    for followed in steps.flatMap(\.failures) {
      result.failures[followed.index].origin?.remark = nil
    }
    for (step, failures) in steps {
      let watched = failures.compactMap { followed in watch(followed).map { (followed.index, $0) } }
      if watched.isEmpty { continue }
      // The run has its verdict: playing again only finds out where.
      let findings = try? HookReplay(of: self, step: step)?.play(watched.map(\.1))
      for ((index, _), finding) in zip(watched, findings ?? []) {
        guard let finding else { continue }
        result.failures[index].origin = finding
        result.failures[index].code = lineOfPolicy(of: result.failures[index])
      }
    }
  }

  /// Says of failures that a policy may be behind why its hook isn't named.
  /// - Parameter reason: Why no step is played once more; nil where steps are.
  func remarkOnHooks(_ reason: String?) {
    let followed = Set(replayable.flatMap(\.failures).map(\.index))
    for index in questions.keys {
      guard let executed = managedStep(of: result.failures[index]),
        executed.entityMappings.contains(where: { $0.policyClassName != nil })
      else { continue }
      let tooMany =
        executed.sourceObjectCount > Self.mostObjects
        ? "hooks are found only in stores of at most \(Self.mostObjects) objects" : nil
      if let reason = reason ?? tooMany {
        result.failures[index].origin?.remark = reason
      } else if followed.contains(index) {
        result.failures[index].origin?.remark =
          "repeating the step to find the hook didn't finish"
      }
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
      facts.executedSteps.last?.entityMappings.first { $0.name == name }?.policyClassName
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
