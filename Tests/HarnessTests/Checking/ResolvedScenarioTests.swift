import Foundation
import Testing

@testable import Scenarios

/// What checking a scenario makes of it, so that nothing of it is read again.
@Suite struct ResolvedScenarioTests {
  private static let text = """
    scenario: s
    models:
      v1:
        Song: { title: string, number: int32 = 0, album: Album? <-> songs }
        Album: { name: string, songs: "[Song] <-> album" }
    seed:
      Album: [{ id: best, name: Best }]
      Song: [{ id: waltz, title: Waltz, number: 7, album: best }, { title: Tango }]
    expect: [{ count: { "Song where number > 3": 1 } }]
    then:
      - insert: Song polka
        values: { title: Polka, album: best }
      - link: Album best
        to: { songs: [polka] }
      - save
      - expect: [{ object: Song polka, has: { album.songs.@count: 2 } }]

    """

  @Test func rowsAreTypedByTheModel() throws {
    let scenario = try checked(Self.text)
    let model = try scenario.model("v1")
    let rows = try #require(scenario.seed(for: "v1")).rows
    #expect(rows.map(\.entity) == ["Album", "Song", "Song"].compactMap { model.entity(named: $0) })
    #expect(rows.map(\.name) == ["best", "waltz", nil])
    #expect(rows.map(\.place.line) == [7, 8, 8])
    #expect(rows[1].values.map(\.attribute.name) == ["title", "number"])
    #expect(rows[1].values.map(\.value) == [.string("Waltz"), .integer(7)])
    // The row that it leads to, by its place in the list.
    #expect(rows[1].links.map(\.relationship.name) == ["album"])
    #expect(rows[1].links.map(\.rows) == [[0]])
  }

  @Test func expectationsHaveEntitiesAndPredicates() throws {
    let scenario = try checked(Self.text)
    guard case .objects(let check as CountCheck)? = scenario.expectations.first?.subject(at: "v1"),
      let item = check.items.first
    else {
      Issue.record("it isn't a check of counts with an item")
      return
    }
    #expect(item.query.entity === (try scenario.model("v1")).entity(named: "Song"))
    #expect(item.query.predicate?.predicateFormat == "number > 3")
    #expect(item.count.value == 1)
  }

  @Test func actionsHaveValuesAndObjects() throws {
    let actions = try checked(Self.text).actions
    guard case .insert(let entity, let name, let fields) = actions[0].change(at: "v1"),
      case .attribute(let title, let value)? = fields.first
    else {
      Issue.record("no insertion")
      return
    }
    #expect((entity.name, name, title.name, value) == ("Song", "polka", "title", .string("Polka")))
    guard case .link(let object, let links) = actions[1].change(at: "v1") else {
      Issue.record("no link")
      return
    }
    #expect(object.shown == "Album best")
    #expect(links.map { $0.members.map(\.shown) } == [["Song polka"]])
  }

  /// A seed made by rule is planned once; scaling it is planning it anew.
  @Test func theSeedIsPlanned() throws {
    let scenario = try checked(
      """
      scenario: s
      models: { v1: { Song: { number: int32 } } }
      seed: { Song: { .count: 10, number: { sequence: 1 } } }
      expect: [{ count: { Song: 10 } }]

      """)
    #expect(scenario.seed(for: "v1")?.plan?.count == 10)
    #expect(try scenario.scaled(to: 1000).seed(for: "v1")?.plan?.count == 1000)
  }

  // MARK: Several starts without a chain

  private func mistakes(_ expectations: String) -> [String] {
    do {
      _ = try checked(
        """
        scenario: s
        models:
          v1: { Song: { title: string } }
          v2: { Song: { name: string } }
        start: [v1, v2]
        seed: { v1: { Song: [{ title: Waltz }] }, v2: { Song: [{ name: Waltz }] } }
        expect:
        \(expectations)

        """)
      return []
    } catch let diagnostics as Diagnostics {
      return diagnostics.all.map(\.message)
    } catch {
      return ["\(error)"]
    }
  }

  @Test func anExpectationIsResolvedForEachStartThatStays() {
    #expect(
      mistakes("  - unique: Song.title") == [
        "entity 'Song' of v2 has no property 'title'; properties of Song: name"
      ])
    #expect(
      mistakes("  - { unique: Song.title, start: v1 }\n  - { unique: Song.name, start: v2 }") == [])
  }

  @Test func aMistakeOfAllStartsIsToldOnce() {
    #expect(mistakes("  - count: { Sing: 1 }").count == 1)
  }
}
