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

  /// Whether a run may call code of the app's: a policy's, a stage's, or that of a value transformer.
  var mayRunAppCode: Bool {
    let handlers = scenario.chain.flatMap { $0.stages?.stages ?? [] }.contains { stage in
      if case .custom(let stage) = stage { stage.will != nil || stage.did != nil } else { false }
    }
    // A later release looks for mapping models of its own.
    let releases = scenario.then.contains { action in
      if case .start(let release) = action.kind { !release.versions.isEmpty } else { false }
    }
    return handlers || releases || hasTransformers
      || scenario.chain.flatMap(\.mappings).contains(where: mayRunAppCode)
  }

  private var hasTransformers: Bool {
    models.names.compactMap { models[$0] }.flatMap(\.entities).flatMap(\.attributes).contains {
      ([$0] + $0.elements).contains { $0.valueTransformerName != nil }
    }
  }

  private func mayRunAppCode(_ mapping: MappingSource) -> Bool {
    switch mapping {
    case .inline(let inline):
      return inline.entityMappings.contains { $0.policy != nil || $0.callsFunctions }
    case .file(let path):
      // What is wrong with a mapping file is told elsewhere.
      guard let file = try? file(path) else { return true }
      return file.entityMappings.contains { $0.policyClassName != nil }
        || file.expressions.contains(where: \.callsFunctions)
    }
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
      try file(path).entityMappings.flatMap { [$0.name, $0.policyClassName].compactMap(\.self) }
    }
  }

  private func file(_ path: Located<String>) throws -> MappingFile {
    try MappingFile.load(contentsOf: scenario.folder.resolving(path.value))
  }
}

extension EntityMappingNotation {
  /// Whether an expression calls a method: that may be one of any class.
  fileprivate var callsFunctions: Bool {
    var texts = [predicate?.value, sourceExpression?.value]
    for case .filled(let expressions) in [attributes, relationships] {
      texts += expressions.map { $0.expression?.value }
    }
    return texts.contains { $0?.callsFunctions == true }
  }
}

extension String {
  /// Whether an expression calls a method other than those that Xcode generates calls of.
  fileprivate var callsFunctions: Bool {
    let generated = /FUNCTION *\( *\$MANAGER *, *"(DESTINATIONINSTANCES|FETCHREQUEST)/
    return uppercased().replacing(generated, with: "").contains("FUNCTION")
  }
}
