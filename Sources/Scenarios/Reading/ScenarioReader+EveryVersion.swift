// What a scenario says of all versions at once.

extension ScenarioReader {
  /// The versions that `start` names; none where it means every one.
  func starts(_ fields: Fields) -> [Located<String>] {
    guard let node = fields.node("start"), node.map == nil, node.text != "every" else { return [] }
    return differing(fields, "start")
  }

  /// The versions behind `start: { except: [v3] }`.
  func exceptStarts(_ fields: Fields) -> [Located<String>] {
    guard let node = fields.node("start"), let entries = node.map else { return [] }
    let options = Fields(entries, of: "'start'", known: ["except"], at: node.place, to: collector)
    if options.node("except") == nil {
      collector.report("'start' names versions, 'every', or '{ except: [v3] }'", at: node.place)
    }
    return options.texts("except")
  }

  func everyStart(_ fields: Fields) -> EveryStart? {
    guard let node = fields.node("start"), node.map != nil || node.text == "every" else {
      return nil
    }
    return EveryStart(place: node.place, except: exceptStarts(fields))
  }

  func route(_ node: SourceNode) -> Located<Route>? {
    if let route = node.text.flatMap(Route.init) { return Located(route, at: node.place) }
    collector.report(
      "'chain' is a list of steps, or one of: "
        + Route.allCases.map(\.rawValue).joined(separator: ", "), at: node.place)
    return nil
  }

  func samplesPlace(_ node: SourceNode) -> SourcePlace? {
    if node.text == "samples" { return node.place }
    collector.report("'seed' is a map of rows, or the word 'samples'", at: node.place)
    return nil
  }
}
