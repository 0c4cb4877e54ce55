/// A scenario file taken apart: what may be left out of it, and how the rest is written.
///
/// Parts that stay are written as the file has them, with their comments.
struct ReducibleScenario {
  /// A row of the seed.
  struct Row {
    let entity: String
    let name: String?
    let nameKey: String
    let fields: [Field]
    /// The line of the file that it has for itself.
    let line: String?
    /// Its entity and those above that.
    let lineage: Set<String>
    /// The places of the rows that it can't be without.
    var needed: [Int] = []
  }

  struct Field {
    let key: String
    let value: SourceNode
    /// Names of rows that it leads to; nil for an attribute.
    let links: [String]?
    let isToMany: Bool
  }

  /// What of the parts is left.
  struct Choice: Equatable {
    var rows: [Int]
    /// Fields that are left out: the row's place, and the field's.
    var omitted: Set<Place> = []
    /// Rows without their names.
    var nameless: Set<Int> = []
    var expectations: [Int]
    var hasActions = true
    var steps: Range<Int>
    /// What of the models is left out.
    var omission = ReducibleModels.Omission()

    struct Place: Hashable {
      let row: Int
      let field: Int
    }
  }

  let checked: CheckedScenario
  let start: String
  let rows: [Row]
  /// The models, where they are written in the scenario line by line.
  let models: ReducibleModels?
  /// By the place of an expectation that does nothing but count the seed's rows: their entities, and how many more than
  /// the rows are expected.
  private let rowCounts: [Int: [(entity: String, surplus: Int)]]
  private let sections: [Section]

  private struct Section {
    let key: String
    let value: SourceNode
    /// The place of the first line in the file.
    let begin: Int
    /// The comments before it and the lines of it.
    let comments: [String]
    let lines: [String]
    /// Of a list with an item on a line of its own: the lines of each.
    var items: [[String]]?
    /// The line of the key, with what stands behind it.
    var head: String { lines.first ?? "" }
  }

  /// - Parameters:
  ///   - place: The expectation whose failure is to be kept, by its place in the list, which is the same in the scenario
  ///     with rows as in the one that was written.
  ///   - counts: Of that failure: a count that isn't that of the rows, and should be, stays as wrong as it is.
  /// - Throws: ``Diagnostics`` for a file that can't be read as a scenario.
  init(
    _ checked: CheckedScenario, start: String, failing place: Int? = nil,
    _ counts: Failure.Counts? = nil
  ) throws {
    self.checked = checked
    self.start = start
    let model = try checked.model(start)
    rows = try Self.rows(of: checked, start, model)
    sections = try Self.sections(of: checked.scenario.file)
    let written = sections.first { $0.key == "models" }
    let lines = Self.lines(of: checked.scenario.file)
    models = written.flatMap {
      ReducibleModels(
        $0.value, lines, $0.begin..<$0.begin + $0.lines.count, models: checked.models)
    }
    rowCounts = Self.rowCounts(sections, rows, failing: place, counts)
  }

  private static func lines(of file: SourceFile) -> [String] {
    file.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
  }

  /// Counts are lowered with the rows where they are just the numbers of these.
  private static func rowCounts(
    _ sections: [Section], _ rows: [Row], failing: Int?, _ counts: Failure.Counts?
  ) -> [Int: [(entity: String, surplus: Int)]] {
    guard let items = sections.first(where: { $0.key == "expect" })?.value.list else { return [:] }
    var found: [Int: [(entity: String, surplus: Int)]] = [:]
    for (place, item) in items.enumerated() {
      guard let entry = item.map?.first, item.map?.count == 1, entry.key.value == "count",
        let counted = entry.value.map, !counted.isEmpty
      else { continue }
      let numbers = counted.map { each in rows.count { $0.lineage.contains(each.key.value) } }
      let surplus = zip(counted, numbers).compactMap { each, number in
        each.value.text.flatMap(Int.init).map { $0 - number }
      }
      // All rows are there, and another number is expected.
      let isWrong =
        place == failing && counted.count == 1 && counts?.found == numbers.first
        && surplus.first == counts.map { -$0.difference }
      guard surplus.count == counted.count, isWrong || surplus.allSatisfy({ $0 == 0 }),
        numbers.contains(where: { $0 > 0 })
      else { continue }
      found[place] = zip(counted, surplus).map { ($0.key.value, $1) }
    }
    return found
  }

  /// Whether an expectation expects as many as the seed has rows.
  func expectsAllRows(_ expectation: Int) -> Bool {
    countsRows(expectation) && rowCounts[expectation]?.allSatisfy { $0.surplus == 0 } == true
  }

  /// Whether an expectation does nothing but count the seed's rows.
  func countsRows(_ expectation: Int) -> Bool {
    hasExpectationItems && rowCounts[expectation] != nil
  }

  var everything: Choice {
    Choice(
      rows: Array(rows.indices), expectations: Array(checked.scenario.expectations.indices),
      steps: checked.scenario.chain.indices)
  }

  /// Whether expectations, and steps, can be left out one by one.
  var hasExpectationItems: Bool {
    section("expect")?.items?.count == checked.scenario.expectations.count
  }
  var hasStepItems: Bool { section("chain")?.items?.count == checked.scenario.chain.count }

  private func section(_ key: String) -> Section? { sections.first { $0.key == key } }

  // MARK: Rows

  private static func rows(
    of checked: CheckedScenario, _ start: String, _ model: ManagedObjectModel
  ) throws -> [Row] {
    guard case .rows(let seeded) = checked.scenario.seed(for: start)?.content else { return [] }
    let file = checked.scenario.file
    let counts = Dictionary(grouping: seeded, by: \.place.line).mapValues(\.count)
    var rows: [Row] = []
    for row in seeded {
      guard let entity = model.entity(named: row.entity.value) else { continue }
      let fields = try SeedFields(row, of: entity)
      let isOwn = row.place.file === file && counts[row.place.line] == 1
      rows.append(
        Row(
          entity: entity.name, name: fields.name?.value,
          nameKey: entity.property(named: "id") == nil ? "id" : ".id",
          fields: fields.properties.map { Self.field($0, entity) },
          line: isOwn ? file.line(row.place.line).flatMap(Self.wholeItem) : nil,
          lineage: Self.lineage(of: entity)))
    }
    return Self.withNeeds(rows, model)
  }

  private static func lineage(of entity: EntityDescription) -> Set<String> {
    Set(sequence(first: entity, next: \.superentity).map(\.name))
  }

  /// A line that is an item in braces and nothing else but a comment.
  private static func wholeItem(_ line: Substring) -> String? {
    let text = line.trimmingCharacters(in: .whitespaces)
    guard text.hasPrefix("- {"), text.contains("}"),
      let root = try? SourceNode.yaml(SourceFile(path: "", text: text)), let items = root.list,
      items.count == 1, items[0].map != nil
    else { return nil }
    return text
  }

  private static func field(_ value: PropertyValue, _ entity: EntityDescription) -> Field {
    let relationship = entity.relationship(named: value.key.value)
    let links = relationship.map { _ in
      value.value.list?.compactMap(\.text) ?? [value.value.text].compactMap(\.self)
    }
    return Field(
      key: value.key.value, value: value.value, links: links,
      isToMany: relationship?.isToMany ?? false)
  }

  /// Rows with required relationships need those at their other ends, whichever side it is written on.
  private static func withNeeds(_ rows: [Row], _ model: ManagedObjectModel) -> [Row] {
    let places = Dictionary(
      rows.indices.compactMap { place in rows[place].name.map { ($0, place) } },
      uniquingKeysWith: { first, _ in first })
    var rows = rows
    for place in rows.indices {
      guard let entity = model.entity(named: rows[place].entity) else { continue }
      for field in rows[place].fields {
        guard let relationship = entity.relationship(named: field.key) else { continue }
        let others = (field.links ?? []).compactMap { places[$0] }
        if !relationship.isOptional { rows[place].needed += others }
        if relationship.inverseRelationship?.isOptional == false {
          for other in others { rows[other].needed.append(place) }
        }
      }
    }
    return rows
  }

  /// The places of the rows that objects of an entity come of; all where that can't be told.
  func rows(becoming entity: String?) -> Set<Int> {
    let origins = entity.map { EntityOrigins(of: $0, in: checked, from: start).names } ?? []
    let found = rows.indices.filter { !rows[$0].lineage.isDisjoint(with: origins) }
    return Set(found.isEmpty ? Array(rows.indices) : found)
  }

  /// Some rows, with all that they can't be without.
  func closed(_ chosen: [Int]) -> [Int] {
    var all = Set(chosen)
    var open = chosen
    while let place = open.popLast() {
      for other in rows[place].needed where all.insert(other).inserted { open.append(other) }
    }
    return all.sorted()
  }

  // MARK: Sections

  private static func sections(of file: SourceFile) throws -> [Section] {
    let lines = lines(of: file)
    let root = try SourceNode.yaml(file)
    let entries = (root.map ?? []).sorted { $0.key.place.line < $1.key.place.line }
    var result: [Section] = []
    var begin = 0
    for (number, entry) in entries.enumerated() {
      let first = entry.key.place.line - 1
      var end = number + 1 < entries.count ? entries[number + 1].key.place.line - 1 : lines.count
      // Comments above a key, and empty lines, are the key's.
      while end > first + 1, number + 1 < entries.count, isRemark(lines[end - 1]) { end -= 1 }
      while end > first + 1, lines[end - 1].allSatisfy(\.isWhitespace) { end -= 1 }
      guard first >= begin, end > first else { continue }
      var section = Section(
        key: entry.key.value, value: entry.value, begin: first,
        comments: Array(lines[begin..<first]),
        lines: Array(lines[first..<end]))
      section.items = items(of: entry.value, lines, first + 1..<end)
      result.append(section)
      begin = end
    }
    return result
  }

  private static func isRemark(_ line: String) -> Bool {
    let text = line.trimmingCharacters(in: .whitespaces)
    return text.isEmpty || text.hasPrefix("#")
  }

  /// The lines of each item of a list that has a line for each at least, comments above it included.
  private static func items(
    of node: SourceNode, _ lines: [String], _ range: Range<Int>
  ) -> [[String]]? {
    guard let items = node.list, !items.isEmpty else { return nil }
    let starts = items.map { $0.place.line - 1 }
    guard Set(starts).count == starts.count, starts.allSatisfy(range.contains),
      starts.allSatisfy({ lines[$0].trimmingCharacters(in: .whitespaces).hasPrefix("-") })
    else { return nil }
    var result: [[String]] = []
    var begin = range.lowerBound
    for (number, _) in starts.enumerated() {
      var end = number + 1 < starts.count ? starts[number + 1] : range.upperBound
      while number + 1 < starts.count, end > starts[number] + 1, isRemark(lines[end - 1]) {
        end -= 1
      }
      result.append(Array(lines[begin..<end]))
      begin = end
    }
    return result
  }

  // MARK: Writing

  /// The file's text with what a choice leaves.
  /// - Parameters:
  ///   - heading: Comments for the first lines.
  ///   - rows: Lines that stand for all rows.
  ///   - validates: Whether these are saved as an app saves them.
  func text(
    _ choice: Choice, heading: [String] = [], rows: [String]? = nil, validates: Bool = true
  ) -> String {
    var lines: [String] = []
    var hasSeed = false
    for section in sections {
      var own = self.lines(section, choice)
      if section.key == "seed" || section.key == "store" {
        own = hasSeed ? [] : seedLines(choice, rows, validates)
        hasSeed = true
      }
      if own.isEmpty { continue }
      lines += section.comments + own
    }
    if !hasSeed { lines += seedLines(choice, rows, validates) }
    return (heading + lines).map { $0 + "\n" }.joined()
  }

  private func lines(_ section: Section, _ choice: Choice) -> [String] {
    switch section.key {
    case "start": return ["start: " + Notation.text(start).yaml(inFlow: false)]
    case "expect":
      guard let items = section.items, hasExpectationItems else { return section.lines }
      // A scenario that expects nothing wouldn't pass once the fault is mended.
      return [section.head]
        + (choice.expectations.isEmpty
          ? ["  - source: untouched"]
          : choice.expectations.flatMap { expectationLines($0, items[$0], choice) })
    case "models":
      return models?.lines(without: choice.omission) ?? section.lines
    case "chain":
      guard let items = section.items, hasStepItems else { return section.lines }
      return choice.steps.isEmpty ? [] : [section.head] + choice.steps.flatMap { items[$0] }
    case "then": return choice.hasActions ? section.lines : []
    default: return section.lines
    }
  }

  /// An expectation, with the numbers of the rows that are left where it counts just these.
  private func expectationLines(_ place: Int, _ lines: [String], _ choice: Choice) -> [String] {
    guard let entities = rowCounts[place], choice.rows.count < rows.count else { return lines }
    let counts = entities.map { entity, surplus in
      (entity, max(0, choice.rows.count { rows[$0].lineage.contains(entity) } + surplus))
    }
    let some = counts.filter { $0.1 > 0 }
    let fields = (some.isEmpty ? counts.filter { !choice.omission.entities.contains($0.0) } : some)
      .map { Notation.Field(key: $0.0, value: .text("\($0.1)")) }
    let indent = (lines.first { $0.contains("-") } ?? "").prefix { $0 == " " }
    return fields.isEmpty ? [] : ["\(indent)- count: \(Notation.map(fields).yaml(inFlow: false))"]
  }

  private func seedLines(
    _ choice: Choice, _ given: [String]?, _ validates: Bool
  ) -> [String] {
    let options = seedOptions(validates)
    if let given { return ["seed:"] + options + given.map { "  " + $0 } }
    if choice.rows.isEmpty, options.isEmpty { return ["seed: {}"] }
    var lines = ["seed:"] + options
    let left = Set(choice.rows.compactMap { rows[$0].name })
    var entities: [String] = []
    var byEntity: [String: [Int]] = [:]
    for place in choice.rows {
      let entity = rows[place].entity
      if byEntity[entity] == nil { entities.append(entity) }
      byEntity[entity, default: []].append(place)
    }
    for entity in entities {
      lines.append("  " + Notation.text(entity).yaml(inFlow: false) + ":")
      for place in byEntity[entity] ?? [] { lines.append("    " + line(place, choice, left)) }
    }
    return lines
  }

  /// The time and the chance that the seed fixes, and whether its rows go past validation.
  private func seedOptions(_ validates: Bool) -> [String] {
    let scenario = checked.scenario
    let isValidated = scenario.seed(for: start)?.isValidated ?? true
    return [
      scenario.now.map { "  .now: " + $0.notation },
      scenario.chance.map { "  .random: \($0)" },
      validates && isValidated ? nil : "  .validation: false",
    ].compactMap(\.self)
  }

  private func line(_ place: Int, _ choice: Choice, _ left: Set<String>) -> String {
    let row = rows[place]
    let isNameless = row.name != nil && choice.nameless.contains(place)
    let fields = row.fields.indices.filter {
      !choice.omitted.contains(.init(row: place, field: $0))
        && !isGone(row.fields[$0].key, of: row, choice.omission)
    }
    let isWhole =
      !isNameless && fields.count == row.fields.count
      && row.fields.allSatisfy { ($0.links ?? []).allSatisfy(left.contains) }
    if isWhole, let line = row.line { return line }
    var notation = fields.compactMap { field in
      Self.notation(row.fields[field], left).map {
        Notation.Field(key: row.fields[field].key, value: $0)
      }
    }
    if let name = row.name, !isNameless {
      notation.insert(.init(key: row.nameKey, value: .text(name)), at: 0)
    }
    return notation.isEmpty ? "- ~" : "- " + Notation.map(notation).yaml(inFlow: true)
  }

  private func isGone(
    _ key: String, of row: Row, _ omission: ReducibleModels.Omission
  ) -> Bool {
    !omission.properties.isEmpty
      && row.lineage.contains { omission.properties.contains(.init(entity: $0, name: key)) }
  }

  /// A field without what leads to rows that are left out; nil where nothing of it is left.
  private static func notation(_ field: Field, _ left: Set<String>) -> Notation? {
    guard let links = field.links else { return Notation(field.value) }
    let kept = links.filter(left.contains)
    if kept.isEmpty { return nil }
    return field.isToMany ? .list(kept.map(Notation.text)) : .text(kept[0])
  }
}
