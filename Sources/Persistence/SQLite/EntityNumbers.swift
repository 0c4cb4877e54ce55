/// The numbers a store knows its entities by (`Z_ENT`).
///
/// They are the store's own: another version of the model, or a store that was migrated in place,
/// numbers the same entities differently.
struct EntityNumbers {
  /// By ``EntityDescription/storeIndex``; 0 for an entity that the store doesn't hold.
  private let numbers: [Int64]
  /// By number, counted from ``lowest``.
  private let entities: [EntityDescription?]
  private let lowest: Int64

  /// The numbers of a fresh store: 1, 2, 3 … in store order.
  init(freshFor configuration: StoreConfiguration) {
    var numbers = [Int64](repeating: 0, count: configuration.model.entities.count)
    for (index, entity) in configuration.tableEntities.enumerated() {
      numbers[entity.storeIndex] = Int64(index + 1)
    }
    self.init(model: configuration.model, numbers: numbers)
  }

  private init(model: ManagedObjectModel, numbers: [Int64]) {
    self.numbers = numbers
    let lowest = numbers.filter { $0 > 0 }.min() ?? 0
    let count = numbers.max().map { Int($0 - lowest) + 1 } ?? 0
    var entities = [EntityDescription?](repeating: nil, count: count)
    for (number, entity) in zip(numbers, model.entities) where number > 0 {
      entities[Int(number - lowest)] = entity
    }
    self.entities = entities
    self.lowest = lowest
  }

  subscript(entity: EntityDescription) -> Int64 { numbers[entity.storeIndex] }

  func entity(numbered number: Int64) -> EntityDescription? {
    let index = number &- lowest
    return index >= 0 && index < entities.count ? entities[Int(index)] : nil
  }

  /// The numbers of an entity and all its subentities, as far as the store holds them.
  func hierarchy(of entity: EntityDescription) -> [Int64] {
    entity.selfAndDescendants.map { self[$0] }.filter { $0 > 0 }
  }

  /// The SQL by which rows of a hierarchy's table are those of no entity that has objects.
  func conditionOfStrangeRows(under root: EntityDescription) -> String {
    let numbers = root.selfAndDescendants.filter { !$0.isAbstract }.map { self[$0] }
      .filter { $0 > 0 }.map(String.init).joined(separator: ", ")
    return "Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers))"
  }
}

extension EntityDescription {
  /// Whether its table holds no other entity's rows.
  var isAloneInItsTable: Bool { superentity == nil && subentities.isEmpty }
}

extension EntityNumbers {
  /// The entity of a row in the table of `member`: its number's, unless the table holds one entity only.
  func entity(numbered number: Int64, beside member: EntityDescription) -> EntityDescription? {
    member.isAloneInItsTable ? member : entity(numbered: number)
  }
}

// MARK: - Reading Z_PRIMARYKEY

extension EntityNumbers {
  /// A row of `Z_PRIMARYKEY`.
  struct Row: Hashable {
    var number: Int64
    var name: String
    var parent: Int64
    /// The highest primary key given out in the hierarchy; 0 for a subentity.
    var maximum: Int64 = 0
  }

  /// From this number on, entities belong to Core Data's own history tables.
  static let firstOfHistory: Int64 = 16000

  /// The numbers in an existing store, of which these are the rows.
  /// - Throws: `CoreDataError` when an entity of the model has none.
  init(of configuration: StoreConfiguration, in rows: [Row], storeAt url: URL) throws {
    let gaps = SchemaGaps()
    self.init(of: configuration, in: rows, gaps: gaps)
    guard let entity = gaps.entities.first else { return }
    throw CoreDataError.incompatibleSchema(url, "Z_PRIMARYKEY has no entity '\(entity.name)'")
  }

  /// The numbers that `rows` give; entities without one are gathered in `gaps`, and get a number
  /// that no row has.
  init(of configuration: StoreConfiguration, in rows: [Row], gaps: SchemaGaps) {
    let model = configuration.model
    let byName = Dictionary(rows.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var numbers = [Int64](repeating: 0, count: model.entities.count)
    var (taken, unused) = (Set<Int64>(), rows.map(\.number).max() ?? 0)
    for entity in configuration.tableEntities {
      // Superentities come before their subentities, so a parent's number is known here.
      let parent = entity.superentity.map { numbers[$0.storeIndex] } ?? 0
      let row =
        byName[entity.name] ?? Self.renamedRow(for: entity, parent: parent, in: rows, model: model)
      if let row, taken.insert(row.number).inserted {
        numbers[entity.storeIndex] = row.number
      } else {
        gaps.entities.append(entity)
        unused += 1
        numbers[entity.storeIndex] = unused
      }
    }
    self.init(model: model, numbers: numbers)
  }

  static func rows(in database: Database) throws -> [Row] {
    try database.rows(
      "SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY "
        + "WHERE Z_ENT > 0 AND Z_ENT < \(firstOfHistory)"
    ) { row in
      Row(
        number: row.integer(0), name: row.text(1), parent: row.integer(2), maximum: row.integer(3))
    }
  }

  /// The rows of a fresh store.
  static func freshRows(for configuration: StoreConfiguration) -> [Row] {
    let numbers = EntityNumbers(freshFor: configuration)
    return configuration.tableEntities.map { entity in
      Row(
        number: numbers[entity], name: entity.name,
        parent: entity.superentity.map { numbers[$0] } ?? 0, maximum: 0)
    }
  }

  /// A subentity that was renamed in place keeps its old name here; it is recognized by number and
  /// parent.
  /// Core Data: observed in stores of three frameworks.
  private static func renamedRow(
    for entity: EntityDescription, parent: Int64, in rows: [Row], model: ManagedObjectModel
  ) -> Row? {
    guard entity.superentity != nil else { return nil }
    let strangers = rows.filter { model.entity(named: $0.name) == nil && $0.parent == parent }
    return strangers.first { $0.number == Int64(entity.storeIndex + 1) }
      ?? (strangers.count == 1 ? strangers[0] : nil)
  }
}
