extension ScenarioChecker {
  func checkStages(_ step: ChainStep) {
    guard let stages = step.stages else { return }
    for version in stages.stages.flatMap(\.versions) { _ = model(version) }
    let expectsFailure = scenario.expectations.contains(where: \.check.isFailure)
    if let last = stages.stages.last?.versions.last, last.value != step.ends.value.destination,
      !expectsFailure
    {
      collector.report(
        "the last stage ends with '\(last.value)', but the step leads to '\(step.ends.value.destination)': let "
          + "a stage lead there", at: last.place)
    }
    if !step.mappings.isEmpty {
      collector.report(
        "a staged migration takes no mapping models; give them to a step of their own",
        at: stages.place)
    }
    if !step.infersMapping || !step.migratesAutomatically || step.isDirect || step.saysManager {
      collector.report(
        "stages run by automatic migration with inference only; leave out '.infer', '.migrate', '.direct' and "
          + "'.manager'", at: stages.place)
    }
    if let factory = stages.factory { checkHandler(factory) }
    for case .custom(let stage) in stages.stages {
      for name in [stage.will, stage.did].compactMap({ $0 }) { checkHandler(name) }
    }
  }

  /// Whether the function is there shows only when the sources are compiled.
  private func checkHandler(_ name: Located<String>) {
    let modules = scenario.policies.map(\.name.value)
    guard let (module, _) = name.split(at: ".") else {
      collector.report(
        "'\(name.value)' must be a function with its module, as in "
          + "'\(modules.first ?? "Module").\(name.value)'", at: name.place)
      return
    }
    if modules.contains(module.value) { return }
    collector.report(
      "no policies belong to a module", unknown: module, among: modules, called: "modules")
  }
}
