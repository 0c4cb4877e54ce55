extension ScenarioChecker {
  /// Reports a name that is neither a policy's nor an entity mapping's of any step.
  /// - Parameter orStages: Whether it may be that of a stage.
  func checkRuns(_ name: Located<String>, orStages: Bool) {
    let mappings = scenario.chain.flatMap(\.mappings)
    // What a mapping file has shows only when it is read.
    if mappings.contains(where: { if case .file = $0 { true } else { false } }) { return }
    let own = mappings.flatMap { source -> [String] in
      guard case .inline(let inline) = source else { return [] }
      return inline.entityMappings.flatMap { [$0.name.value, $0.policy?.value].compactMap(\.self) }
    }
    let stages = scenario.chain.flatMap { $0.stages?.stages.compactMap(\.callName) ?? [] }
    let known = Set(own + (orStages ? stages : []))
    if known.contains(name.value) { return }
    let kinds = orStages ? "policies, entity mappings and stages" : "policies and entity mappings"
    let what = orStages ? "a policy, an entity mapping or a stage" : "a policy or an entity mapping"
    let hint = Spelling.hint(for: name.value, among: known, called: kinds)
    collector.report("no step has \(what) '\(name.value)'\(hint)", at: name.place)
  }
}
