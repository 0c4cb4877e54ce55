extension ScenarioReader {
  static let stageKeys = ["will", "did", "label"]

  /// `.stages` of a step, and what belongs to it.
  func stages(_ fields: Fields) -> StagesNotation? {
    let passesEachVersion = fields.flag(".eachVersion")
    guard let node = fields.node(".stages") else {
      if passesEachVersion != nil {
        collector.report("'.eachVersion' needs '.stages' beside it", at: fields.place)
      }
      return nil
    }
    if let name = node.text {
      return StagesNotation(place: node.place, stages: [], factory: Located(name, at: node.place))
    }
    let items = collector.list(node, of: ".stages") ?? []
    collector.refuseEmptyList(node, of: ".stages")
    return StagesNotation(
      place: node.place, stages: items.compactMap(stage),
      passesEachVersion: passesEachVersion ?? false)
  }

  /// A version or a list of versions, a step, or a step with what belongs to it.
  private func stage(_ node: SourceNode) -> StageNotation? {
    if let text = node.text {
      let located = Located(text, at: node.place)
      if text.contains(" -> ") { return collector.stepEnds(located).map { custom($0, nil) } }
      return .lightweight([located])
    }
    if node.list != nil { return .lightweight(collector.texts(node, of: "a stage")) }
    guard let entries = node.map, let entry = entries.first, entries.count == 1 else {
      collector.report(
        "a stage must be a list of versions, as in '[v1, v2]', or one step, as in "
          + "'v2 -> v3: { did: Module.function }'", at: node.place)
      return nil
    }
    return collector.stepEnds(entry.key).map { custom($0, entry.value) }
  }

  private func custom(_ ends: Located<StepEnds>, _ node: SourceNode?) -> StageNotation {
    var stage = CustomStageNotation(ends: ends)
    if let node, !node.isNull, let entries = collector.map(node, of: ends.value.description) {
      let fields = Fields(
        entries, of: "a stage", known: Self.stageKeys, at: node.place, to: collector)
      stage.will = fields.text("will")
      stage.did = fields.text("did")
      stage.label = fields.text("label")?.value
    }
    return .custom(stage)
  }
}
