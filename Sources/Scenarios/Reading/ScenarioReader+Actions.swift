extension ScenarioReader {
  private enum Keyword: String, CaseIterable {
    case insert, set, link, unlink, delete, save, rollback, start
  }
  private static let keywords = Keyword.allCases.map(\.rawValue)
  private static let modifiers = ["values", "to", "from", "store", "fails", "expect"]

  func actions(_ node: SourceNode) -> [Action] {
    collector.refuseEmptyList(node, of: "then")
    return (collector.list(node, of: "then") ?? []).compactMap(action)
  }

  private func action(_ node: SourceNode) -> Action? {
    if let word = node.text {
      if let kind = Keyword(rawValue: word).flatMap(bare) {
        return Action(place: node.place, kind: kind)
      }
      let hint = Spelling.hint(for: word, among: Self.keywords, called: "steps")
      collector.report("there is no step '\(word)'\(hint)", at: node.place)
      return nil
    }
    guard let entries = node.map else {
      collector.report(
        "a step must be a word or a map, as in '- delete: Album best'", at: node.place)
      return nil
    }
    let known = Self.keywords + Self.modifiers
    let fields = Fields(entries, of: "a step", known: known, at: node.place, to: collector)
    let words = entries.map(\.key).filter { Self.keywords.contains($0.value) }
    if words.count > 1 {
      collector.report("write one step per list item", at: words[1].place)
      return nil
    }
    guard let kind = kind(words.first, fields) else { return nil }
    var action = Action(place: words.first?.place ?? node.place, kind: kind)
    action.failure = fields.node("fails").flatMap { failure($0) }
    action.expectations = fields.node("expect").map { nestedExpectations($0) } ?? []
    for version in action.expectations.compactMap(\.version) {
      collector.report(
        "'at' can't be used in 'then', whose steps are about the store at the end: put this into the scenario's "
          + "own 'expect'", at: version.place)
    }
    return action
  }

  /// What a word stands for alone; nil where it needs an object.
  private func bare(_ keyword: Keyword) -> Action.Kind? {
    switch keyword {
    case .save: .save
    case .rollback: .rollback
    case .start: .start(.init())
    case .insert, .set, .link, .unlink, .delete: nil
    }
  }

  private func kind(_ word: Located<String>?, _ fields: Fields) -> Action.Kind? {
    guard let word, let keyword = Keyword(rawValue: word.value) else {
      if fields.entry("expect") != nil { return Action.Kind.none }
      if fields.hasUnknownKeys { return nil }
      let known = Self.keywords.joined(separator: ", ")
      collector.report("this step does nothing; write one of: \(known)", at: fields.place)
      return nil
    }
    if let opened = fields.entry("store"), keyword != .start {
      collector.report("'store' belongs to 'start'", at: opened.key.place)
    }
    switch keyword {
    case .start: return .start(release(fields))
    case .save, .rollback:
      if let value = fields.node(word.value), !value.isNull {
        collector.report("'\(word.value)' takes no value", at: value.place)
      }
      return bare(keyword)
    case .insert: return fields.text(word.value).map { insertion($0, fields) }
    case .set:
      return object(word, fields).map {
        .set($0, values: required("values", for: word, fields))
      }
    case .link:
      return object(word, fields).map {
        .link($0, members: required("to", for: word, fields))
      }
    case .unlink:
      return object(word, fields).map {
        .unlink($0, members: required("from", for: word, fields))
      }
    case .delete: return object(word, fields).map { .delete($0) }
    }
  }

  private func object(_ word: Located<String>, _ fields: Fields) -> ObjectReference? {
    fields.text(word.value).flatMap(collector.reference)
  }

  private func release(_ fields: Fields) -> Action.Release {
    var release = Action.Release()
    if let versions = fields.node("start"), !versions.isNull {
      release.versions = collector.texts(versions, of: "start")
    }
    if let store = fields.text("store") {
      if store.value != "source" {
        collector.report(
          "'store' must be 'source', the store that the chain started from", at: store.place)
      }
      release.opensSource = store
    }
    return release
  }

  private func insertion(_ text: Located<String>, _ fields: Fields) -> Action.Kind {
    let values = values(fields.node("values"), of: "values")
    if let (entity, name) = text.trimmed.split(at: " ") {
      return .insert(entity: entity, name: name, values: values)
    }
    return .insert(entity: text.trimmed, name: nil, values: values)
  }

  private func required(
    _ key: String, for word: Located<String>, _ fields: Fields
  ) -> [PropertyValue] {
    if fields.entry(key) == nil {
      collector.report("'\(word.value)' needs '\(key)': a map of properties", at: word.place)
    }
    if let node = fields.node(key), node.map?.isEmpty == true {
      collector.report("'\(key)' lists nothing, so this step does nothing", at: node.place)
    }
    return values(fields.node(key), of: key)
  }
}
