/// What an expectation says of an attribute: a value, or only its kind, where the value isn't known
/// beforehand.
package enum ExpectedValue: Sendable {
  case values([Value])
  /// `any`: whatever it is, nil too.
  case any
  /// `present`: not nil.
  case present
  /// `{ within: 5s, of: now }`: a number or date that is at most so far from another one.
  case within(Double, of: Centre)

  package enum Centre: Sendable {
    case value(Double)
    /// When it is looked at.
    case now
  }

  /// - Throws: ``Diagnostic`` for what fits neither the attribute nor the number of values.
  package init(_ node: SourceNode, at path: ModelPath, of attribute: AttributeDescription) throws {
    if case .scalar("any", isPlain: true) = node.content {
      self = .any
    } else if case .scalar("present", isPlain: true) = node.content {
      self = .present
    } else if let entries = node.map, entries.contains(where: { $0.key.value == "within" }),
      ![.composite, .transformable].contains(attribute.attributeType)
    {
      self = try Self.within(entries, attribute, at: node.place)
    } else {
      self = .values(try path.items(of: node).map { try ValueReader.value($0, for: attribute) })
    }
  }

  /// Whether values are of the kind; nil where values themselves are expected.
  /// - Parameter isPlural: Whether they are those across a to-many relationship, of which there must be some.
  package func isKind(of values: [Value], isPlural: Bool) -> Bool? {
    switch self {
    case .values: nil
    case .any: !isPlural || !values.isEmpty
    case .present: !values.isEmpty && values.allSatisfy { !$0.isNull }
    case .within(let distance, of: let centre):
      !values.isEmpty
        && values.allSatisfy { value in
          Self.number(value).map { abs($0 - Self.number(centre)) <= distance } ?? false
        }
    }
  }

  /// Whether it depends on when it is looked at.
  package var dependsOnTime: Bool {
    if case .within(_, of: .now) = self { true } else { false }
  }

  // MARK: within

  private static func within(
    _ entries: [SourceNode.Entry], _ attribute: AttributeDescription, at place: SourcePlace
  ) throws -> ExpectedValue {
    let types: Set<AttributeType> = [
      .integer16, .integer32, .integer64, .decimal, .double, .float, .date,
    ]
    guard types.contains(attribute.attributeType) else {
      throw Diagnostic(
        "'within' is for numbers and dates; '\(attribute.name)' is "
          + "\(attribute.attributeType.name)", at: place)
    }
    if let other = entries.first(where: { !["within", "of"].contains($0.key.value) }) {
      throw Diagnostic(
        "unknown key '\(other.key.value)'; write { within: 5s, of: now }", at: other.key.place)
    }
    guard let within = entries.first(where: { $0.key.value == "within" })?.value,
      let of = entries.first(where: { $0.key.value == "of" })?.value
    else { throw Diagnostic("'within' needs 'of', as in { within: 5s, of: now }", at: place) }
    let isDate = attribute.attributeType == .date
    let distance = isDate ? within.text.flatMap(Self.seconds) : within.text.flatMap(Double.init)
    guard let distance, distance >= 0, distance.isFinite else {
      throw Diagnostic(
        isDate
          ? "'within' is a time, as in 5s, 10min, 2h or 1d, not \(within.kind)"
          : "'within' is a number, not \(within.kind)", at: within.place)
    }
    if isDate, case .scalar("now", isPlain: true) = of.content {
      return .within(distance, of: .now)
    }
    guard let centre = number(try ValueReader.value(of, for: attribute)) else {
      throw Diagnostic("'of' is a value of '\(attribute.name)', not \(of.kind)", at: of.place)
    }
    return .within(distance, of: .value(centre))
  }

  private static func seconds(_ text: String) -> Double? {
    let units = [("ms", 0.001), ("min", 60), ("s", 1), ("h", 3600), ("d", 86400), ("", 1)]
    return units.first { text.hasSuffix($0.0) }.flatMap { unit, factor in
      Double(text.dropLast(unit.count)).map { $0 * factor }
    }
  }

  private static func number(_ centre: Centre) -> Double {
    switch centre {
    case .value(let number): number
    case .now: Surroundings.now.timeIntervalSinceReferenceDate
    }
  }

  private static func number(_ value: Value) -> Double? {
    if case .date(let date) = value { return date.timeIntervalSinceReferenceDate }
    return value.doubleValue
  }
}
