extension ScenarioReader {
  static let stepOptions = [
    ".mapping", ".madeFor", ".direct", ".infer", ".migrate", ".manager", ".stages",
    ".eachVersion", ".rest", ".secondPass",
  ]
  private static let mappingKeys = [
    "source", "destination", "type", "policy", "predicate", "sourceExpression", "attributes",
    "relationships", "userInfo",
  ]

  func chain(_ node: SourceNode) -> [ChainStep] {
    guard let items = node.list else {
      collector.report(node, of: "chain", mustBe: "a list of steps, as in '- v1 -> v2'")
      return []
    }
    return items.compactMap(step)
  }

  private func step(_ node: SourceNode) -> ChainStep? {
    if let text = node.text { return step(Located(text, at: node.place)) }
    guard let entries = node.map, let entry = entries.first, entries.count == 1 else {
      collector.report(
        "a step of the chain must be written as '- v1 -> v2' or "
          + "'- v1 -> v2: File.xcmappingmodel'",
        at: node.place)
      return nil
    }
    guard var step = step(entry.key) else { return nil }
    read(entry.value, into: &step)
    if step.isSpan, !step.mappings.isEmpty || step.stages != nil {
      collector.report(
        "mappings and stages belong to one step; write that step separately, and '…' for the others",
        at: entry.key.place)
    }
    return step
  }

  /// `v1 -> v2`, or `v1 -> … -> v9`.
  private func step(_ text: Located<String>) -> ChainStep? {
    let parts = text.components(separatedBy: "->")
    guard parts.count == 3, ["…", "..."].contains(parts[1].value) else {
      return collector.stepEnds(text).map { ChainStep(ends: $0) }
    }
    let whole = Located("\(parts[0].value) -> \(parts[2].value)", at: text.place)
    return collector.stepEnds(whole).map { ends in
      var step = ChainStep(ends: ends)
      step.isSpan = true
      return step
    }
  }

  private func read(_ node: SourceNode, into step: inout ChainStep) {
    if node.isNull { return }
    guard let entries = node.map else {
      let files = collector.texts(node, of: step.ends.value.description)
      if node.list?.isEmpty == true {
        collector.report(
          "this lists no mapping; write 'infer' for a step without one", at: node.place)
      }
      step.usesFilesBesideModel = false
      if files.map(\.value) != ["infer"] { step.mappings = files.map { .file($0) } }
      return
    }
    if entries.isEmpty {
      collector.report(
        "this is empty; write 'infer' for a step without a mapping", at: node.place)
    }
    let (options, names) = entries.optionsAndNames
    let fields = Fields(
      options, of: "the options of a step", known: Self.stepOptions, at: node.place, to: collector)
    step.madeFor = fields.text(".madeFor").flatMap { collector.stepEnds($0) }
    step.isDirect = fields.flag(".direct") ?? false
    step.infersMapping = fields.flag(".infer") ?? true
    step.migratesAutomatically = fields.flag(".migrate") ?? true
    step.manager = fields.manager(".manager")
    step.saysManager = fields.node(".manager") != nil
    step.secondPass =
      fields.node(".secondPass").flatMap { collector.choice($0, of: ".secondPass") }?.value ?? .once
    step.secondPassPlace = fields.node(".secondPass")?.place
    step.stages = stages(fields)
    step.usesFilesBesideModel = step.stages == nil && step.madeFor == nil && !step.isDirect
    step.mappings = fields.texts(".mapping").map { .file($0) }
    let copiesRest = fields.node(".rest").map { word("copy", $0, of: ".rest") } ?? false
    if !names.isEmpty || copiesRest {
      step.mappings.append(
        .inline(
          InlineMapping(
            place: node.place, entityMappings: names.compactMap(entityMapping),
            copiesRest: copiesRest)))
    }
  }

  private func entityMapping(_ entry: SourceNode.Entry) -> EntityMappingNotation? {
    guard let entries = entry.value.map else {
      let option = "." + entry.key.value
      let hint = Self.stepOptions.contains(option) ? "; did you mean the option '\(option)'?" : ""
      collector.report(
        "the entity mapping '\(entry.key.value)' must be a map, not \(entry.value.kind)\(hint)",
        at: entry.value.place)
      return nil
    }
    let fields = Fields(
      entries, of: "an entity mapping", known: Self.mappingKeys, at: entry.value.place,
      to: collector)
    var mapping = EntityMappingNotation(name: entry.key)
    mapping.source = fields.text("source")
    mapping.destination = fields.text("destination")
    mapping.kind = fields.node("type").flatMap { collector.choice($0, of: "type") }?.value
    mapping.kindPlace = fields.node("type")?.place
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
