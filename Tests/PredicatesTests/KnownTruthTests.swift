import Predicates
import Testing

/// Conditions that no object can change the answer of.
@Suite struct KnownTruthTests {
  private func truth(_ format: String) throws -> Bool? {
    try Predicate.parse(format, arguments: []).knownTruth
  }

  @Test(arguments: [
    "TRUEPREDICATE", "1 == 1", "NOT FALSEPREDICATE", "name == name", "owner.name == owner.name",
    "tags.@count >= 0", "tags.@count > -1", "SUBQUERY(tags, $t, $t.name == 'x').@count >= 0",
    "name == 'x' OR TRUEPREDICATE", "name == nil OR name != nil", "age > 3 OR NOT (age > 3)",
    "1 < 2 AND 'a' == 'a'", "NOT (name != name)", "SELF != nil", "nil != SELF", "NOT (age IN {})",
    "NOT (age BETWEEN {5, 1})", "name == 'x' OR NOT (age > 5 AND age < 3)",
  ])
  func holdsForEveryObject(_ format: String) throws {
    #expect(try truth(format) == true, "\(format)")
  }

  @Test(arguments: [
    "FALSEPREDICATE", "1 == 2", "name != name", "age < age", "tags.@count < 0",
    "name == 'x' AND FALSEPREDICATE", "name == 'x' AND name != 'x'", "'a' BEGINSWITH 'b'",
    "age IN {}", "SELF == nil", "nil == SELF", "age BETWEEN {5, 1}", "name BETWEEN {'b', 'a'}",
    "age > 5 AND age < 3", "age > 5 AND (name == 'x' AND 3 > age)", "age >= 5 AND age < 5",
    "age == 1 AND age == 2", "name == 'a' AND name == 'b'", "age BETWEEN {1, 2} AND age > 2.5",
    "age > 1 AND age >= 2 AND age < 2", "age > 2 AND age >= 2 AND age <= 2",
    "age <= 2 AND age < 2 AND age >= 2", "age >= 2.5 AND age > 1 AND age <= 2 AND age < 9.5",
    "age > 1 AND age > 'a' AND age < 'b' AND age < 0",
  ])
  func holdsForNoObject(_ format: String) throws {
    #expect(try truth(format) == false, "\(format)")
  }

  @Test(arguments: [
    "name == 'x'", "tags.@count > 0", "tags.@count == 0", "age <= age", "age > 3 OR age <= 3",
    "name == 'x' OR name == 'y'", "ANY tags.name == 'x'", "NOT (name == 'x')", "name ==[c] NAME",
    "name == 'x' AND TRUEPREDICATE", "random() == random()", "random() IN {}",
    "ALL tags.name IN {}", "age BETWEEN {1, 1}", "age BETWEEN {'b', 1}", "age > 5 AND name < 'a'",
    "age >= 5 AND age <= 5", "age > 1 AND age > 2 AND age < 3 AND age <= 4",
    "age > 1 AND age < 9.5 AND age > 2.5 AND age < 4", "age > 5 AND age < 9 AND owner.age < 3",
    "name ==[c] 'b' AND name ==[c] 'B'", "age > 5 OR age < 3", "age > 5 AND owner.age < 3",
    "ANY tags.weight > 5 AND ANY tags.weight < 3", "age == nil AND age > 3",
    "SELF == owner", "owner == nil",
  ])
  func dependsOnTheObject(_ format: String) throws {
    #expect(try truth(format) == nil, "\(format)")
  }

  /// Compared with each other, so many parts took minutes.
  @Test(.timeLimit(.minutes(1))) func manyPartsAreLookedAtOnce() throws {
    let parts = (0..<20_000).map { "age == \($0)" }.joined(separator: " OR ")
    #expect(try truth(parts) == nil)
    #expect(try truth(parts + " OR age != 19999") == true)
    #expect(try truth("NOT (age == 3) OR " + parts) == true)
  }

  @Test(.timeLimit(.minutes(1))) func manyBoundsAreLookedAtOnce() throws {
    let bounds = (0..<20_000).map { "age > \($0) AND age < \(100_000 - $0)" }
    let parts = bounds.joined(separator: " AND ")
    #expect(try truth(parts) == nil)
    #expect(try truth(parts + " AND age < 19999") == false)
    #expect(try truth("age > 80001 AND " + parts) == false)
  }
}
