extension ScenarioReader {
  static let stepOptions = [
    ".mapping", ".madeFor", ".direct", ".infer", ".migrate", ".manager", ".stages",
    ".eachVersion",
  ]
  private static let mappingKeys = [
    "source", "destination", "type", "policy", "predicate", "sourceExpression", "attributes",
    "relationships", "userInfo",
  ]

  func chain(_ node: SourceNode) -> [ChainStep] {
    if node.isNull { return [] }
    return (collector.list(node, of: "chain") ?? []).compactMap(step)
  }

  private func step(_ node: SourceNode) -> ChainStep? {
    if let text = node.text {
      return collector.hop(Located(text, at: node.place)).map { ChainStep(hop: $0) }
    }
    guard let entries = node.map, let entry = entries.first, entries.count == 1 else {
      collector.report(
        "a step of the chain must be one hop, as in '- v1 -> v2' or "
          + "'- v1 -> v2: File.xcmappingmodel'",
        at: node.place)
      return nil
    }
    guard let hop = collector.hop(entry.key) else { return nil }
    var step = ChainStep(hop: hop)
    read(entry.value, into: &step)
    return step
  }

  private func read(_ node: SourceNode, into step: inout ChainStep) {
    if node.isNull { return }
    guard let entries = node.map else {
      let files = collector.texts(node, of: step.hop.value.description)
      step.usesFilesBesideModel = false
      if files.map(\.value) != ["infer"] { step.mappings = files.map { .file($0) } }
      return
    }
    let (options, names) = entries.optionsAndNames
    let fields = Fields(
      options, of: "the options of a step", known: Self.stepOptions, at: node.place, to: collector)
    step.madeFor = fields.text(".madeFor").flatMap { collector.hop($0) }
    step.isDirect = fields.flag(".direct") ?? false
    step.infersMapping = fields.flag(".infer") ?? true
    step.migratesAutomatically = fields.flag(".migrate") ?? true
    step.isManaged = fields.flag(".manager") ?? false
    step.stages = stages(fields)
    step.usesFilesBesideModel = step.stages == nil && step.madeFor == nil && !step.isDirect
    step.mappings = fields.texts(".mapping").map { .file($0) }
    if !names.isEmpty {
      step.mappings.append(.inline(names.compactMap(entityMapping), place: node.place))
    }
  }

  private func entityMapping(_ entry: SourceNode.Entry) -> EntityMappingNotation? {
    guard let entries = collector.map(entry.value, of: entry.key.value) else { return nil }
    let fields = Fields(
      entries, of: "an entity mapping", known: Self.mappingKeys, at: entry.value.place,
      to: collector)
    var mapping = EntityMappingNotation(name: entry.key)
    mapping.source = fields.text("source")
    mapping.destination = fields.text("destination")
    mapping.kind = fields.node("type").flatMap { collector.choice($0, of: "type") }?.value
    mapping.policy = fields.text("policy")
    mapping.predicate = fields.text("predicate")
    mapping.sourceExpression = fields.text("sourceExpression")
    mapping.attributes = group(fields, "attributes")
    mapping.relationships = group(fields, "relationships")
    mapping.userInfo =
      fields.node("userInfo").map { collector.dictionary($0, of: "userInfo") } ?? [:]
    return mapping
  }

  /// `none`, or a map of expressions.
  private func group(_ fields: Fields, _ key: String) -> EntityMappingNotation.Group {
    guard let node = fields.node(key) else { return .filled([]) }
    if node.text == "none" { return .none }
    guard let entries = node.map else {
      collector.report(node, of: key, mustBe: "none or a map of expressions")
      return .none
    }
    return .filled(entries.compactMap(expression))
  }

  private func expression(_ entry: SourceNode.Entry) -> ExpressionNotation? {
    if entry.value.isNull { return ExpressionNotation(property: entry.key, expression: nil) }
    return collector.text(entry.value, of: entry.key.value).map {
      ExpressionNotation(property: entry.key, expression: $0)
    }
  }
}
