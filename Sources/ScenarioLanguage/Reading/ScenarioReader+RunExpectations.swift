// Expectations about the run itself rather than about the objects.

extension ScenarioReader {
  static let failureKeys = [
    "step", "code", "domain", "underlying", "pass", "mapping", "entity", "property", "object",
    "message",
    "errors",
  ]
  /// What of an app's code a step calls: the hooks of a migration policy, by the base names of their
  /// methods, and the handlers of a stage.
  package static let hooks = [
    "begin", "createDestinationInstances", "endInstanceCreation", "createRelationships",
    "endRelationshipCreation", "performCustomValidation", "end", "willMigrate", "didMigrate",
  ]

  func runCheck(_ keyword: String, _ node: SourceNode) -> Expectation.Check? {
    switch keyword {
    case "calls": return callCounts(node).map { .calls($0) }
    case "prints": return printedCounts(node).map { .prints($0) }
    case "trace": return .trace(trace(node))
    case "hops": return hops(node).map { .hops($0) }
    case "mapping": return collector.choice(node, of: keyword).map { .mapping($0) }
    case "source": return word("untouched", node, of: keyword) ? .sourceUntouched : nil
    case "destination": return word("absent", node, of: keyword) ? .destinationAbsent : nil
    case "store": return collector.text(node, of: keyword).map { .store($0) }
    default: return failure(node).map { .fails($0) }
    }
  }

  /// Lines of a trace; each begins with the kind of an event.
  private func trace(_ node: SourceNode) -> [Located<String>] {
    let lines = collector.texts(node, of: "trace")
    let known = MigrationTrace.Event.Kind.allCases.map(\.rawValue)
    for line in lines {
      let end = line.value.firstIndex(of: " ") ?? line.value.endIndex
      let word = line.part(line.value.startIndex..<end)
      if known.contains(word.value) { continue }
      let hint = Spelling.hint(for: word.value, among: known, called: "events")
      collector.report("a trace has no event '\(word.value)'\(hint)", at: word.place)
    }
    return lines
  }

  private func word(_ word: String, _ node: SourceNode, of key: String) -> Bool {
    if node.text == word { return true }
    collector.report("'\(key)' must be '\(word)', not \(node.kind)", at: node.place)
    return false
  }

  private func callCounts(_ node: SourceNode) -> [CallCount]? {
    collector.map(node, of: "calls")?.compactMap { entry in
      guard let dot = entry.key.value.lastIndex(of: ".") else {
        collector.report(
          "'\(entry.key.value)' must be a policy or entity mapping and a hook, as in "
            + "'EventToEvent.createDestinationInstances'", at: entry.key.place)
        return nil
      }
      let text = entry.key.value
      let target = entry.key.part(text.startIndex..<dot)
      let hook = entry.key.part(text.index(after: dot)..<text.endIndex)
      guard Self.hooks.contains(hook.value) else {
        let hint = Spelling.hint(for: hook.value, among: Self.hooks, called: "hooks")
        collector.report("there is no hook '\(hook.value)'\(hint)", at: hook.place)
        return nil
      }
      return collector.count(entry.value, of: text).map {
        CallCount(target: target, hook: hook, count: $0)
      }
    }
  }

  private func printedCounts(_ node: SourceNode) -> [PrintedCount]? {
    collector.map(node, of: "prints")?.compactMap { entry in
      if entry.key.value.isEmpty {
        collector.report(
          "'prints' needs a text, as in '{ \"no tags\": 1 }'", at: entry.key.place)
        return nil
      }
      return collector.count(entry.value, of: entry.key.value).map {
        PrintedCount(text: entry.key, count: $0)
      }
    }
  }

  private func hops(_ node: SourceNode) -> [HopExpectation]? {
    collector.list(node, of: "hops")?.compactMap { item in
      if let text = item.text {
        return collector.hop(Located(text, at: item.place)).map { HopExpectation(hop: $0) }
      }
      guard let entry = item.map?.first, item.map?.count == 1 else {
        collector.report("a hop must look like '- v1 -> v2: custom'", at: item.place)
        return nil
      }
      guard let hop = collector.hop(entry.key),
        let mapping: Located<MappingUse> = collector.choice(entry.value, of: entry.key.value)
      else { return nil }
      return HopExpectation(hop: hop, mapping: mapping)
    }
  }

  private func pass(_ node: SourceNode) -> Located<String>? {
    collector.choice(node, of: "pass", as: MigrationPass.self).map {
      Located($0.value.rawValue, at: $0.place)
    }
  }

  func failure(_ node: SourceNode) -> FailureExpectation? {
    guard let entries = collector.map(node, of: "fails") else { return nil }
    if entries.isEmpty {
      collector.report(
        "say how it fails, at least the code, as in '{ code: 1570 }'", at: node.place)
    }
    let fields = Fields(
      entries, of: "an expected failure", known: Self.failureKeys, at: node.place, to: collector)
    var failure = FailureExpectation(place: node.place)
    failure.step = fields.text("step").flatMap { collector.hop($0) }
    failure.code = fields.integer("code")
    failure.domain = fields.text("domain")
    failure.underlying = fields.integer("underlying")
    failure.pass = fields.node("pass").flatMap(pass)
    failure.mapping = fields.text("mapping")
    failure.entity = fields.text("entity")
    failure.property = fields.text("property")
    failure.object = fields.text("object")
    failure.message = fields.text("message")
    failure.errors = (fields.node("errors").flatMap { collector.list($0, of: "errors") } ?? [])
      .compactMap { self.failure($0) }
    return failure
  }
}
