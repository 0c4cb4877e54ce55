// What a step did of which nobody knows whether a device does it.

extension ScenarioRun {
  /// A pass would say that a device does it, too: so the run fails, unless the scenario has accepted it.
  func reportUnknowns() {
    func isAccepted(_ unknown: ExecutedStep.UnknownOnDevice) -> Bool {
      scenario.scenario.accepts(
        .unknownOnDevice, entity: unknown.entity, property: unknown.property)
    }
    // Another error is told by itself.
    if result.expectedError != nil {
      result.failures += sourceUnknowns.filter { !isAccepted($0) }.map {
        failure($0, nil, at: sourcePlace)
      }
    }
    // Of all starts of the app: what a later one did says nothing of the first.
    for step in result.executedSteps {
      // An error that isn't expected fails the run by itself.
      if step.errorText != nil, hasUnexpectedError { continue }
      let place = scenario.steps(from: start).place(of: step.name)
      result.failures += step.unknowns.filter { !isAccepted($0) }
        .map { failure($0, step.name, at: place) }
    }
  }

  /// Orders that are expected, of what had none before a step in which no code of the app runs, or is filled by its
  /// inverse only, object by object.
  func expectedOrders(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, by plans: [MigrationPlan]
  ) -> [ExecutedStep.UnknownOnDevice] {
    let byInverse = destination.orderedRelationships(filledByInverseIn: plans)
    orderedByInverse.formUnion(byInverse.map { [$0.entity.name, $0.name] })
    let expected = Set(orderedRelationships.map { [$0.entity.name, $0.name] })
    if expected.isEmpty { return [] }
    let found =
      destination.relationships(orderedSince: source).map { ($0, "became ordered") }
      + byInverse.map { ($0, "is filled by its inverse only") }
    return found.filter { expected.contains([$0.0.entity.name, $0.0.name]) }
      .map(ExecutedStep.UnknownOnDevice.init(orderOf:which:))
  }

  /// The entities and names of what got its order on the way, of which a device's isn't known; after playing.
  package var newlyOrdered: Set<[String]> {
    guard let source = scenario.models[start], let destination = scenario.models[finalVersion]
    else { return [] }
    return orderedByInverse.union(
      destination.relationships(orderedSince: source).map { [$0.entity.name, $0.name] })
  }

  private func failure(
    _ unknown: ExecutedStep.UnknownOnDevice, _ step: String?, at place: SourcePlace?
  ) -> Failure {
    Failure(
      .unknownOnDevice, at: place, step: step, unknown.subject, expected: unknown.expected,
      found: "\(unknown): what a device does here isn't known",
      notes: [
        unknown.doubt,
        "\(unknown.remedy), or try it on a device and accept it: "
          + "accept: [{ finding: unknown-on-device, because: … }].",
      ])
  }
}
