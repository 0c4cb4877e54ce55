extension StoreDifferences {
  /// The report for a person.
  func text(style: TextStyle) -> String {
    let lines =
      heads(style) + [""] + table(style) + notes(style) + objectLines(style) + ["", ending(style)]
    return lines.map { $0 + "\n" }.joined()
  }

  // MARK: The stores

  private func heads(_ style: TextStyle) -> [String] {
    let width = max(stores.a.name.count, stores.b.name.count)
    return StoreSide.allCases.flatMap { side in
      let store = stores[side]
      let version =
        store.versions.isEmpty
        ? "read by its \(store.modelOrigin)"
        : "version \(store.versions.joined(separator: " = "))"
      let name = style.strong(store.name) + String(repeating: " ", count: width - store.name.count)
      return ["\(side.rawValue)  \(name)  \(version)"]
        + store.findings.map { "   " + style.notable("damaged: \($0)") }
    }
  }

  // MARK: The entities

  /// The entities of which one of the stores has objects at least.
  private func table(_ style: TextStyle) -> [String] {
    table?.lines(style, indent: 3)
      ?? ["neither store has objects of the entities that both models have"]
  }

  /// Nil where there is none.
  var table: TextTable? {
    let shown = entities.filter { $0.counts.a + $0.counts.b > 0 }
    if shown.isEmpty { return nil }
    let heads = ["entity", "matched by", "in A", "in B", "equal", "changed", "only A", "only B"]
    let rows = shown.map { entity -> [String] in
      let numbers = [
        entity.counts.a, entity.counts.b, entity.equal, entity.changed, entity.only.a,
        entity.only.b,
      ]
      return [entity.name, entity.identity] + numbers.map(String.init)
    }
    return TextTable([heads] + rows, left: [0, 1])
  }

  // MARK: What can't be compared

  private func notes(_ style: TextStyle) -> [String] {
    let lines =
      StoreSide.allCases.flatMap { side in
        (strangers(side) + unpairedProperties(side)).map { "only \(side.rawValue) has \($0)" }
      } + guesses
      + (isDamageUnknown
        ? ["no damage is looked for beyond \(MigrateJob.mostObjects) objects"] : [])
    if lines.isEmpty { return [] }
    return [""] + lines.map { "   " + style.notable($0) }
  }

  /// The entities that the other store doesn't know; those with objects are told one by one.
  private func strangers(_ side: StoreSide) -> [String] {
    let filled = unpairedEntities[side].filter { $0.count > 0 }
    let empty = unpairedEntities[side].filter { $0.count == 0 }.map(\.name)
    let list = empty.isEmpty ? [] : ["entities without objects: \(empty.joined(separator: ", "))"]
    return filled.map { "the entity \($0.name): \($0.count.counted("object"))" } + list
  }

  /// The properties that the other store's model doesn't have, entity by entity.
  private func unpairedProperties(_ side: StoreSide) -> [String] {
    var owners: [String] = []
    var names: [String: [String]] = [:]
    var counts: [String: Int] = [:]
    for property in entities.flatMap({ $0.unpaired[side] }) {
      let (owner, key) = (property.declaredBy, "\(property.declaredBy).\(property.name)")
      if names[owner] == nil { owners.append(owner) }
      if counts[key] == nil { names[owner, default: []].append(property.name) }
      counts[key, default: 0] += property.valueCount ?? 0
    }
    return owners.map { owner in
      let texts = (names[owner] ?? []).map { name in
        let count = counts["\(owner).\(name)"] ?? 0
        return count > 0 ? "\(name) (set in \(count))" : name
      }
      return "\(owner).\(texts.joined(separator: ", "))"
    }
  }

  private var guesses: [String] {
    entities.filter { $0.guessed > 0 }.map {
      "\($0.guessed.counted("object")) of \($0.name) share their \($0.identity) with others, "
        + "and were compared in the order of their rows"
    }
  }

  // MARK: The objects

  private func objectLines(_ style: TextStyle) -> [String] {
    entities.flatMap { entity -> [String] in
      let listed = objects.filter { $0.entity == entity.name }
      let kinds: [(ObjectDifference.Kind, Int)] = [
        (.changed, entity.changed), (.onlyInA, entity.only.a), (.onlyInB, entity.only.b),
      ]
      return kinds.flatMap { kind, total -> [String] in
        if total == 0 { return [] }
        let these = listed.filter { $0.kind == kind }
        let rest = total - these.count
        let ending =
          rest == 0
          ? [] : ["  … \(these.isEmpty ? "" : "and ")\(rest)\(these.isEmpty ? "" : " more")"]
        return ["", style.strong(heading(of: entity, for: kind, total: total))]
          + these.flatMap { lines(for: $0, style) } + ending
      }
    }
  }

  private func heading(of entity: Entity, for kind: ObjectDifference.Kind, total: Int) -> String {
    switch kind {
    case .onlyInA: return "\(entity.name): \(total) only in A"
    case .onlyInB: return "\(entity.name): \(total) only in B"
    case .changed:
      let properties = entity.changedProperties.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { "\($0.key) \($0.value)" }
      return "\(entity.name): \(total) changed (\(properties.joined(separator: ", ")))"
    }
  }

  private func lines(for object: ObjectDifference, _ style: TextStyle) -> [String] {
    let mark =
      switch object.kind {
      case .changed: style.notable("~")
      case .onlyInA: style.bad("-")
      case .onlyInB: style.good("+")
      }
    return ["  \(mark) \(object.object)"] + changes(of: object).map { "      \($0)" }
  }

  private func changes(of object: ObjectDifference) -> [String] {
    object.attributes.flatMap(\.parts).map { attribute in
      let texts = attribute.excerpts
      return "\(attribute.name): \(texts.a) -> \(texts.b)"
    } + object.relationships.flatMap(lines(for:))
  }

  private func lines(for relationship: RelationshipDifference) -> [String] {
    relationship.changes.flatMap { change -> [String] in
      switch change {
      case .destination(let ends):
        ["\(relationship.name): \(ends.a ?? "nil") -> \(ends.b ?? "nil")"]
      case .members(let members, let more):
        StoreSide.allCases.filter { !members[$0].isEmpty }.map { side in
          "\(relationship.name): only in \(side.rawValue) \(RelationshipDifference.list(members[side], more: more[side]))"
        }
      case .order(let moved, let more):
        moved.map {
          "\(relationship.name): \($0.object) is at place \($0.places.a + 1) -> \($0.places.b + 1)"
        } + (more > 0 ? ["\(relationship.name): \(more) more at different positions"] : [])
      }
    }
  }

  // MARK: Machines that know nothing of stores

  /// A finding for each object that is listed, and one for those that aren't.
  /// - Parameter file: The file that somebody would look at.
  func told(file: String, as names: Both<String>) -> [ToldFinding] {
    let place = FilePlace(file: file)
    let listed = objects.map { object in
      let message =
        switch object.kind {
        case .changed: changes(of: object).joined(separator: "\n")
        case .onlyInA: "only \(names.a) has it"
        case .onlyInB: "only \(names.b) has it"
        }
      var told = ToldFinding(
        .error, rule: object.kind.rawValue, about: object.object, message, place: place)
      told.values = object.values(heads: names)
      return told
    }
    let strangers = StoreSide.allCases.flatMap { side in
      unpairedEntities[side].filter { $0.count > 0 }.map { entity in
        ToldFinding(
          .error, rule: "onlyInModelOf\(side.rawValue)", about: entity.name,
          "only \(names[side]) has the entity: \(entity.count.counted("object"))", place: place)
      }
    }
    let rest =
      entities.reduce(0) { $0 + $1.changed + $1.only.a + $1.only.b } - objects.count
    if rest == 0 { return listed + strangers }
    let text = "\(rest.counted("object")) more; --all lists every one"
    return listed + strangers + [
      ToldFinding(.error, rule: "not-listed", about: "", text, place: place)
    ]
  }

  /// What the page shows beside the objects that differ.
  var sections: [PageSection] { table.map { [.table("Entities", $0)] } ?? [] }

  // MARK: The result

  private func ending(_ style: TextStyle) -> String {
    let time = style.faint(TimeText.text(seconds))
    let count = equalCount
    if isEmpty, comparedNothing { return style.bad("nothing was compared") }
    if isEmpty, lacksValues {
      return style.bad("not compared as a whole, since values are missing or damaged")
        + ": \(count) equal, in \(time)"
    }
    if isEmpty { return "\(style.good("equal")): \(count.counted("object")), in \(time)" }
    let sums = (
      entities.reduce(0) { $0 + $1.changed }, onlyCount(.a), onlyCount(.b)
    )
    return
      "\(style.bad("different")): \(sums.0) changed, \(sums.1) only in A, \(sums.2) only in B; "
      + "\(count) equal, in \(time)"
  }

  func onlyCount(_ side: StoreSide) -> Int {
    entities.reduce(0) { $0 + $1.only[side] } + unpairedEntities[side].reduce(0) { $0 + $1.count }
  }
}

extension ObjectDifference {
  /// What differs, side by side; none where an order does, which takes sentences.
  fileprivate func values(heads: Both<String>) -> [ToldValue] {
    var values = attributes.flatMap(\.parts).map {
      ToldValue(name: $0.name, heads: heads, texts: $0.excerpts)
    }
    for relationship in relationships {
      for change in relationship.changes {
        guard let texts = change.sides else { return [] }
        values.append(ToldValue(name: relationship.name, heads: heads, texts: texts))
      }
    }
    return values
  }
}

extension AttributeDifference {
  /// What is shown of both values: where they differ.
  fileprivate var excerpts: Both<String> { TextExcerpt.of(Both(text(.a), text(.b))) }
}

extension RelationshipDifference {
  fileprivate static func list(_ members: [String], more: Int) -> String {
    members.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}

extension RelationshipDifference.Change {
  /// Nil for an order.
  fileprivate var sides: Both<String>? {
    switch self {
    case .destination(let ends): return ends.map { $0 ?? "nil" }
    case .members(let members, let more):
      func text(_ side: StoreSide) -> String {
        members[side].isEmpty
          ? "no other" : RelationshipDifference.list(members[side], more: more[side])
      }
      return Both(text(.a), text(.b))
    case .order: return nil
    }
  }
}
