import Predicates
import Testing

/// Which equalities an index may answer.
@Suite struct EqualityProbeTests {
  static let probes: [(format: String, key: String, value: Value)] = [
    ("name == 'a'", "name", .string("a")),
    ("'a' == name", "name", .string("a")),
    ("SELF.name == 'a'", "name", .string("a")),
    ("name LIKE 'a'", "name", .string("a")),
    ("name LIKE 'a\\\\*b\\\\?\\\\\\\\'", "name", .string("a*b?\\")),
    ("age == 30.0", "age", .integer(30)),
    ("nick == nil", "nick", .null),
    ("age > 3 AND name == 'a' AND nick == 'b'", "name", .string("a")),
    ("age > 3 AND (name == 'a' AND nick == 'b')", "name", .string("a")),
  ]

  @Test(arguments: probes)
  func equalityIsRecognized(format: String, key: String, value: Value) throws {
    let probe = try #require(try Predicate.parse(format).equalityProbe())
    #expect(probe.key == key)
    #expect(probe.value == value)
  }

  @Test(arguments: [
    "name ==[c] 'a'", "name LIKE 'a*'", "name LIKE 'a\\\\**'", "'a' LIKE name", "name != 'a'",
    "owner.name == 'a'",
    "name == nick", "name == 'a' OR nick == 'b'", "NOT name == 'a'", "ANY pets == 1", "age == 0.5",
    "name == $x", "TRUEPREDICATE",
  ])
  func otherConditionsHaveNoProbe(format: String) throws {
    #expect(try Predicate.parse(format).equalityProbe() == nil)
  }
}
