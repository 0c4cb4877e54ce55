/// The stages that lead over a step, for an app that migrates by a staged migration manager.
package struct StagesNotation: Sendable {
  package var place: SourcePlace
  package var stages: [StageNotation]
  /// The app's function that makes the manager, as `Module.function`; nil where the stages are written here.
  package var factory: Located<String>?
  /// Whether each version of a lightweight stage is passed, instead of the last one reached directly.
  package var passesEachVersion = false

  /// Whether functions of the app's run in it.
  package var hasHandlers: Bool {
    stages.contains {
      if case .custom(let stage) = $0 { stage.will ?? stage.did != nil } else { false }
    }
  }
}

/// One stage.
package enum StageNotation: Sendable {
  /// Versions that inference alone leads to.
  case lightweight([Located<String>])
  case custom(CustomStageNotation)
}

/// A step with functions of the app's before and after it.
package struct CustomStageNotation: Sendable {
  package var ends: Located<StepEnds>
  package var label: String?
  /// The function that works on the store before the step, as `Module.function`.
  package var will: Located<String>?
  /// The function that works on the store after the step.
  package var did: Located<String>?
}

extension StageNotation {
  /// The versions that belong to the stage, in their order.
  package var versions: [Located<String>] {
    switch self {
    case .lightweight(let versions): versions
    case .custom(let stage):
      [stage.ends.value.source, stage.ends.value.destination]
        .map { Located($0, at: stage.ends.place) }
    }
  }

  /// What calls are counted by: the label, or the step.
  package var callName: String? {
    guard case .custom(let stage) = self else { return nil }
    return stage.label ?? stage.ends.value.description
  }
}

extension ChainStep {
  /// The versions that a store may have when the step begins: its source, or one that a stage names.
  var sources: [String] {
    let staged = (stages?.stages ?? []).flatMap { $0.versions.map(\.value) }
    return [ends.value.source] + staged.filter { $0 != ends.value.destination }
  }

  /// All versions that the step is about.
  package var versions: [String] { sources + [ends.value.destination] }

  /// The versions that come after the source's: of stages, what they name from there on.
  package var passedVersions: [String] {
    let named = (stages?.stages ?? []).flatMap { $0.versions.map(\.value) }
    let rest = named.lastIndex(of: ends.value.source).map { named[($0 + 1)...] } ?? named[...]
    return rest + [ends.value.destination]
  }

  /// The step for a store that has one of its ``sources``.
  func starting(at version: String) -> ChainStep {
    var step = self
    step.ends = Located(
      StepEnds(source: version, destination: ends.value.destination), at: ends.place)
    return step
  }
}
