/// What a chain does at a time. Most steps are one part; a step in stages has several.
struct ChainPart {
  enum Work {
    case migrate(MigrationStep)
    case call(StageCall)
  }
  var work: Work
  /// What is met on the way to it.
  var doubts: [StepDoubt] = []
  /// Whether a step of the report begins with it.
  var beginsStep = true
  /// Whether the step is done after it, for observers to see its store.
  var completesStep = true
}

extension MigrationChain {
  /// - Throws: `CoreDataError` for stages that don't lead from one model to the other.
  func parts(of step: MigrationStep, _ report: inout ChainReport) throws -> [ChainPart] {
    guard case .staged(let manager) = step.way else {
      return [ChainPart(work: .migrate(step), doubts: step.doubts)]
    }
    do {
      let plan = manager.plan
      let actions = try plan.actions(from: step.sourceModel, to: step.destinationModel)
      let gaps = plan.gaps(on: step)
      var position = step.sourceModel
      return actions.flatMap { action in
        defer { position = action.target }
        var parts = manager.parts(of: action, from: position, in: step)
        if let gap = gaps[position.versionChecksum] { parts[0].doubts.append(gap) }
        return parts
      }
    } catch {
      report.steps.append(StepReport(of: step))
      throw report.fail(with: error, in: step.name)
    }
  }
}

extension StagedMigrationManager {
  fileprivate var plan: StagePlan {
    var plan = StagePlan(stages)
    if visitsEachVersion { plan.modelsOnTheWay = modelsOnTheWay }
    return plan
  }

  /// A step of its own for each action; a custom stage's handlers belong to its step.
  fileprivate func parts(
    of action: StagePlan.Action, from position: ManagedObjectModel, in step: MigrationStep
  ) -> [ChainPart] {
    var own = MigrationStep(
      from: position, to: action.target,
      name: "\(step.modelName(position)) -> \(step.modelName(action.target))")
    own.modelName = step.modelName
    let fitting = step.mappings.filter {
      $0.model.fits(source: position, destination: action.target)
    }.map { StepDoubt.mappingInStage(name: $0.name) }
    guard case .custom(let stage, _, _) = action else {
      return [ChainPart(work: .migrate(own), doubts: fitting)]
    }
    let work: [ChainPart.Work] = [
      StageCall(.willMigrate, of: stage, in: self, step: own).map { .call($0) },
      .migrate(own),
      StageCall(.didMigrate, of: stage, in: self, step: own).map { .call($0) },
    ].compactMap { $0 }
    return work.indices.map { index in
      ChainPart(
        work: work[index], doubts: index == 0 ? fitting : [], beginsStep: index == 0,
        completesStep: index == work.count - 1)
    }
  }
}

extension StagePlan.Action {
  /// The model it leads to.
  fileprivate var target: ManagedObjectModel {
    switch self {
    case .lightweight(let model): model
    case .custom(_, _, let model): model
    }
  }
}
