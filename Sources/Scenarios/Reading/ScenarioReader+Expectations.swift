extension ScenarioReader {
  func expectations(_ node: SourceNode) -> [Expectation] {
    if node.isNull { return [] }
    return (collector.list(node, of: "expect") ?? []).flatMap(expectationItem)
  }

  /// What is added to the message about a list without which nothing is expected.
  static let cannotFail = ", so it can't fail"

  /// The expectations of a version or a step, of which there must be one.
  func nestedExpectations(_ node: SourceNode) -> [Expectation] {
    collector.refuseEmptyList(node, of: "expect", Self.cannotFail)
    return expectations(node)
  }

  /// One expectation, or a list of expectations `at` a version.
  private func expectationItem(_ node: SourceNode) -> [Expectation] {
    guard let entries = node.map else {
      collector.report("an expectation must be a map, as in '- count: { Tag: 2 }'", at: node.place)
      return []
    }
    let fields = Fields(
      entries, of: "an expectation", known: Self.vocabulary.keys, at: node.place, to: collector)
    let written = entries.map(\.key).filter { Self.vocabulary.kinds[$0.value] != nil }
    var found: [Expectation]
    if let nested = fields.node("expect"), written.isEmpty {
      found = nestedExpectations(nested)
    } else {
      found = single(fields, written).map { [$0] } ?? []
    }
    collector.refuseEmptyList(fields.node("start"), of: "start", Self.cannotFail)
    let (version, starts, except) = (fields.text("at"), starts(fields), exceptStarts(fields))
    for index in found.indices {
      found[index].version = found[index].version ?? version
      found[index].starts += starts
      found[index].exceptStarts += except
    }
    return found
  }

  private func single(_ fields: Fields, _ keywords: [Located<String>]) -> Expectation? {
    if keywords.isEmpty, fields.hasUnknownKeys { return nil }
    guard let keyword = keywords.first, keywords.count == 1, fields.entry("expect") == nil else {
      let known = Self.vocabulary.keywords.joined(separator: ", ")
      collector.report(
        keywords.isEmpty
          ? "this expects nothing; write one of: \(known)"
          : "write one expectation per list item, not "
            + keywords.map { "'\($0.value)'" }.joined(separator: " and "),
        at: keywords.dropFirst().first?.place ?? fields.place)
      return nil
    }
    guard let node = fields.node(keyword.value),
      let kind = Self.vocabulary.kinds[keyword.value], !hasModifiersOfOthers(fields, than: kind),
      let check = kind.read(WrittenKeyword(key: keyword, node: node, fields: fields), by: self)
    else { return nil }
    return Expectation(place: keyword.place, check: check)
  }

  private func hasModifiersOfOthers(_ fields: Fields, than kind: any ExpectationKind.Type) -> Bool {
    for (modifier, owner) in Self.vocabulary.modifiers where kind.modifiers[modifier] == nil {
      guard let entry = fields.entry(modifier) else { continue }
      collector.report("'\(modifier)' can be used with '\(owner)' only", at: entry.key.place)
      return true
    }
    return false
  }
}

/// The words that expectations are written with.
struct ExpectationVocabulary {
  /// In the order in which they are documented.
  let keywords: [String]
  let kinds: [String: any ExpectationKind.Type]
  /// The keys beside a keyword, each with the keyword that it goes with.
  let modifiers: [(key: String, owner: String)]
  /// All keys that an expectation may have.
  let keys: [String]

  init(_ kinds: [any ExpectationKind.Type]) {
    keywords = kinds.flatMap { $0.forms.map(\.keyword) }
    self.kinds = Dictionary(
      uniqueKeysWithValues: kinds.flatMap { kind in
        kind.forms.flatMap(\.keywords).map { ($0, kind) }
      })
    modifiers = kinds.flatMap { kind in
      kind.modifiers.keys.sorted().map { (key: $0, owner: kind.form.keyword) }
    }
    keys = self.kinds.keys + ["at", "start", "expect"] + modifiers.map(\.key)
  }
}

// MARK: - What several kinds are made of

extension ScenarioReader {
  /// Properties, one or a list.
  package func properties(_ node: SourceNode, of key: String, needsProperty: Bool = false)
    -> [PropertyReference]
  {
    collector.texts(node, of: key).compactMap { text in
      guard let reference = collector.propertyReference(text) else { return nil }
      if needsProperty, reference.properties.isEmpty {
        collector.report("'\(key)' needs a property, as in '\(text.value).name'", at: text.place)
        return nil
      }
      return reference
    }
  }

  package func references(_ node: SourceNode, of key: String) -> [ObjectReference] {
    collector.texts(node, of: key).compactMap { collector.reference($0) }
  }

  /// The only word that a key may have.
  package func word(_ word: String, _ node: SourceNode, of key: String) -> Bool {
    if node.text == word { return true }
    collector.report("'\(key)' must be '\(word)', not \(node.kind)", at: node.place)
    return false
  }
}
