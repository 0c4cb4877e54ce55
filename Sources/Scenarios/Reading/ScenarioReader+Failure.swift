// The error that a run, or a step after it, is to end with.

extension ScenarioReader {
  static let failureKeys = [
    "step", "code", "domain", "underlying", "pass", "mapping", "entity", "property", "object",
    "message", "errors",
  ]
  /// What of an app's code a step calls: the hooks of a migration policy, by the base names of their
  /// methods, and the handlers of a stage.
  package static let hooks = [
    "begin", "createDestinationInstances", "endInstanceCreation", "createRelationships",
    "endRelationshipCreation", "performCustomValidation", "end", "willMigrate", "didMigrate",
  ]

  private func pass(_ node: SourceNode) -> Located<String>? {
    collector.choice(node, of: "pass", as: MigrationPass.self).map {
      Located($0.value.rawValue, at: $0.place)
    }
  }

  package func failure(_ node: SourceNode) -> FailureExpectation? {
    guard let entries = node.map else {
      collector.report(node, of: "fails", mustBe: "a map, as in '{ code: 1570 }'")
      return nil
    }
    if entries.isEmpty {
      collector.report(
        "say how it fails, at least with which code, as in '{ code: 1570 }'", at: node.place)
    }
    let fields = Fields(
      entries, of: "an expected failure", known: Self.failureKeys, at: node.place, to: collector)
    var failure = FailureExpectation(place: node.place)
    failure.step = fields.text("step").flatMap { collector.stepEnds($0) }
    failure.code = fields.integer("code")
    failure.domain = fields.text("domain")
    failure.underlying = fields.integer("underlying")
    failure.pass = fields.node("pass").flatMap(pass)
    failure.mapping = fields.text("mapping")
    failure.entity = fields.text("entity")
    failure.property = fields.text("property")
    failure.object = fields.text("object")
    failure.message = fields.text("message")
    collector.refuseEmptyList(fields.node("errors"), of: "errors", Self.cannotFail)
    failure.errors = (fields.node("errors").flatMap { collector.list($0, of: "errors") } ?? [])
      .compactMap { self.failure($0) }
    return failure
  }
}
