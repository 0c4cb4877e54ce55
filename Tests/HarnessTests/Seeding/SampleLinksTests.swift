import Testing

@testable import Commands
@testable import Scenarios

/// What rows that are made for a model are linked with, and what makes them differ.
@Suite struct SampleLinksTests {
  private func model(_ entities: String) throws -> ManagedObjectModel {
    try checked("scenario: s\nmodels: { v1: \(entities) }\nexpect: [{ source: untouched }]\n")
      .model("v1")
  }

  /// A mapping that exchanges the two would pass if both led to one person.
  @Test func severalRelationshipsBetweenTwoEntitiesLeadToDifferentObjects() throws {
    let model = try model(
      """
      {
        Mail: { s: string?, sender: Person? <-> sent, recipient: Person? <-> received },
        Person: { n: string?, sent: "[Mail] <-> sender", received: "[Mail] <-> recipient" } }
      """)
    let rows = SmokeRows(of: model, without: [], SmokeOptions()).rows
    var ends: [String: [String: String]] = [:]
    for row in rows {
      for field in row.fields {
        guard case .link(let names, _) = field.content else { continue }
        for name in names { ends[name, default: [:]][field.key] = row.name }
      }
    }
    let both = ends.values.filter { $0.count == 2 }
    #expect(both.contains { $0["sent"] != $0["received"] }, "\(ends)")
  }

  /// Entities of one hierarchy share its constraints, and a row that leaves open what it can has defaults.
  @Test func rowsDifferInWhatAConstraintForbidsToBeTheSame() throws {
    let model = try model(
      """
      {
        Region: { .abstract: true, .unique: [[code, number]], code: int16 = 0, number: int16 = 0 },
        Country: { .parent: Region }, Continent: { .parent: Region } }
      """)
    let rows = SampleRows(of: ["Country", "Continent"], in: model, copies: 3).rows
    let codes = rows.map { row in row.fields.first { $0.key == "code" }.map { "\($0.value)" } ?? "0"
    }
    #expect(codes.count == 6)
    #expect(Set(codes).count == 6, "\(codes)")
  }

  @Test func eachRowGetsThePartnerThatItNeeds() throws {
    let model = try model(
      """
      {
        Hash: { h: string?, tx: Tx? <-> digest },
        Tx: { digest: Hash <-> tx }, SubA: { .parent: Tx }, SubB: { .parent: Tx } }
      """)
    let rows = SampleRows.every(in: model).rows
    #expect(rows.map(\.name).sorted() == ["hash1", "hash2", "hash3", "subA1", "subB1", "tx1"])
    let partners = rows.flatMap { row in
      row.fields.compactMap { field in
        field.key == "tx" ? row.name : field.key == "digest" ? "\(field.value)" : nil
      }
    }
    #expect(Set(partners).count == 3, "\(partners)")
  }

  /// As in an app whose circuits have two exercises at least, and each of those a set.
  @Test(arguments: ["Circuit, Exercise", "Exercise, Circuit"])
  func aRelationshipThatNeedsSeveralGetsThem(order: String) throws {
    let entities = [
      "Circuit": "Circuit: { exercises: '[Exercise]!(2...) <-> circuit', tags: '[Tag]!(3...)' }",
      "Exercise": """
      Exercise: { circuit: Circuit? <-> exercises, sets: '[Sets]!(1...) <-> exercise' },
      Sets: { exercise: Exercise <-> sets }, Tag: { n: string? }
      """,
    ]
    let text = order.components(separatedBy: ", ").compactMap { entities[$0] }.joined(
      separator: ", ")
    let rows = SampleRows.every(in: try model("{ \(text) }")).rows
    #expect(Set(rows.map(\.entity.name)) == ["Circuit", "Exercise", "Sets", "Tag"])
    let circuit = try #require(rows.first { $0.name == "circuit1" })
    func links(_ key: String) -> String? {
      circuit.fields.first { $0.key == key }.map { "\($0.value)" }
    }
    #expect(links("exercises")?.contains("exercise2") == true)
    #expect(links("tags")?.contains("tag3") == true)
    #expect(rows.filter { $0.entity.name == "Sets" }.count == 2)
  }

  @Test(arguments: ["Task, Element", "Element, Task"])
  func eachRowThatNeedsOneHasItsOwn(order: String) throws {
    let model = try model(
      "{ Task: { elements: '[Element]!(1...) <-> task' }, Element: { task: Task? <-> elements } }")
    let rows = SampleRows(of: order.components(separatedBy: ", "), in: model, copies: 3).rows
    let links = rows.flatMap { row in
      row.fields.filter { $0.key == "elements" }.map { "\(row.name) \($0.value)" }
    }
    #expect(links.count == 3, "\(links)")
    #expect(!rows.contains { $0.fields.contains { $0.key == "task" } })
  }

  /// The store has a place for one owner in each member.
  @Test func noMemberOfARelationshipWithoutAnInverseHasTwoOwners() throws {
    let model = try model("{ A: { n: string?, bs: '[B]' }, B: { n: string? } }")
    let samples = SampleRows(of: ["A", "B"], in: model, copies: 3).rows.flatMap { row in
      row.fields.filter { $0.key == "bs" }.flatMap { field -> [Notation] in
        if case .list(let members) = field.value { members } else { [] }
      }
    }
    #expect(samples.count > 1 && Set(samples).count == samples.count, "\(samples)")
    let links = SmokeRows(of: model, without: [], SmokeOptions()).rows
      .flatMap { $0.fields.flatMap { $0.links ?? [] } }
    #expect(links.count > 1 && Set(links).count == links.count, "\(links)")
  }

  /// Nodes of which each needs two others of its own have no end.
  @Test func whatHasNoEndIsLeftOut() throws {
    let endless = try model(
      "{ Node: { parent: Node? <-> children, children: '[Node]!(2...) <-> parent' }, Other: { n: string? } }"
    )
    #expect(SampleRows.every(in: endless).rows.map(\.name) == ["other1"])
  }

  @Test(arguments: ["date", "data", "double", "decimal", "float", "string", "uuid", "uri", "int32"])
  func uniqueSamplesDiffer(type: String) throws {
    let model = try model("{ F: { .unique: key, key: \(type) } }")
    let key = try #require(model.entity(named: "F")?.attribute(named: "key"))
    let samples = (1...20).map { SampleValue(attribute: key, number: $0).notation }
    #expect(Set(samples).count == 20, "\(samples)")
  }

  @Test func aRequiredCompositeHasAValue() throws {
    let model = try model("{ Drink: { tags: 'composite(flavours: data?, no: int16?)' } }")
    let tags = try #require(model.entity(named: "Drink")?.attribute(named: "tags"))
    #expect(
      SampleValue(attribute: tags, number: 2).notation?.yaml(inFlow: false)
        == "{ flavours: 0x01020032, no: 2 }")
  }
}
