extension ScenarioReader {
  private static let modifiers = ["at", "start", "expect"]

  /// The keywords of expectations, in the order they are documented.
  var expectationKeywords: [String] { kinds.flatMap { $0.forms.map(\.keyword) } }

  func expectations(_ node: SourceNode) -> [Expectation] {
    if node.isNull { return [] }
    return (collector.list(node, of: "expect") ?? []).flatMap(expectationItem)
  }

  /// One expectation, or a list of expectations `at` a version.
  private func expectationItem(_ node: SourceNode) -> [Expectation] {
    guard let entries = node.map else {
      collector.report("an expectation must be a map, as in '- count: { Tag: 2 }'", at: node.place)
      return []
    }
    let keywords = Set(expectationKeywords)
    let known = expectationKeywords + Self.modifiers + kinds.flatMap { $0.modifiers.keys.sorted() }
    let fields = Fields(entries, of: "an expectation", known: known, at: node.place, to: collector)
    let written = entries.map(\.key).filter { keywords.contains($0.value) }
    var found: [Expectation]
    if let nested = fields.node("expect"), written.isEmpty {
      if nested.list?.isEmpty == true {
        collector.report("'expect' lists nothing, so it can't fail", at: nested.place)
      }
      found = expectations(nested)
    } else {
      found = single(fields, written).map { [$0] } ?? []
    }
    let (version, starts) = (fields.text("at"), fields.texts("start"))
    for index in found.indices {
      found[index].version = found[index].version ?? version
      found[index].starts += starts
    }
    return found
  }

  private func single(_ fields: Fields, _ keywords: [Located<String>]) -> Expectation? {
    if keywords.isEmpty, fields.hasUnknownKeys { return nil }
    guard let keyword = keywords.first, keywords.count == 1, fields.entry("expect") == nil else {
      let known = expectationKeywords.joined(separator: ", ")
      collector.report(
        keywords.isEmpty
          ? "this says nothing to expect; write one of: \(known)"
          : "write one expectation per list item, not "
            + keywords.map { "'\($0.value)'" }.joined(separator: " and "),
        at: keywords.dropFirst().first?.place ?? fields.place)
      return nil
    }
    guard let node = fields.node(keyword.value),
      let kind = kinds.first(where: { $0.forms.contains { $0.keyword == keyword.value } }),
      !hasModifiersOfOthers(fields, than: kind),
      let check = kind.read(keyword, node, fields, by: self)
    else { return nil }
    return Expectation(place: keyword.place, check: check)
  }

  private func hasModifiersOfOthers(_ fields: Fields, than kind: any ExpectationKind.Type) -> Bool {
    for other in kinds {
      for modifier in other.modifiers.keys.sorted() where kind.modifiers[modifier] == nil {
        guard let entry = fields.entry(modifier), let owner = other.forms.first else { continue }
        collector.report(
          "'\(modifier)' goes with '\(owner.keyword)' only", at: entry.key.place)
        return true
      }
    }
    return false
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
