/// A scenario file taken apart: what may be left out of it, and how the rest is written.
///
/// Parts that stay are written as the file has them, with their comments.
struct ReducibleScenario {
  /// A row of the seed.
  struct Row {
    let written: WrittenRow
    let name: String?
    /// The line of the file that it has for itself.
    let line: String?
    /// Its entity and those above that.
    let lineage: Set<String>
    /// The places of the rows that it can't be without.
    var needed: [Int] = []

    var entity: String { written.entity }
    var fields: [WrittenRow.Field] { written.fields }
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
  private let lines: FileLines
  private let sections: [Section]

  private struct Section {
    let entry: SourceNode.Entry
    let part: FileLines.Part
    /// Of a list with an item on a line of its own: each of them.
    var items: [FileLines.Part]?
    var key: String { entry.key.value }
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
    lines = FileLines(checked.scenario.file)
    sections = Self.sections(of: try SourceNode.yaml(checked.scenario.file), lines)
    if sections.isEmpty {
      throw Diagnostics(
        file: checked.scenario.file.path,
        "its keys share a line: write each in a line of its own, so that parts can be left out")
    }
    let written = sections.first { $0.key == "models" }
    models = written.flatMap { [lines] in
      ReducibleModels(of: $0.entry.value, in: lines, section: $0.part, models: checked.models)
    }
    rowCounts = Self.rowCounts(of: sections, with: rows, failing: place, counts: counts)
  }

  /// Counts are lowered with the rows where they are just the numbers of these.
  private static func rowCounts(
    of sections: [Section], with rows: [Row], failing: Int?, counts: Failure.Counts?
  ) -> [Int: [(entity: String, surplus: Int)]] {
    guard let items = sections.first(where: { $0.key == "expect" })?.entry.value.list else {
      return [:]
    }
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

  /// Steps before the start are none of the failing run's.
  var everything: Choice {
    let chain = checked.scenario.chain
    let first = chain.firstIndex { $0.ends.value.source == start } ?? 0
    return Choice(
      rows: Array(rows.indices), expectations: Array(checked.scenario.expectations.indices),
      steps: first..<chain.count)
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
      let written = WrittenRow(
        of: entity, name: fields.name?.value ?? "",
        fields: fields.properties.map { Self.field($0, entity) })
      rows.append(
        Row(
          written: written, name: fields.name?.value,
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

  private static func field(
    _ value: PropertyValue, _ entity: EntityDescription
  ) -> WrittenRow.Field {
    let key = value.key.value
    guard let relationship = entity.relationship(named: key) else {
      return .init(key: key, content: .value(Notation(value.value)))
    }
    let names = value.value.list?.compactMap(\.text) ?? [value.value.text].compactMap(\.self)
    return .init(key: key, content: .link(names, isToMany: relationship.isToMany))
  }

  /// Rows with required relationships need those at their other ends, whichever side it is written on.
  private static func withNeeds(_ rows: [Row], _ model: ManagedObjectModel) -> [Row] {
    let places = Dictionary(
      firstOf: rows.indices.compactMap { place in rows[place].name.map { ($0, place) } })
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

  private static func sections(of root: SourceNode, _ lines: FileLines) -> [Section] {
    let entries = (root.map ?? []).sorted { $0.key.place.line < $1.key.place.line }
    let end = lines.all.lastIndex { !$0.allSatisfy(\.isWhitespace) }.map { $0 + 1 } ?? 0
    let parts = lines.parts(at: entries.map(\.key.place), in: 0..<end) ?? []
    return zip(entries, parts).map { entry, part in
      let items = entry.value.list.flatMap { items in
        lines.parts(at: items.map(\.place), in: part.first + 1..<part.range.upperBound)
      }
      let haveDashes = items?.allSatisfy { item in
        lines.all[item.first].trimmingCharacters(in: .whitespaces).hasPrefix("-")
      }
      return Section(entry: entry, part: part, items: haveDashes == true ? items : nil)
    }
  }

  // MARK: Writing

  /// The file's text with what a choice leaves.
  /// - Parameters:
  ///   - heading: Comments for the first lines.
  ///   - rows: Those that stand for all rows.
  ///   - validates: Whether these are saved as an app saves them.
  func text(
    _ choice: Choice, heading: [String] = [], rows: [WrittenRow]? = nil, validates: Bool = true
  ) -> String {
    var text = heading
    var hasSeed = false
    for section in sections {
      var own = lines(section, choice)
      if section.key == "seed" || section.key == "store" {
        own = hasSeed ? [] : startLines + seedLines(for: choice, rows: rows, validates: validates)
        hasSeed = true
      }
      if own.isEmpty { continue }
      text += lines[section.part.range.lowerBound..<section.part.first] + own
    }
    if !hasSeed { text += startLines + seedLines(for: choice, rows: rows, validates: validates) }
    return ScenarioParts.text(text)
  }

  /// Rows, unlike a store, don't say by themselves that they are of a version in the middle of the chain.
  private var startLines: [String] {
    let first = checked.scenario.chain.first?.ends.value.source
    return section("start") != nil || first == nil || first == start
      ? [] : ["start: " + ScenarioParts.scalar(start)]
  }

  private func lines(_ section: Section, _ choice: Choice) -> [String] {
    let whole = lines[section.part.first..<section.part.range.upperBound]
    switch section.key {
    case "start": return ["start: " + ScenarioParts.scalar(start)]
    case "expect":
      guard let items = section.items, hasExpectationItems else { return whole }
      return [whole[0]]
        + (choice.expectations.isEmpty
          ? [least(for: choice)]
          : choice.expectations.flatMap {
            expectationLines(at: $0, as: lines[items[$0].range], for: choice)
          })
    case "models":
      return models?.lines(without: choice.omission) ?? whole
    case "chain":
      guard let items = section.items, hasStepItems else {
        guard choice.steps.lowerBound > 0, let steps = section.entry.value.list,
          steps.count == checked.scenario.chain.count
        else { return whole }
        return ["chain:"]
          + steps[choice.steps].map { "  - \(Notation($0).yaml(inFlow: false))" }
      }
      return choice.steps.isEmpty
        ? [] : [whole[0]] + choice.steps.flatMap { lines[items[$0].range] }
    case "then": return choice.hasActions ? whole : []
    default: return whole
    }
  }

  /// A scenario that expects nothing wouldn't pass once the fault is mended; this holds then, whatever is migrated.
  private func least(for choice: Choice) -> String {
    let last =
      section("chain")?.items == nil
      ? checked.steps(from: start).last?.ends.value.destination
      : choice.steps.last.map { checked.scenario.chain[$0].ends.value.destination }
    let entity = checked.models[last ?? start]?.entities.first {
      !choice.omission.entities.contains($0.name)
    }
    return entity.map { "  - model: { \(ScenarioParts.scalar($0.name)): exists }" }
      ?? "  - source: untouched"
  }

  /// An expectation, with the numbers of the rows that are left where it counts just these.
  private func expectationLines(at place: Int, as lines: [String], for choice: Choice) -> [String] {
    guard let entities = rowCounts[place], choice.rows.count < rows.count else { return lines }
    let counts = entities.map { entity, surplus in
      (
        entity: entity,
        count: max(0, choice.rows.count { rows[$0].lineage.contains(entity) } + surplus)
      )
    }
    let some = counts.filter { $0.count > 0 }
    let told =
      some.isEmpty ? counts.filter { !choice.omission.entities.contains($0.entity) } : some
    let indent = (lines.first { $0.contains("-") } ?? "").prefix { $0 == " " }
    return told.isEmpty ? [] : ["\(indent)- \(Notation.count(told).yaml(inFlow: false))"]
  }

  private func seedLines(for choice: Choice, rows given: [WrittenRow]?, validates: Bool) -> [String]
  {
    let left = Set(choice.rows.compactMap { rows[$0].name })
    let lines =
      given.map { $0.map { ($0.entity, $0.line()) } }
      ?? choice.rows.map { (rows[$0].entity, line(at: $0, for: choice, without: left)) }
    return ScenarioParts.seed(lines, options: seedOptions(validates))
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

  private func line(at place: Int, for choice: Choice, without left: Set<String>) -> String {
    let row = rows[place]
    let isNameless = row.name != nil && choice.nameless.contains(place)
    var written = row.written
    written.fields = row.fields.indices.filter {
      !choice.omitted.contains(.init(row: place, field: $0))
        && !isGone(row.fields[$0].key, of: row, choice.omission)
    }.map { row.fields[$0] }
    let isWhole =
      !isNameless && written.fields.count == row.fields.count
      && row.fields.allSatisfy { ($0.links ?? []).allSatisfy(left.contains) }
    if isWhole, let line = row.line { return line }
    return written.linked(only: left).line(isNamed: row.name != nil && !isNameless)
  }

  private func isGone(
    _ key: String, of row: Row, _ omission: ReducibleModels.Omission
  ) -> Bool {
    !omission.properties.isEmpty
      && row.lineage.contains { omission.properties.contains(.init(entity: $0, name: key)) }
  }
}
