import CoreDataNames
import Testing

@testable import Scenarios

/// Conditions that come to the same whatever values there are, found by trying values of the attributes' types.
@Suite struct TriedConditionTests {
  private let model: ManagedObjectModel

  init() throws {
    let scenario = try checked(
      """
      scenario: s
      models:
        v1:
          Person: { name: string?, NAME: string?, age: double?, rank: int16 = 0, flag: bool = false, code: string, w: float?, d: decimal?, on: date?, key: uuid?, bytes: data?, url: uri?, any: transformable?, at: "composite(city: string?, no: int16?)?", owner: Person? <-> owned, owned: "[Person] <-> owner", tags: "[Tag] <-> people" }
          Tag: { name: string?, weight: double?, rank: int16 = 0, people: "[Person] <-> tags" }
      expect: [{ count: { Person: 0 } }]
      """)
    model = try scenario.model("v1")
  }

  private func truths(_ format: String) throws -> Set<Bool> {
    let person = try #require(model.entity(named: "Person"))
    return TriedCondition(try Predicate.parse(format, arguments: []), about: person).possibleTruths
  }

  @Test(arguments: [
    "TRUEPREDICATE", "1 == 1", "NOT FALSEPREDICATE", "name == name", "owner.name == owner.name",
    "tags.@count >= 0", "tags.@count > -1", "SUBQUERY(tags, $t, $t.name == 'x').@count >= 0",
    "name == 'x' OR TRUEPREDICATE", "name == nil OR name != nil", "age > 3 OR NOT (age > 3)",
    "1 < 2 AND 'a' == 'a'", "NOT (name != name)", "SELF != nil", "nil != SELF", "NOT (age IN {})",
    "NOT (age BETWEEN {5, 1})", "name == 'x' OR NOT (age > 5 AND age < 3)",
    "rank >= -32768", "rank < 40000", "flag == YES OR flag == NO", "rank != 1.5", "flag < 2",
    "owner == nil OR owner != nil", "tags.@count == 0 OR tags.@count > 0", "name != 5",
    "rank > 3 OR rank < 4", "ALL tags.rank < 40000", "NONE tags.rank > 32767",
    "rank != nil OR NOT rank != nil", "name BEGINSWITH 'a' OR NOT name BEGINSWITH 'a'",
    "SUBQUERY(tags, $t, $t.rank > 32767).@count == 0", "ALL tags.name != nil", "at.#no != 40000",
    "code.length >= 0", "NOT code.length < 0", "code LIKE '*'", "code MATCHES '.*'",
  ])
  func holdsForEveryObject(_ format: String) throws {
    #expect(try truths(format) == [true], "\(format)")
  }

  @Test(arguments: [
    "FALSEPREDICATE", "1 == 2", "name != name", "age < age", "tags.@count < 0",
    "name == 'x' AND FALSEPREDICATE", "name == 'x' AND name != 'x'", "'a' BEGINSWITH 'b'",
    "age IN {}", "SELF == nil", "nil == SELF", "age BETWEEN {5, 1}", "name BETWEEN {'b', 'a'}",
    "age > 5 AND age < 3", "age > 5 AND (name == 'x' AND 3 > age)", "age >= 5 AND age < 5",
    "age == 1 AND age == 2", "name == 'a' AND name == 'b'", "age BETWEEN {1, 2} AND age > 2.5",
    "age > 1 AND age >= 2 AND age < 2", "age > 2 AND age >= 2 AND age <= 2",
    "age <= 2 AND age < 2 AND age >= 2", "age >= 2.5 AND age > 1 AND age <= 2 AND age < 9.5",
    "age > 1 AND age > 'a' AND age < 'b' AND age < 0", "age == nil AND age > 3",
    "rank > 32767", "rank == 1.5", "flag == 2", "rank > 3 AND rank < 4",
    "owner == nil AND owner.name == 'x'", "tags.@count == 0 AND ANY tags.name == 'x'",
    "name == 5", "age == 'x'", "ANY tags.rank == 40000", "key == 'E621'",
    "on == '2012-12-25'", "url == 'https://example.com'", "at.#no > 32767",
    "SUBQUERY(tags, $t, $t.rank > 32767).@count > 0", "tags.@min.rank > 32767",
  ])
  func holdsForNoObject(_ format: String) throws {
    #expect(try !truths(format).contains(true), "\(format)")
  }

  @Test(arguments: [
    "name == 'x'", "tags.@count > 0", "tags.@count == 0", "age <= age", "age > 3 OR age <= 3",
    "name == 'x' OR name == 'y'", "ANY tags.name == 'x'", "NOT (name == 'x')", "name ==[c] NAME",
    "name == 'x' AND TRUEPREDICATE", "random() == random()", "random() IN {}",
    "ALL tags.name IN {}", "age BETWEEN {1, 1}", "age > 5 AND NAME < 'a'",
    "age >= 5 AND age <= 5", "age > 1 AND age > 2 AND age < 3 AND age <= 4",
    "age > 1 AND age < 9.5 AND age > 2.5 AND age < 4", "age > 5 AND age < 9 AND owner.age < 3",
    "name ==[c] 'b' AND name ==[c] 'B'", "age > 5 OR age < 3", "age > 5 AND owner.age < 3",
    "ANY tags.weight > 5 AND ANY tags.weight < 3", "SELF == owner", "owner == nil", "SELF IN owned",
    "rank == 32767", "rank > 32766", "rank BETWEEN {0, 40000}", "rank * 2 == 10",
    "rank + 1 == 40000",
    "uppercase(name) == 'A'", "name MATCHES '[0-9]{4}'", "name LIKE 'a*b?'", "name.length == 3",
    "code.length > 9", "code.length < 100000",
    "age > 0.1 AND age < 0.2", "w == 0.1", "d == 0.1",
    "on > CAST(10, 'NSDate') AND on < CAST(11, 'NSDate')",
    "on < now()", "key == CAST('E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'NSUUID')", "#any == 5",
    "entity.name == 'Person'", "objectID == nil", "at.city == 'x'", "at.#no == 3", "at == nil",
    "tags.@count == 7", "tags.@count > 40", "tags.@count == 150", "tags.@count > 100000",
    "tags.@count IN {9, 3000}", "SUBQUERY(tags, $t, $t.people.@count > 60).@count == 2",
    "owner.owned.@count == 3", "tags.@sum.rank == 9",
    "SUBQUERY(tags, $t, $t.rank > 3).@count == 2",
    "SUBQUERY(tags, $t, $t.rank > 3).@count == tags.@count",
    "name IN 'ABC'", "name CONTAINS owner.name", "'A' IN tags.name", "name > 'a' AND name < 'b'",
    "TERNARY(rank > 3, 1, 0) == 1", "owner == nil AND tags.@count > 0", "flag == YES AND rank == 3",
    "owner.owner.name == 'x'", "ALL tags.rank > 5 AND ANY tags.rank < 10",
  ])
  func dependsOnTheObject(_ format: String) throws {
    #expect(try truths(format) == [false, true], "\(format)")
  }

  /// Tried together, so many parts took minutes.
  @Test(.timeLimit(.minutes(1))) func manyPartsAreLookedAtOnce() throws {
    let few = (0..<400).map { "age == \($0)" }.joined(separator: " OR ")
    #expect(try truths(few) == [false, true])
    #expect(try truths(few + " OR age != 399") == [true])
    #expect(try truths("NOT (age == 3) OR " + few) == [true])
    let many = (0..<20_000).map { "age == \($0)" }.joined(separator: " OR ")
    #expect(try truths(many) == [false, true])
  }

  /// Whatever a trial finds, some whole numbers of a small type must show, too: all of them are asked.
  @Test func whatIsTriedOutIsSoForEveryValue() throws {
    let person = try #require(model.entity(named: "Person"))
    var chance = Chance(state: 7)
    func comparison(_ depth: Int) -> String {
      if depth > 0, chance.index(below: 5) < 3 {
        let parts = (0..<2 + chance.index(below: 2)).map { _ in comparison(depth - 1) }
        let joined = parts.joined(separator: chance.index(below: 2) == 0 ? " AND " : " OR ")
        return chance.index(below: 4) == 0 ? "NOT (\(joined))" : "(\(joined))"
      }
      let limit = [-32769, -32768, -3, 0, 2, 3, 5, 32767, 32768, 70_000][chance.index(below: 10)]
      switch chance.index(below: 4) {
      case 0: return "rank IN {\(limit), \(limit + 2)}"
      case 1: return "rank BETWEEN {\(limit), \(limit + chance.index(below: 9) - 2)}"
      default:
        return "rank \(["<", "<=", ">", ">=", "==", "!="][chance.index(below: 6)]) \(limit)"
      }
    }
    for _ in 0..<200 {
      let format = comparison(3)
      let predicate = try Predicate.parse(format, arguments: [])
      let all = try Set(
        (Int64(Int16.min)...Int64(Int16.max)).lazy.filter {
          $0 < -32_760 || $0 > 32_760 || abs($0) < 20
        }
        .map { try predicate.evaluate(.object(KeyedValues(["rank": .integer($0)]))) })
      #expect(TriedCondition(predicate, about: person).possibleTruths == all, "\(format)")
    }
  }
}
