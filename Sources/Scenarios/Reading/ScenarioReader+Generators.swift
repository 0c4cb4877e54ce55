extension ScenarioReader {
  static let generatorKeys = [".count", ".extremes", ".violations"]

  /// Whether a map describes objects by rule rather than one object.
  static func isGenerator(_ node: SourceNode) -> Bool {
    node.map?.contains { generatorKeys.contains($0.key.value) } == true
  }

  func generator(_ node: SourceNode, of entity: Located<String>) -> GeneratorNotation {
    let (options, names) = (node.map ?? []).optionsAndNames
    let fields = Fields(
      options, of: "a generator", known: Self.generatorKeys, at: node.place, to: collector)
    var generator = GeneratorNotation(entity: entity, place: node.place)
    generator.count =
      fields.node(".count").flatMap { collector.count($0, of: ".count") }?.value ?? 0
    generator.hasExtremes = fields.flag(".extremes") ?? false
    generator.violations = fields.texts(".violations")
    generator.fields = values(names)
    return generator
  }

  /// The number that all chance of a seed comes from.
  func randomSeed(_ node: SourceNode) -> UInt64? {
    guard let text = collector.text(node, of: ".random") else { return nil }
    if let number = UInt64(text.value) { return number }
    collector.report(
      "'.random' must be a whole number from 0 to \(UInt64.max), not '\(text.value)'",
      at: text.place)
    return nil
  }
}
