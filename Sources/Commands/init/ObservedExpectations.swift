// What a played scenario came to, as expectations that commands write.

extension Notation {
  static let everySourceMigrated = Notation.entry("everySourceMigrated", .text("true"))

  static func object(_ label: String, has fields: [Field]) -> Notation {
    let object = Field(key: "object", value: .text(label))
    return .map([object] + (fields.isEmpty ? [] : [Field(key: "has", value: .map(fields))]))
  }

  static func count(_ counts: [(entity: String, count: Int)]) -> Notation {
    .entry("count", .map(counts.map { Field(key: $0.entity, value: .number($0.count)) }))
  }
}

extension Notation.Field {
  /// Where a relationship leads, as far as the objects there have names.
  /// - Parameter most: How many names are written.
  static func fact(
    _ relationship: RelationshipDescription, _ links: [String?], most: Int
  ) -> Notation.Field {
    let known = links.compactMap(\.self)
    let isTold = known.count == links.count && links.count <= most
    if relationship.isToMany {
      return isTold && !links.isEmpty
        ? .init(key: relationship.name, value: .list(known.map(Notation.text)))
        : .init(key: "\(relationship.name).@count", value: .number(links.count))
    }
    if links.isEmpty { return .init(key: relationship.name, value: .null) }
    return .init(key: relationship.name, value: .text(known.first ?? "present"))
  }
}

extension ScenarioRun {
  /// Whether every row became something, and which ones didn't; nothing where that says nothing.
  var originExpectations: [Notation] {
    if scenario.scenario.chain.isEmpty || provenance.origins.isEmpty { return [] }
    let lost = zip(provenance.origins, provenance.current).filter { $0.1.isEmpty }
    if lost.isEmpty { return [.everySourceMigrated] }
    return [.entry("dropped", .list(lost.map { .text($0.0.label) }))]
  }

  /// The model itself, which is there without any row.
  var modelExpectations: [Notation] {
    (scenario.models[finalVersion]?.entities ?? []).prefix(1).map {
      .entry("model", .map([.init(key: $0.name, value: .text("exists"))]))
    }
  }
}

extension ContentSnapshot {
  /// How many objects of some entities there are.
  func countExpectations(of names: [String]) -> [Notation] {
    if names.isEmpty { return [] }
    // Objects of subentities count for the entities above them, too.
    return [
      .count(
        names.sorted().map { name in
          (name, objects.count { $0.entity.isNamedOrDescends(from: name) })
        })
    ]
  }
}

/// An error that a chain ends with. No scenario that is written expects it by itself: the app that fails so would be
/// green.
struct FoundFailure: Hashable {
  /// `error 134110 at Order.statusKey in Shop -> Shop 3`
  let text: String
  /// The same without the step.
  let textInAnyStep: String
  /// What expects it.
  let expectations: [Notation]
  /// What it is about, and what of it, as far as the error tells.
  let entity: String?
  let property: SampleRows.Property?

  /// - Throws: As ``ChainFailure/expectations()``.
  init(_ failure: ChainFailure) throws {
    let outcome = MigrationOutcome(failure)
    text = outcome.text
    textInAnyStep = outcome.failure?.text ?? text
    expectations = try failure.expectations()
    // Of several errors the first one stands for all.
    let error = failure.error as? CoreDataError
    let place = (error?.details.first ?? error)?.place ?? failure.place
    entity = place.entity
    property = place.entity.flatMap { entity in
      place.property.map { SampleRows.Property(entity: entity, name: $0) }
    }
  }

  /// - Parameter subject: What fails, as a sentence begins.
  static func remark(_ subject: String, _ text: String) -> String {
    "\(subject): \(text), as in the app. The scenario fails until that is mended; where no user has such a store, give "
      + "it 'skip: REASON'."
  }

  func remark(_ subject: String) -> String { Self.remark(subject, text) }

  /// What a scenario says of it beside its expectations.
  var lines: [String] { Self.lines(expectations) }

  static func lines(_ expectations: [Notation]) -> [String] {
    ["  # Where the error is meant, expect that instead:"]
      + ScenarioParts.expectations(expectations).dropFirst().map { "  #" + $0 }
  }
}

extension ChainFailure {
  /// The expectation of the error, and of what it leaves.
  /// - Throws: The failure itself where the files that were given aren't the app's: nobody is to expect that.
  func expectations() throws -> [Notation] {
    if isOfMissingPolicy { throw self }
    let error = error as NSError
    let place = (self.error as? CoreDataError)?.place ?? place
    var facts: [Notation.Field] = [.init(key: "code", value: .number(error.code))]
    if error.domain != CoreDataError.errorDomain {
      facts.append(.init(key: "domain", value: .text(error.domain)))
    }
    for (key, text) in [
      ("step", place.step ?? self.place.step), ("entity", place.entity),
      ("property", place.property),
    ] {
      if let text { facts.append(.init(key: key, value: .text(text))) }
    }
    return [.entry("fails", .map(facts)), .entry("source", .text("untouched"))]
  }

  /// What is said of a policy that isn't there.
  var policyText: String { "\(place.step.map { "\($0): " } ?? "")\(policyReason)" }

  var policyReason: String {
    let error = (error as? CoreDataError).map { $0.details.first ?? $0 }
    return error?.reason ?? "\(self.error)"
  }

  /// Whether a mapping model names a policy that isn't among what was given: the app has it, or doesn't build.
  var isOfMissingPolicy: Bool {
    let first = (error as? CoreDataError).map { $0.details.first ?? $0 }
    return if case .missingPolicy? = first?.originalMistake { true } else { false }
  }
}
