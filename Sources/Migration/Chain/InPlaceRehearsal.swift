/// What the steps of a chain would do in the file that a store was found in.
package struct InPlaceRehearsal {
  /// What one step would do.
  package struct Step {
    package let name: String
    /// Nil for a step that isn't done in place: a migration manager writes a new file.
    package let statements: [InPlaceStatement]?
    package let obstacle: InPlaceObstacle?
  }
  package private(set) var steps: [Step] = []

  /// Goes through the steps as far as nothing is in their way.
  /// - Throws: `CoreDataError` for a step without a mapping, and for what an SQLite store can't hold.
  package init(_ steps: some Sequence<MigrationStep>, in file: FoundFile) throws {
    // What a migration manager writes has nothing but its model's.
    var current: FoundFile? = file
    for step in steps {
      guard current != nil, let plan = try step.planInPlace() else {
        current = nil
        self.steps.append(Step(name: step.name, statements: nil, obstacle: nil))
        continue
      }
      guard let (statements, obstacle) = try current?.pass(plan, to: step.destinationModel) else {
        continue
      }
      self.steps.append(Step(name: step.name, statements: statements, obstacle: obstacle))
      if obstacle != nil { return }
    }
  }
}

extension MigrationStep {
  /// The plan of a step that Core Data does inside the store; nil for another.
  fileprivate func planInPlace() throws -> MigrationPlan? {
    switch way {
    case .opening, .stepwise, .direct: break
    case .staged, .manager, .notAllowed: return nil
    }
    let choice = try chooseMapping()
    guard choice.kind == .inferred, let candidate = choice.mappings.first else { return nil }
    return try plan(of: candidate.model, in: choice, from: sourceModel)
  }
}

extension MigrationChain {
  /// The first step that the file of the source is in the way of, by its place, and its error.
  func obstacle(in source: PersistentStore) -> (step: Int, error: CoreDataError)? {
    // What can't be rehearsed is met by the step itself, which says more.
    guard let file = try? source.foundFile(),
      let rehearsal = try? InPlaceRehearsal(steps, in: file),
      let step = rehearsal.steps.firstIndex(where: { $0.obstacle != nil })
    else { return nil }
    return rehearsal.steps[step].obstacle.map { (step, $0.error) }
  }
}
