import Foundation
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

@Suite("Values that the source doesn't determine")
struct UndeterminedValuesTests {
  private let model: ManagedObjectModel
  private var song: EntityDescription { model.entitiesByName["Song"]! }
  private var tag: EntityDescription { model.entitiesByName["Tag"]! }

  init() throws {
    model = try checked(
      """
      scenario: Songs
      models:
        v1:
          Song: { name: string?, token: string?, tags: "[Tag] <-> song" }
          Tag: { name: string?, token: string?, song: Song? <-> tags }
          List: { name: string?, items: "[Item] ordered <-> list" }
          Item: { name: string?, list: List? <-> items }
      expect: [{ count: { Song: 0 } }]
      """
    ).model("v1")
  }

  private func object(
    _ entity: EntityDescription, _ values: [String: String], links: [String: [Int]] = [:],
    from origins: [Int] = []
  ) -> ContentSnapshot.Object {
    ContentSnapshot.Object(
      entity: entity,
      values: entity.attributes.map { values[$0.name].map { .string($0) } ?? .null },
      links: entity.relationships.map { links[$0.name] ?? [] }, origins: origins,
      label: entity.name)
  }

  /// A store of songs: the name, the token and the origin of each.
  private func songs(_ songs: [(String, String?, Int?)]) -> ContentSnapshot {
    ContentSnapshot(
      objects: songs.map { name, token, origin in
        object(
          song, ["name": name].merging(token.map { ["token": $0] } ?? [:]) { $1 },
          from: origin.map { [$0] } ?? [])
      })
  }

  /// The undetermined properties, and whether the backends agree about all else.
  private func judged(
    _ memory: [ContentSnapshot], _ sqlite: [ContentSnapshot]
  ) -> (names: [String], agree: Bool) {
    let values = UndeterminedValues([memory, sqlite])
    let first = values.determinedContent(ofPlay: 0, on: 0)
    let second = values.determinedContent(ofPlay: 0, on: 1)
    return (
      values.properties(at: "v1").map { "\($0.name) \($0.objectCount)" },
      first.differences(from: second).isEmpty
    )
  }

  @Test func whatDiffersBetweenPlaysIsLeftOut() {
    let result = judged(
      [songs([("a", "1", 0), ("b", "x", 1)]), songs([("a", "2", 0), ("b", "x", 1)])],
      [songs([("a", "3", 0), ("b", "x", 1)]), songs([("a", "4", 0), ("b", "x", 1)])])
    #expect(result.names == ["Song.token 1"])
    #expect(result.agree)
  }

  /// A list made from an object of the seed, and its items in an order.
  private func list(_ names: String) -> ContentSnapshot {
    let (list, item) = (model.entitiesByName["List"]!, model.entitiesByName["Item"]!)
    let sorted = names.sorted().map(String.init)
    let places = names.map { sorted.firstIndex(of: "\($0)")! + 1 }
    return ContentSnapshot(
      objects: [object(list, [:], links: ["items": places], from: [0])]
        + sorted.map { object(item, ["name": $0], links: ["list": [0]]) })
  }

  @Test func anOrderThatDiffersBetweenPlaysIsLeftOut() {
    let result = judged([list("abc"), list("cab")], [list("bca"), list("acb")])
    #expect(result.names == ["List.items 1"])
    #expect(result.agree)
  }

  @Test func whatIsInAnOrderIsStillCompared() {
    #expect(!judged([list("abc"), list("cab")], [list("bcd"), list("dcb")]).agree)
    let steady = judged([list("abc"), list("abc")], [list("bca"), list("bca")])
    #expect(steady.names == [])
    #expect(!steady.agree)
  }

  @Test func theSamePropertyOfAnotherObjectIsStillCompared() {
    let result = judged(
      [songs([("a", "1", 0), ("b", "x", 1)]), songs([("a", "2", 0), ("b", "x", 1)])],
      [songs([("a", "3", 0), ("b", "y", 1)]), songs([("a", "4", 0), ("b", "y", 1)])])
    #expect(result.names == ["Song.token 1"])
    #expect(!result.agree)
  }

  @Test func whatIsTheSameInAllPlaysOfABackendIsTheBackends() {
    let result = judged(
      [songs([("a", "memory", 0)]), songs([("a", "memory", 0)])],
      [songs([("a", "sqlite", 0)]), songs([("a", "sqlite", 0)])])
    #expect(result.names.isEmpty)
    #expect(!result.agree)
  }

  @Test(arguments: [nil, "lost"] as [String?])
  func aValueThatOneBackendAlwaysLosesIsADifference(_ lost: String?) {
    let result = judged(
      [songs([("a", "1", 0)]), songs([("a", "2", 0)])],
      [songs([("a", lost, 0)]), songs([("a", lost, 0)])])
    #expect(result.names.isEmpty)
    #expect(!result.agree)
  }

  @Test func aConstantThatComesUpOnTheOtherBackendIsChance() {
    let result = judged(
      [songs([("a", "1", 0)]), songs([("a", "2", 0)])],
      [songs([("a", "2", 0)]), songs([("a", "2", 0)])])
    #expect(result.names == ["Song.token 1"])
    #expect(result.agree)
  }

  @Test func aNumberOfObjectsThatDiffersIsADifference() {
    let result = judged(
      [songs([("a", "1", 0), ("b", nil, nil)]), songs([("a", "2", 0)])],
      [songs([("a", "3", 0)]), songs([("a", "4", 0)])])
    #expect(result.names == ["Song.token 1"])
    #expect(!result.agree)
  }

  @Test func objectsOfUnknownOriginAreMatchedByWhatIsCertain() {
    let result = judged(
      [songs([("a", "1", nil), ("b", "x", nil)]), songs([("b", "x", nil), ("a", "2", nil)])],
      [songs([("a", "3", nil), ("b", "y", nil)]), songs([("b", "y", nil), ("a", "4", nil)])])
    #expect(result.names == ["Song.token 1"])
    #expect(!result.agree, "b has another token on each backend")
  }

  @Test func objectsThatOnlyLinksTellApartAreMatchedByLinks() {
    func content(_ tokens: [String]) -> ContentSnapshot {
      ContentSnapshot(
        objects: [
          object(song, ["name": "a"], links: ["tags": [2]], from: [0]),
          object(song, ["name": "b"], links: ["tags": [3]], from: [1]),
          object(tag, ["token": tokens[0]], links: ["song": [0]]),
          object(tag, ["token": tokens[1]], links: ["song": [1]]),
        ])
    }
    let result = judged(
      [content(["1", "x"]), content(["2", "x"])], [content(["3", "y"]), content(["4", "y"])])
    #expect(result.names == ["Tag.token 1"])
    #expect(!result.agree, "the tag of b has another token on each backend")
  }

  @Test func linksThatDifferBetweenPlaysAreStillCompared() {
    func content(_ linked: [Int]) -> ContentSnapshot {
      ContentSnapshot(
        objects: [
          object(song, ["name": "a"], links: ["tags": linked], from: [0]),
          object(tag, ["name": "x"], links: ["song": linked.isEmpty ? [] : [0]], from: [1]),
        ])
    }
    let result = judged([content([1]), content([])], [content([]), content([1])])
    #expect(result.names.isEmpty)
    #expect(!result.agree)
  }

  @Test func aValueDealtOutAnewDoesNotHideAnother() {
    // Which of the two has "yes" is chance; their names aren't.
    let result = judged(
      [
        songs([("a", "yes", nil), ("b", "no", nil)]), songs([("a", "no", nil), ("b", "yes", nil)]),
      ],
      [
        songs([("a", "yes", nil), ("c", "no", nil)]), songs([("a", "no", nil), ("c", "yes", nil)]),
      ])
    #expect(!result.agree)
    #expect(!result.names.contains { $0.hasPrefix("Song.name") })
  }
}
