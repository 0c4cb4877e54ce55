import Persistence
import TestSupport

/// Random objects of a small model, as rows that can be put into any store.
struct RandomRows {
  /// One object; links are places in the list.
  struct Row {
    let entity: String
    var values: [String: Value] = [:]
    var toOne: [String: Int] = [:]
    var toMany: [String: [Int]] = [:]
  }
  private(set) var rows: [Row] = []

  static let texts = ["", "a", "A", "ä", "Anna", "anna", "nn", "a*c", "é", "e\u{301}", "10", "9"]

  init(seed: UInt64) {
    var random = RandomSource(seed: seed)
    for _ in 0..<3 { rows.append(Self.city(&random)) }
    for _ in 0..<3 { rows.append(Row(entity: "Tag", values: ["name": Self.text(&random)])) }
    for _ in 0..<8 { rows.append(person(&random)) }
    for _ in 0..<8 { rows.append(pet(&random)) }
  }

  /// The rows without one of them, and without the links to it.
  func without(_ removed: Int) -> RandomRows {
    var result = self
    result.rows.remove(at: removed)
    func moved(_ place: Int) -> Int? {
      place == removed ? nil : place > removed ? place - 1 : place
    }
    for index in result.rows.indices {
      result.rows[index].toOne = result.rows[index].toOne.compactMapValues(moved)
      result.rows[index].toMany = result.rows[index].toMany.mapValues { $0.compactMap(moved) }
    }
    return result
  }

  /// Puts the rows into a store, and gives their objects in a fresh context, which reads the store.
  func objects(in stack: Stack) throws -> (context: ManagedObjectContext, objects: [ManagedObject])
  {
    let made = rows.map { stack.insert($0.entity) }
    for (index, row) in rows.enumerated() {
      for (key, value) in row.values { try made[index].setTypedValue(value, forKey: key) }
      try made[index].setTypedValue(.integer(Int64(index)), forKey: "number")
      for (key, place) in row.toOne { made[index].setValue(made[place], forKey: key) }
      for (key, places) in row.toMany {
        made[index].setValue(NSSet(array: places.map { made[$0] }), forKey: key)
      }
    }
    try stack.context.save()
    let context = stack.freshContext()
    return (context, made.map { context.object(with: $0.objectID) })
  }

  /// Changes some persons, deletes one and adds one, all unsaved, the same in every context.
  static func edit(_ objects: [ManagedObject], in context: ManagedObjectContext, seed: UInt64)
    throws
  {
    var random = RandomSource(seed: seed)
    let persons = objects.filter { $0.entity.attribute(named: "nick") != nil }
    for (index, person) in persons.enumerated() where index % 2 == 0 {
      try person.setTypedValue(text(&random), forKey: "name")
      try person.setTypedValue(number(&random, in: -1...3), forKey: "age")
      try person.setTypedValue(limit(&random), forKey: "limit")
    }
    if let last = persons.last { context.delete(last) }
    let new = EntityDescription.insertNewObject(forEntityName: "Employee", into: context)
    try new.setTypedValue(.integer(100), forKey: "number")
    try new.setTypedValue(text(&random), forKey: "nick")
    try new.setTypedValue(double(&random), forKey: "height")
  }

  // MARK: Rows

  private static func city(_ random: inout RandomSource) -> Row {
    Row(
      entity: "City",
      values: ["name": text(&random), "people": number(&random, in: -2...3)])
  }

  private func person(_ random: inout RandomSource) -> Row {
    let isEmployee = Int.random(in: 0..<3, using: &random) == 0
    var row = Row(entity: isEmployee ? "Employee" : "Person")
    row.values = [
      "name": Self.text(&random), "nick": Self.text(&random),
      "age": Self.number(&random, in: -1...3), "limit": Self.limit(&random),
      "height": Self.double(&random), "fee": Self.decimal(&random),
      "vip": Self.number(&random, in: 0...1),
      "born": Self.number(&random, in: 0...3).doubleValue.map {
        .date(Date(timeIntervalSinceReferenceDate: $0 / 2))
      } ?? .null,
    ]
    if isEmployee { row.values["salary"] = Self.number(&random, in: 0...3) }
    row.toOne["city"] = Self.place(&random, in: 0..<3)
    row.toOne["boss"] = rows.count > 6 ? Self.place(&random, in: 6..<rows.count) : nil
    row.toMany["tags"] = (3..<6).filter { _ in Bool.random(using: &random) }
    if rows.count > 6 {
      row.toMany["friends"] = (6..<rows.count).filter { _ in
        Int.random(in: 0..<4, using: &random) == 0
      }
    }
    return row
  }

  private func pet(_ random: inout RandomSource) -> Row {
    Row(
      entity: "Pet",
      values: [
        "name": Self.text(&random), "age": Self.number(&random, in: 0...3),
        "weight": Self.double(&random),
      ], toOne: Self.place(&random, in: 6..<14).map { ["owner": $0] } ?? [:])
  }

  // MARK: Values

  private static func isNil(_ random: inout RandomSource) -> Bool {
    Int.random(in: 0..<5, using: &random) == 0
  }

  private static func place(_ random: inout RandomSource, in range: Range<Int>) -> Int? {
    isNil(&random) ? nil : Int.random(in: range, using: &random)
  }

  private static func text(_ random: inout RandomSource) -> Value {
    isNil(&random) ? .null : .string(texts.randomElement(using: &random) ?? "")
  }

  private static func number(_ random: inout RandomSource, in range: ClosedRange<Int64>) -> Value {
    isNil(&random) ? .null : .integer(Int64.random(in: range, using: &random))
  }

  private static func limit(_ random: inout RandomSource) -> Value {
    let extremes: [Int64] = [.max, .min, 1 << 53, (1 << 53) + 1, 0, 2]
    return isNil(&random) ? .null : .integer(extremes.randomElement(using: &random) ?? 0)
  }

  private static func double(_ random: inout RandomSource) -> Value {
    let choices: [Double] = [0, -0.0, 0.5, 2, 1e300, .infinity, -.infinity, .nan]
    return isNil(&random) ? .null : .double(choices.randomElement(using: &random) ?? 0)
  }

  private static func decimal(_ random: inout RandomSource) -> Value {
    // "Not a number" is a text in SQL, which is more than any number: `NotANumberTests` have it.
    let choices = [Decimal(0), Decimal(2), Decimal(5) / 10]
    return isNil(&random) ? .null : .decimal(choices.randomElement(using: &random) ?? 0)
  }
}

// MARK: - The model

extension RandomRows {
  static func model() throws -> ManagedObjectModel {
    let person = entity(
      "Person",
      [
        ("name", .string), ("nick", .string), ("age", .integer16), ("limit", .integer64),
        ("height", .double), ("fee", .decimal), ("vip", .boolean), ("born", .date),
      ],
      [
        ("city", "City", false, "owners"), ("pets", "Pet", true, "owner"),
        ("tags", "Tag", true, "owners"), ("friends", "Person", true, "friends"),
        ("boss", "Person", false, "reports"), ("reports", "Person", true, "boss"),
      ])
    let employee = entity("Employee", [("salary", .integer32)], [], isNumbered: false)
    employee.superentityName = "Person"
    let city = entity(
      "City", [("name", .string), ("people", .integer32)], [("owners", "Person", true, "city")])
    let pet = entity(
      "Pet", [("name", .string), ("age", .integer16), ("weight", .double)],
      [("owner", "Person", false, "pets")])
    let tag = entity("Tag", [("name", .string)], [("owners", "Person", true, "tags")])
    return try ManagedObjectModel(entities: [person, employee, city, pet, tag])
  }

  private static func entity(
    _ name: String, _ attributes: [(String, AttributeType)],
    _ relationships: [(name: String, destination: String, toMany: Bool, inverse: String)],
    isNumbered: Bool = true
  ) -> EntityDescription {
    let entity = EntityDescription(name: name)
    entity.ownProperties = attributes.map { AttributeDescription(name: $0.0, type: $0.1) }
    if isNumbered {
      entity.ownProperties.append(AttributeDescription(name: "number", type: .integer32))
    }
    for (name, destination, toMany, inverse) in relationships {
      let relationship = RelationshipDescription(
        name: name, destinationEntityName: destination, toMany: toMany)
      relationship.inverseName = inverse
      entity.ownProperties.append(relationship)
    }
    return entity
  }
}
