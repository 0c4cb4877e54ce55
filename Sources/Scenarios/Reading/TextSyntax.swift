// The little languages inside the scalars of a scenario: `v1 -> v2`, `Event dinner`,
// `Tag where name == "x"`, `Tag.name`.

extension Located<String> {
  /// A part of the text, placed where it stands when the text has no quotes or escapes before it.
  package func part(_ range: Range<String.Index>) -> Located<String> {
    let offset = value.unicodeScalars.distance(from: value.startIndex, to: range.lowerBound)
    let text = String(value[range])
    if !place.isVerbatim { return Located(text, at: place) }
    // A quoted scalar is as long as its text plus two quotes.
    let isQuoted = place.length == value.unicodeScalars.count + 2
    let column = place.column + offset + (isQuoted ? 1 : 0)
    return Located(
      text,
      at: SourcePlace(
        file: place.file, line: place.line, column: column, length: text.unicodeScalars.count))
  }

  /// The text without white space around it.
  var trimmed: Located<String> {
    guard let first = value.firstIndex(where: { !$0.isWhitespace }),
      let last = value.lastIndex(where: { !$0.isWhitespace })
    else { return Located("", at: place) }
    return part(first..<value.index(after: last))
  }

  /// The two sides of the first `separator`, trimmed.
  package func split(at separator: String) -> (Located<String>, Located<String>)? {
    guard let range = value.range(of: separator) else { return nil }
    return (
      part(value.startIndex..<range.lowerBound).trimmed,
      part(range.upperBound..<value.endIndex).trimmed
    )
  }

  /// The parts between separators, trimmed.
  func components(separatedBy separator: String) -> [Located<String>] {
    guard let range = value.range(of: separator) else { return [trimmed] }
    let rest = part(range.upperBound..<value.endIndex)
    return [part(value.startIndex..<range.lowerBound).trimmed]
      + rest.components(separatedBy: separator)
  }
}

extension DiagnosticCollector {
  /// `v1 -> v2`.
  package func stepEnds(_ text: Located<String>) -> Located<StepEnds>? {
    guard let (source, destination) = text.split(at: "->"), !source.value.isEmpty,
      !destination.value.isEmpty
    else {
      report("'\(text.value)' must be a step, as in 'v1 -> v2'", at: text.place)
      return nil
    }
    if destination.value.contains("->") {
      report(
        "a step leads from one version to another: write '\(text.value)' as several steps",
        at: text.place)
      return nil
    }
    return Located(StepEnds(source: source.value, destination: destination.value), at: text.place)
  }

  /// `Entity` or `Entity where predicate`.
  package func query(_ text: Located<String>) -> ObjectQuery? {
    if let (entity, predicate) = text.split(at: " where ") {
      guard isName(entity), !predicate.value.isEmpty else { return malformedQuery(text) }
      return ObjectQuery(entity: entity, predicate: predicate)
    }
    let entity = text.trimmed
    guard isName(entity) else { return malformedQuery(text) }
    return ObjectQuery(entity: entity, predicate: nil)
  }

  private func malformedQuery(_ text: Located<String>) -> ObjectQuery? {
    report(
      "'\(text.value)' must be an entity, or an entity and a predicate, as in "
        + "'Tag where name == \"food\"'", at: text.place)
    return nil
  }

  private func isName(_ text: Located<String>) -> Bool {
    !text.value.isEmpty && !text.value.contains { $0.isWhitespace }
  }

  /// `Entity name` or `Entity where predicate`.
  package func reference(_ text: Located<String>) -> ObjectReference? {
    if text.value.contains(" where ") { return query(text).map { .query($0) } }
    let words = text.trimmed
    guard let (entity, name) = words.split(at: " "), isName(name) else {
      report(
        "'\(text.value)' must be an object: an entity and a local name, as in 'Event dinner', or "
          + "an entity and a predicate", at: text.place)
      return nil
    }
    return .named(entity: entity, name: name)
  }

  /// `Entity`, `Entity.property` or `Entity.(one, other)`.
  package func propertyReference(_ text: Located<String>) -> PropertyReference? {
    guard let (entity, rest) = text.split(at: ".") else {
      let entity = text.trimmed
      if isName(entity) { return PropertyReference(entity: entity, properties: []) }
      return malformedProperty(text)
    }
    let properties: [Located<String>]
    if rest.value.hasPrefix("("), rest.value.hasSuffix(")") {
      let inner =
        rest.value.index(
          after: rest.value.startIndex)..<rest.value.index(
          before: rest.value.endIndex)
      properties = rest.part(inner).components(separatedBy: ",")
    } else {
      properties = [rest]
    }
    guard isName(entity), properties.allSatisfy(isName) else { return malformedProperty(text) }
    return PropertyReference(entity: entity, properties: properties)
  }

  private func malformedProperty(_ text: Located<String>) -> PropertyReference? {
    report("'\(text.value)' must be an entity or a property, as in 'Tag.name'", at: text.place)
    return nil
  }
}
