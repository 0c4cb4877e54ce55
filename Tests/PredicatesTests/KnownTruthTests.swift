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
    "1 < 2 AND 'a' == 'a'", "NOT (name != name)",
  ])
  func holdsForEveryObject(_ format: String) throws {
    #expect(try truth(format) == true, "\(format)")
  }

  @Test(arguments: [
    "FALSEPREDICATE", "1 == 2", "name != name", "age < age", "tags.@count < 0",
    "name == 'x' AND FALSEPREDICATE", "name == 'x' AND name != 'x'", "'a' BEGINSWITH 'b'",
  ])
  func holdsForNoObject(_ format: String) throws {
    #expect(try truth(format) == false, "\(format)")
  }

  @Test(arguments: [
    "name == 'x'", "tags.@count > 0", "tags.@count == 0", "age <= age", "age > 3 OR age <= 3",
    "name == 'x' OR name == 'y'", "ANY tags.name == 'x'", "NOT (name == 'x')", "name ==[c] NAME",
    "name == 'x' AND TRUEPREDICATE", "random() == random()",
  ])
  func dependsOnTheObject(_ format: String) throws {
    #expect(try truth(format) == nil, "\(format)")
  }
}
