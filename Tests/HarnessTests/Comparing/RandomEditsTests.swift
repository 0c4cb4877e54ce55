import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Random edits of a store: the comparison finds exactly them.
@Suite(.tags(.random), .tiered) struct RandomEditsTests {
  private static let model = """
    { Person: { id: int64, name: string, born: date?, team: "Team? <-> members", \
    skills: "[Skill] <-> people" }, \
    Team: { id: int64, name: string, members: "[Person] ordered <-> team" }, \
    Skill: { id: int64, name: string, people: "[Person] <-> skills" } }
    """

  /// What a store holds, by identifier.
  private struct Content: Equatable {
    struct Person: Equatable {
      var name: String
      var team: Int?
      var skills: Set<Int>
    }
    var people: [Int: Person] = [:]
    var teams: [Int: String] = [:]
    var skills: [Int: String] = [:]

    init(using random: inout RandomSource) {
      for id in 1...4 { teams[id] = "Team \(Int.random(in: 1...2, using: &random))" }
      for id in 1...5 { skills[id] = "Skill \(id)" }
      for id in 1...20 { people[id] = Self.person(using: &random, teams, skills) }
    }

    static func person(
      using random: inout RandomSource, _ teams: [Int: String], _ skills: [Int: String]
    ) -> Person {
      Person(
        name: "Name \(Int.random(in: 1...5, using: &random))",
        team: Bool.random(using: &random) ? teams.keys.sorted().randomElement(using: &random) : nil,
        skills: Set(skills.keys.sorted().filter { _ in Bool.random(using: &random) }))
    }

    mutating func edit(using random: inout RandomSource) {
      let id = Int.random(in: 1...22, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: people[id] = nil
      case 1: people[id] = Self.person(using: &random, teams, skills)
      case 2: people[id]?.name += "!"
      case 3: people[id]?.team = teams.keys.sorted().randomElement(using: &random)
      default: people[id]?.skills.formSymmetricDifference([Int.random(in: 1...5, using: &random)])
      }
    }

    /// The seed, its objects in random order.
    func seed(using random: inout RandomSource) -> String {
      let teamRows = teams.keys.shuffled(using: &random).map {
        "{ .id: team\($0), id: \($0), name: \(teams[$0] ?? "") }"
      }
      let skillRows = skills.keys.shuffled(using: &random).map {
        "{ .id: skill\($0), id: \($0), name: \(skills[$0] ?? "") }"
      }
      // Ordered relationships take their order from the rows'.
      let personRows = people.sorted { $0.key < $1.key }.map { id, person in
        let team = person.team.map { ", team: team\($0)" } ?? ""
        let linked = person.skills.shuffled(using: &random).map { "skill\($0)" }
        return
          "{ id: \(id), name: \(person.name)\(team), skills: [\(linked.joined(separator: ", "))] }"
      }
      return """
        { Team: [\(teamRows.joined(separator: ", "))], \
        Skill: [\(skillRows.joined(separator: ", "))], \
        Person: [\(personRows.joined(separator: ", "))] }
        """
    }

    /// What a comparison with another content must list.
    func listing(_ other: Content) -> Set<String> {
      var lines: Set<String> = []
      for id in Set(people.keys).union(other.people.keys) {
        switch (people[id], other.people[id]) {
        case (nil, _): lines.insert("+ Person { id: \(id) }")
        case (_, nil): lines.insert("- Person { id: \(id) }")
        case (let a?, let b?):
          let names = [
            a.name != b.name ? "name" : nil, a.team != b.team ? "team" : nil,
            a.skills != b.skills ? "skills" : nil,
          ].compactMap { $0 }
          if !names.isEmpty {
            lines.insert((["~ Person { id: \(id) }"] + names).joined(separator: " "))
          }
        }
      }
      return lines
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>, Backend.allCases)
  func exactlyTheEditsAreFound(seed: UInt64, on backend: Backend) throws {
    var random = RandomSource(seed: seed)
    let before = Content(using: &random)
    var after = before
    for _ in 0..<Int.random(in: 0...6, using: &random) { after.edit(using: &random) }
    let stores = try SeededStores(backend)
    let a = try stores.store(Self.model, before.seed(using: &random))
    let b = try stores.store(Self.model, after.seed(using: &random))
    let found = try differences(a, b)
    #expect(Set(found.listing) == before.listing(after), "seed \(seed)")
    #expect(found.isEmpty == (before == after), "seed \(seed)")
    #expect(found.differenceCount == before.listing(after).count, "seed \(seed)")
  }
}
