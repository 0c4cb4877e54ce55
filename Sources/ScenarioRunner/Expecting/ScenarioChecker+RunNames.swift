extension ScenarioChecker {
  /// Reports a name that is neither a policy's nor an entity mapping's of any step.
  /// - Parameter hook: What is counted of it, if anything: then it may be that of a stage.
  func checkRuns(_ name: Located<String>, hook: Located<String>? = nil) {
    let mappings = scenario.chain.flatMap(\.mappings)
    // What is wrong with a mapping file is told elsewhere.
    guard let own: [String] = try? mappings.flatMap(namesThatRun) else { return }
    let stages =
      hook == nil ? [] : scenario.chain.flatMap { $0.stages?.stages.compactMap(\.callName) ?? [] }
    if let hook { checkBelongs(hook, to: name, stages: stages, others: own) }
    let known = Set(own + stages)
    if known.contains(name.value) { return }
    let kinds =
      hook == nil ? "policies and entity mappings" : "policies, entity mappings and stages"
    let what =
      hook == nil ? "a policy or an entity mapping" : "a policy, an entity mapping or a stage"
    let hint = Spelling.hint(for: name.value, among: known, called: kinds)
    collector.report("no step has \(what) '\(name.value)'\(hint)", at: name.place)
  }

  /// A stage has handlers of its own, and none of an entity mapping's hooks: what is never called is always called 0 times.
  private func checkBelongs(
    _ hook: Located<String>, to name: Located<String>, stages: [String], others: [String]
  ) {
    let isOfStages = ["willMigrate", "didMigrate"].contains(hook.value)
    let (right, wrong) = isOfStages ? (stages, others) : (others, stages)
    if right.contains(name.value) || !wrong.contains(name.value) { return }
    collector.report(
      isOfStages
        ? "'\(hook.value)' is called of stages only, and '\(name.value)' isn't one"
        : "'\(hook.value)' is called of entity mappings only, and '\(name.value)' is a stage: it has willMigrate and "
          + "didMigrate", at: hook.place)
  }

  private var entityNames: Set<String> {
    Set(models.names.flatMap { models[$0]?.entities.map(\.name) ?? [] })
  }

  /// The names of a mapping's entity mappings and of their policies.
  private func namesThatRun(_ mapping: MappingSource) throws -> [String] {
    switch mapping {
    case .inline(let inline):
      // `.rest: copy` makes one of each entity's name.
      inline.entityMappings.flatMap { [$0.name.value, $0.policy?.value].compactMap(\.self) }
        + (inline.copiesRest ? entityNames.map { "\($0)To\($0)" } : [])
    case .file(let path):
      switch try MappingFile.load(contentsOf: scenario.folder.resolving(path.value)) {
      case .source(let file):
        file.entityMappings.flatMap { [$0.name, $0.policyClassName].compactMap(\.self) }
      case .compiled(let file):
        file.mappingModel.entityMappings.flatMap {
          [$0.name, $0.entityMigrationPolicyClassName].compactMap(\.self)
        }
      }
    }
  }
}
