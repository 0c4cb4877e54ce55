// What a scenario does with the migrated store.

extension ScenarioRun {
  func followUp() throws {
    let actions = scenario.actions
    // After an error that nobody expected there is nothing to go on with.
    guard !actions.isEmpty, !hasUnexpectedError else { return }
    var session: StoreSession?
    for action in actions {
      let step = "then: \(action.written.kind.shown)"
      let failure = attempt(action) { try perform(action, in: &session) }
      settle(action, failure, step: step)
      if !action.expectations.isEmpty { try check(action, in: &session, step: step) }
    }
    if let session { try keepSnapshot("the end", of: session.context) }
    // What the result had already was told.
    if hasSaved, facts.failure == nil, result.failures.isEmpty, !result.executedSteps.isEmpty {
      try audit(open(&session).store, after: "then")
    }
    session?.close()
  }

  /// The open store, opened at first use.
  private func open(_ session: inout StoreSession?) throws -> StoreSession {
    if let session { return session }
    if let failure = facts.failure { throw failure }
    let store = try stores.openForChanges(model: scenario.model(finalVersion))
    let opened = try StoreSession(store)
    session = opened
    return opened
  }

  private func perform(_ action: ResolvedAction, in session: inout StoreSession?) throws {
    switch action.written.kind {
    case .none: return
    case .start(let release):
      session?.close()
      session = nil
      try begin(release)
      try migrate()
      if let failure = facts.failure, action.written.failure == nil,
        !action.expectations.contains(where: \.isFailure)
      {
        throw failure
      }
      try auditCurrent()
    case .insert, .set, .link, .unlink, .delete, .save, .rollback:
      let situation = situation(try open(&session))
      let change = action.change(at: situation.version)
      if let (name, object) = try situation.perform(change) { provenance.add(made: name, object) }
      if case .save = change { hasSaved = true }
    }
  }

  /// What a later start made of the store is looked at like the first result.
  private func auditCurrent() throws {
    guard facts.failure == nil, !facts.executedSteps.isEmpty else { return }
    try audit(
      try stores.openCurrent(model: scenario.model(finalVersion)),
      after: facts.executedSteps.last?.name)
  }

  /// Puts another release of the app in the place of the one before.
  private func begin(_ next: Action.Release) throws {
    if !next.versions.isEmpty {
      release = next
      // Its keys are those of the chain's steps.
      cache = nil
    }
    if next.opensSource != nil {
      stores.returnToSource()
      provenance.returnToSource()
    }
  }

  private func situation(_ session: StoreSession) -> Situation {
    Situation(
      version: finalVersion, context: session.context, provenance: provenance, run: facts)
  }

  /// The error an action ends with.
  private func attempt(_ action: ResolvedAction, _ body: () throws -> Void) -> ChainFailure? {
    do {
      try ExceptionTrap.catching(body)
      if case .start = action.written.kind { return facts.failure }
      return nil
    } catch let failure as ChainFailure {
      return failure
    } catch let error as CoreDataError {
      return ChainFailure(error: error.ofAction(provenance), place: .init())
    } catch {
      return ChainFailure(error: error, place: .init())
    }
  }

  private func settle(_ action: ResolvedAction, _ failure: ChainFailure?, step: String) {
    if let expected = action.written.failure {
      return count(FailureMatcher(expectation: expected).mismatches(failure), step: step)
    }
    guard let failure, !action.expectations.contains(where: \.isFailure) else { return }
    result.failures.append(Failure(error: failure, at: action.written.place, step: step, step))
  }

  private func check(
    _ action: ResolvedAction, in session: inout StoreSession?, step: String
  ) throws {
    let due = action.expectations.filter { $0.written.isWanted(from: start) }
    if facts.failure != nil {
      for expectation in due {
        switch expectation.subject(at: finalVersion) {
        case .run(let check):
          count(try check.mismatches(of: facts, at: expectation.place), step: step)
        case .objects: count([expectation.unreached], step: step)
        }
      }
      return
    }
    let evaluator = ExpectationEvaluator(situation(try open(&session)), expecting: due)
    for expectation in due { count(evaluator.mismatches(expectation), step: step) }
  }
}

/// A store open for changes, with the context that changes it.
struct StoreSession {
  let store: PersistentStore
  let context: ManagedObjectContext

  init(_ store: PersistentStore) throws {
    self.store = store
    context = try ManagedObjectContext(readingFrom: store)
  }

  func close() {
    // What is saved is in the file or its log, whose next reader finds it.
    try? store.close()
  }
}

extension CoreDataError {
  /// The error as it is for whoever wrote the steps: about objects by their names, and with advice for a
  /// save instead of a migration's.
  fileprivate func ofAction(_ provenance: Provenance) -> CoreDataError {
    var error = self
    error.details = details.map { $0.ofAction(provenance) }
    if let object = validated.object as? ManagedObject, let name = provenance.name(of: object) {
      error.place.object = "\(object.entity.name) \(name)"
    }
    if let advice = adviceForSteps {
      error.advice =
        "\(advice) If the error is intended, expect it: '- save' with 'fails: { code: \(code.rawValue) }'."
    }
    return error
  }

  /// Nil where nothing is said of migrations.
  private var adviceForSteps: String? {
    let property = place.property.map { "'\($0)'" } ?? "it"
    switch code {
    case .validationMissingMandatoryProperty:
      return "Give \(property) a value by 'insert', 'set' or 'link' before this step, or make it "
        + "optional in the model."
    case .validationRelationshipLacksMinimumCount, .validationRelationshipExceedsMaximumCount:
      return "Let \(property) lead to as many objects as the model allows, by 'link' and 'unlink' "
        + "before this step."
    case .validationNumberTooLarge, .validationNumberTooSmall, .validationDateTooLate,
      .validationDateTooSoon, .validationInvalidDate, .validationStringTooLong,
      .validationStringTooShort, .validationStringPatternMatching, .validationInvalidURI:
      return
        "Give \(property) a value that the model allows, by 'insert' or 'set' before this step."
    default: return nil
    }
  }
}

extension Action.Kind {
  /// The action as the scenario writes it.
  var shown: String {
    switch self {
    case .insert(let entity, let name, _):
      "insert \(entity.value)" + (name.map { " \($0.value)" } ?? "")
    case .set(let object, _): "set \(object.shown)"
    case .link(let object, _): "link \(object.shown)"
    case .unlink(let object, _): "unlink \(object.shown)"
    case .delete(let object): "delete \(object.shown)"
    case .save: "save"
    case .rollback: "rollback"
    case .start(let release):
      (["start"] + release.versions.map(\.value)).joined(separator: " ")
    case .none: "expect"
    }
  }
}
