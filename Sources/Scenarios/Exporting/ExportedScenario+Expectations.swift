// What must hold, kind by kind.

extension ExportedScenario {
  mutating func addExpectations() {
    let wanted = checked.expectations.filter { $0.written.isWanted(from: start) }
    let steps = checked.steps(from: start)
    let path = steps.reduce([start]) { $0 + $1.passedVersions }
    if !wanted.contains(where: \.decidesSteps) {
      let line = "\(checked.scenario.title.place)"
      let count = checked.stepsToExecute(from: start).count
      statements.append("t.expectRun { $0.allSteps(\(SwiftText.literal(line)), \(count)) }")
    }
    if let device = checked.scenario.device { leaveOut("'device'", at: device.place) }
    if wanted.contains(where: \.isFailure) { statements.append("t.expectsError()") }
    for expectation in wanted {
      let version = expectation.written.version?.value ?? finalVersion
      guard path.contains(version) else { continue }
      guard version == start || steps.contains(where: { $0.ends.value.destination == version })
      else {
        leaveOut("what holds at \(version), between stages", at: expectation.place)
        continue
      }
      let at = version == finalVersion ? "" : "(\(SwiftText.literal(version)))"
      let here = wanted.filter { ($0.written.version?.value ?? finalVersion) == version }
      for (call, isOfRun) in calls(of: expectation, among: here, at: version) {
        statements.append(isOfRun ? "t.expectRun { try \(call) }" : "t.expect\(at) { try \(call) }")
      }
    }
  }

  /// Calls that fail where an expectation holds for want of objects: see ``VacuityCheck``.
  /// - Parameter all: What else holds of the version, as that an entity has no objects.
  private func presences(
    for check: any ObjectsCheck, among all: [ResolvedExpectation], at version: String
  ) -> [String] {
    if check.looked.isEmpty { return [] }
    let empty = VacuityCheck.checks(of: all, at: version).flatMap(\.emptyEntities)
    return check.looked.filter { objects, _ in
      !empty.contains { objects.entity.isNamedOrDescends(from: $0) }
    }.map { objects, least in
      count(
        of: objects, at: objects.written.entity.place, range: "\(least)...Int.max",
        shown: least == 1 ? "objects to look at" : "several objects to look at")
    }
  }

  /// Calls of an `ExportedStore`, or of the `Exported` where they are about the run: either is `$0` in them.
  private mutating func calls(
    of expectation: ResolvedExpectation, among all: [ResolvedExpectation], at version: String
  ) -> [(text: String, isOfRun: Bool)] {
    switch expectation.subject(at: version) {
    case .objects(let check):
      (presences(for: check, among: all, at: version) + texts(of: check, expectation))
        .map { ($0, false) }
    case .run(let check): text(of: check, expectation).map { [($0, true)] } ?? []
    }
  }

  /// Calls of an `ExportedStore`, which is `$0` in them.
  private mutating func texts(of check: any ObjectsCheck, _ expectation: ResolvedExpectation)
    -> [String]
  {
    let line = line(expectation.place)
    let isOfOrigins =
      check is EverySourceMigratedExpectation || check is DroppedCheck || check is MadeCheck
    if isOfOrigins, let moved = checked.models[finalVersion]?.entities.first(where: changesTable) {
      leaveOut("what became of each \(moved.name), in the table of others", at: expectation.place)
      return []
    }
    switch check {
    case let check as CountCheck:
      return check.items.map { query, count in
        self.count(
          of: query, called: "count of \(query.shown)", at: count.place,
          range: "\(count.value)...\(count.value)", shown: "\(count.value)")
      }
    case let check as QuantityCheck: return [text(of: check, at: expectation.place)]
    case let check as UniqueCheck:
      return check.keys.map { key in
        "$0.unique(\(self.line(key.written.entity.place)), \(SwiftText.literal(key.entity.name)), "
          + "\(SwiftText.texts(key.properties.map(\.name))))"
      }
    case let check as RequiredCheck:
      return check.keys.map { key in
        "$0.required(\(self.line(key.written.entity.place)), \(SwiftText.literal(key.entity.name)), "
          + "\(SwiftText.texts(check.properties(of: key).map(\.name))))"
      }
    case let check as InverseCheck:
      return check.keys.joined().map { side in
        let names = [
          side.entity.name, side.relationship.name, side.inverse.name,
        ].map(SwiftText.literal).joined(separator: ", ")
        return "$0.inverse(\(self.line(side.place)), \(names), "
          + "of: \(SwiftText.literal(side.relationship.destinationEntityName)))"
      }
    case let check as EverySourceMigratedExpectation:
      return ["$0.all(\(line), migrated: \(SwiftText.texts(check.entities.map(\.value))))"]
    case let check as DroppedCheck:
      return ["$0.dropped(\(line), \(SwiftText.texts(check.objects.map(\.shown))))"]
    case let check as MadeCheck:
      return check.items.map { source, entities in
        "$0.made(\(self.line(source.name.place)), of: \(SwiftText.literal(source.name.value)), "
          + "\(SwiftText.texts(entities.map(\.name))))"
      }
    case let check as ModelFactsCheck: return check.facts.flatMap { texts(of: $0) }
    case let check as ObjectCheck: return texts(of: check, at: expectation.place)
    default:
      leaveOut("'\(expectation.keyword)'", at: expectation.place)
      return []
    }
  }

  private func line(_ place: SourcePlace) -> String { SwiftText.literal("\(place)") }

  private func count(
    of query: ResolvedQuery, called subject: String? = nil, at place: SourcePlace, range: String,
    shown: String
  ) -> String {
    let texts = [subject ?? query.shown, query.entity.name].map(SwiftText.literal)
    return "$0.count(\(line(place)), \(texts[0]), \(texts[1]), \(condition(of: query)), \(range), "
      + "\(SwiftText.literal(shown)))"
  }

  private func condition(of query: ResolvedQuery) -> String {
    query.written.predicate.map { SwiftText.literal($0.value) } ?? "nil"
  }

  private func text(of check: QuantityCheck, at place: SourcePlace) -> String {
    let query = check.query
    switch check.quantity {
    case .none: return count(of: query, at: place, range: "0...0", shown: "none")
    case .exactly(let number):
      return count(of: query, at: place, range: "\(number)...\(number)", shown: "\(number)")
    case .some: return count(of: query, at: place, range: "1...Int.max", shown: "at least one")
    case .all:
      return "$0.all(\(line(place)), \(SwiftText.literal(query.entity.name)), "
        + "\(SwiftText.literal(query.written.predicate?.value ?? "TRUEPREDICATE")))"
    }
  }

  private func texts(of fact: ModelExpectation.Fact) -> [String] {
    let subject = fact.subject
    let property = subject.properties.first.map { SwiftText.literal($0.value) } ?? "nil"
    var call = SwiftCall(
      "$0.model", line(subject.entity.place), SwiftText.literal(subject.shown),
      SwiftText.literal(subject.entity.value), property)
    switch fact.claim {
    case .gone: call = call.with("exists", "false")
    case .exists: call = call.with("exists", "true")
    case .facts(let facts):
      let texts = facts.map { ($0.key.value, $0.value.shown.replacing("\"", with: "")) }
      call = call.with("exists", "true").with("facts", Dictionary(firstOf: texts))
    }
    return [call.text]
  }

  // MARK: Objects

  func text(of reference: ResolvedReference) -> String {
    switch reference {
    case .named(let name, let entity, _):
      return ".named(\(SwiftText.literal(entity.name)), \(SwiftText.literal(name.value)))"
    case .query(let query):
      return ".only(\(SwiftText.literal(query.entity.name)), \(condition(of: query)))"
    }
  }

  private mutating func texts(of check: ObjectCheck, at place: SourcePlace) -> [String] {
    if case .named(_, let entity, _) = check.object, changesTable(entity) {
      leaveOut("which object \(check.object.shown) becomes, in the table of others", at: place)
      return []
    }
    let object = text(of: check.object)
    let origin = check.origin.map { SwiftText.literal($0.name.value) }
    let first = SwiftCall("$0.object", line(place), object).with("from", origin).text
    return [first]
      + check.values.compactMap { field in
        guard let content = text(of: field) else {
          leaveOut("the value of \(field.written.key.value)", at: field.written.key.place)
          return nil
        }
        let path = field.path
        let key =
          switch path.end {
          case .attribute(let attribute): path.composite == nil ? attribute.name : attribute.path
          case .relationship(let relationship): relationship.name
          case .count: ""
          }
        return SwiftCall(
          "$0.value", line(field.written.key.place), object,
          SwiftText.literal(field.written.key.value),
          SwiftText.texts(path.steps.map(\.name)), SwiftText.literal(key), content
        ).with("plural", path.isPlural, unless: false).with(
          "ordered", path.isOrdered, unless: false
        ).text
      }
  }

  /// Whether its rows go into the table of objects that were there before, by a mapping inside the store, which tells
  /// nobody what became of them.
  private func changesTable(_ entity: EntityDescription) -> Bool {
    guard let old = checked.models[start],
      checked.steps(from: start).contains(where: { checked.mappings(of: $0).isEmpty }),
      let before = old.entity(named: entity.renamingIdentifier) ?? old.entity(named: entity.name)
    else { return false }
    let root = entity.rootEntity.renamingIdentifier
    return before.rootEntity.name != root && old.entity(named: root) != nil
  }

  private func text(of field: ObjectCheck.Field) -> String? {
    switch field.content {
    case .count(let count): return ".count(\(count))"
    case .links(let links): return ".links(\(SwiftText.list(links.members, text)))"
    case .attribute(let attribute, .values(let values)):
      let texts = values.map { SwiftText.literal($0, as: attribute) }
      if texts.contains(nil) { return nil }
      let shown = values.map { $0.shown(as: attribute) }
      let text = field.path.isPlural ? "[\(shown.joined(separator: ", "))]" : shown.first ?? "null"
      return
        ".values([\(texts.compactMap(\.self).joined(separator: ", "))], shown: \(SwiftText.literal(text)))"
    case .attribute(_, .any): return ".any"
    case .attribute(_, .present), .linked: return ".present"
    case .attribute(_, .within(let distance, of: .now)): return ".within(\(distance), of: nil)"
    case .attribute(_, .within(let distance, of: .value(let centre))):
      return ".within(\(distance), of: \(centre))"
    }
  }

  // MARK: Runs

  /// A call of an `Exported`, which is `$0` in it; nil for what is left out.
  mutating func text(of check: any RunCheck, _ expectation: ResolvedExpectation) -> String? {
    let line = line(expectation.place)
    switch check {
    case let check as MappingExpectation:
      return "$0.mapping(\(line), \(SwiftText.literal(check.choice.value.rawValue)))"
    case is StepsExpectation where checked.steps(from: start).contains { $0.stages != nil }:
      leaveOut("the steps that stages take", at: expectation.place)
      return nil
    case let check as StepsExpectation:
      let steps = SwiftText.list(check.steps) { step in
        let mapping = step.mapping.map { SwiftText.literal($0.value.rawValue) } ?? "nil"
        return "(\(SwiftText.literal(step.ends.value.description)), \(mapping))"
      }
      return "$0.steps(\(line), \(steps))"
    case is SourceExpectation: return "$0.untouchedSource(\(line))"
    case let check as StoreExpectation:
      return "$0.version(\(line), \(SwiftText.literal(check.version.value)))"
    case let check as FailsExpectation:
      return "$0.failure(\(line), \(text(of: check.failure)))"
    default:
      leaveOut("'\(expectation.keyword)'", at: expectation.place)
      return nil
    }
  }

  /// An error by what Apple's API says of one.
  mutating func text(of failure: FailureExpectation) -> String {
    let code = failure.code.flatMap { isOfBundle($0.value) ? nil : "\($0.value)" }
    // An app's own error says what the app put into it.
    let isOfApp = failure.domain.map { $0.value != NSCocoaErrorDomain } ?? false
    let unknown: [(String, Bool)] = [
      ("code \(failure.code?.value ?? 0)", failure.code != nil && code == nil),
      ("entity", failure.entity != nil && isOfApp),
      ("property", failure.property != nil && isOfApp),
      ("step", failure.step != nil), ("pass", failure.pass != nil),
      ("mapping", failure.mapping != nil),
      ("object", failure.object != nil), ("message", failure.message != nil),
    ]
    for (fact, isSaid) in unknown where isSaid {
      leaveOut(
        "'\(fact)' of an error, which tests of models in code don't get to know", at: failure.place)
    }
    var errors: [String] = []
    for error in failure.errors { errors.append(text(of: error)) }
    return SwiftCall("ExportedFailure").with("code", code)
      .with(text: "domain", failure.domain?.value).with(
        text: "entity", isOfApp ? nil : failure.entity?.value
      )
      .with(text: "property", isOfApp ? nil : failure.property?.value)
      .with("underlying", failure.underlying.map { "\($0.value)" })
      .with("errors", "[\(errors.joined(separator: ", "))]", unless: "[]").text
  }

  // MARK: After the chain

  mutating func addActions() {
    for action in checked.actions {
      if case .start(let release) = action.written.kind {
        if !release.versions.isEmpty || release.opensSource != nil || action.written.failure != nil
        {
          return leaveOut("a later release, and what follows it", at: action.written.place)
        }
        statements.append("t.start()")
      } else if case .none = action.written.kind {
      } else {
        add(action)
      }
      let wanted = action.expectations.filter { $0.written.isWanted(from: start) }
      for expectation in wanted {
        for (call, isOfRun) in calls(of: expectation, among: wanted, at: finalVersion) {
          let (name, subject) = isOfRun ? ("_", "t.") : ("store", "store.")
          let call = call.replacing("$0.", with: subject, maxReplacements: 1)
          statements.append("t.then { \(name) in t.differ(try \(call)) }")
        }
      }
    }
  }

  private mutating func add(_ action: ResolvedAction) {
    let failure = action.written.failure.map { text(of: $0) } ?? "nil"
    let change = changes(action.change(at: finalVersion)).joined(separator: "; ")
    statements.append(
      "t.then { store in t.attempt(\(line(action.written.place)), \(failure)) { \(change) } }")
  }

  private mutating func changes(_ change: ResolvedAction.Change) -> [String] {
    switch change {
    case .insert(let entity, let name, let fields):
      let name = name.map(SwiftText.literal) ?? "nil"
      let made = "let object = store.insert(\(SwiftText.literal(entity.name)), \(name))"
      return [fields.isEmpty ? made.replacing("let object", with: "_") : made]
        + fields.map { text(of: $0) }
    case .set(let reference, let fields):
      return ["let object = try store.find(\(text(of: reference)))"] + fields.map { text(of: $0) }
    case .link(let reference, let links):
      return ["let object = try store.find(\(text(of: reference)))"]
        + links.map { text("link", $0) }
    case .unlink(let reference, let links):
      return ["let object = try store.find(\(text(of: reference)))"]
        + links.map { text("unlink", $0) }
    case .delete(let reference):
      return ["store.context.delete(try store.find(\(text(of: reference))))"]
    case .save: return ["try store.context.save()"]
    case .rollback: return ["store.context.rollback()"]
    }
  }

  private mutating func text(of field: ResolvedField) -> String {
    switch field {
    case .attribute(let attribute, let value):
      guard let text = SwiftText.literal(value, as: attribute) else {
        leaveOut("the value of \(attribute.name)")
        return "_ = object"
      }
      return "object.setValue(\(text), forKey: \(SwiftText.literal(attribute.name)))"
    case .relationship(let links): return text("set", links)
    }
  }

  private func text(_ way: String, _ links: ResolvedLinks) -> String {
    "try store.\(way)(object, \(SwiftText.literal(links.relationship.name)), \(SwiftText.list(links.members, text)))"
  }
}
