import Predicates
import Testing

/// The SQL of each kind of condition.
@Suite struct SQLTranslationTests {
  let kennel: Kennel

  init() throws { kennel = try Kennel() }

  private func translate(_ format: String, _ arguments: Any?...) throws -> SQLFragment {
    let predicate = try Predicate.parse(format, arguments: arguments)
    return try SQLTranslator(schema: kennel).translate(predicate, entity: kennel.owner)
  }

  static let translations: [(format: String, sql: String, bindings: [Value])] = [
    ("TRUEPREDICATE", "1", []),
    ("name == 'a'", "t0.ZNAME IS ?", [.string("a")]),
    ("name != 'a'", "t0.ZNAME IS NOT ?", [.string("a")]),
    ("nick == nil", "t0.ZNICK IS NULL", []),
    ("nil != city", "NULL IS NOT t0.ZCITY", []),
    ("name == nick", "t0.ZNAME IS t0.ZNICK", []),
    (
      "age > 30 AND NOT age < 40", "(t0.ZAGE > ? AND NOT COALESCE(t0.ZAGE < ?, 0))",
      [.integer(30), .integer(40)]
    ),
    ("age BETWEEN {1, 2.5}", "(t0.ZAGE >= ? AND t0.ZAGE <= ?)", [.integer(1), .double(2.5)]),
    ("name IN {'a', nil, 5, 'b'}", "t0.ZNAME IN (?, ?)", [.string("a"), .string("b")]),
    ("name IN[c] {'A'}", "hw_fold(t0.ZNAME, 'c') IN (?)", [.string("a")]),
    ("age IN {}", "0", []),
    (
      "age IN {1, limit}", "(t0.ZAGE IS NOT NULL AND (t0.ZAGE IS ? OR t0.ZAGE IS t0.ZLIMIT))",
      [.integer(1)]
    ),
    ("name BEGINSWITH 'Än'", "substr(t0.ZNAME, 1, 2) = ?", [.string("Än")]),
    ("name ENDSWITH 'na'", "substr(t0.ZNAME, -2) = ?", [.string("na")]),
    ("name ENDSWITH ''", "t0.ZNAME IS NOT NULL", []),
    ("name BEGINSWITH nick", "substr(t0.ZNAME, 1, length(t0.ZNICK)) = t0.ZNICK", []),
    ("name CONTAINS[cd] 'É'", "instr(hw_fold(t0.ZNAME, 'cd'), ?) > 0", [.string("e")]),
    ("'nn' IN name", "instr(t0.ZNAME, ?) > 0", [.string("nn")]),
    ("name LIKE 'Anna'", "t0.ZNAME = ?", [.string("Anna")]),
    ("name LIKE '[a*?\\\\*'", "t0.ZNAME GLOB ?", [.string("[[]a*?[*]")]),
    ("name MATCHES[c] 'a.*'", "hw_matches(t0.ZNAME, ?, ?)", [.string("a.*"), .string("c")]),
    (
      "city.name == 'Oslo'",
      "(SELECT hw1.ZNAME FROM ZCITY AS hw1 WHERE hw1.Z_PK = t0.ZCITY) IS ?", [.string("Oslo")]
    ),
    (
      "ANY pets.age > 3",
      "EXISTS (SELECT 1 FROM ZPET AS hw1 WHERE hw1.ZOWNER = t0.Z_PK "
        + "AND hw1.ZAGE IS NOT NULL AND hw1.ZAGE > ?)", [.integer(3)]
    ),
    (
      "ALL tags.name == 'a'",
      "NOT EXISTS (SELECT 1 FROM Z_1TAGS AS hw2 JOIN ZTAG AS hw1 ON hw1.Z_PK = hw2.Z_2TAGS "
        + "WHERE hw2.Z_1OWNERS = t0.Z_PK AND hw1.ZNAME IS NOT NULL "
        + "AND NOT COALESCE(hw1.ZNAME IS ?, 0))", [.string("a")]
    ),
    (
      "pets.@count == 2", "(SELECT COUNT(*) FROM ZPET AS hw1 WHERE hw1.ZOWNER = t0.Z_PK) IS ?",
      [.integer(2)]
    ),
    (
      "SUBQUERY(pets, $p, $p.age > age AND $p.owner == SELF).@count > 0",
      "(SELECT COUNT(*) FROM ZPET AS hw1 WHERE hw1.ZOWNER = t0.Z_PK "
        + "AND (hw1.ZAGE > t0.ZAGE AND hw1.ZOWNER IS t0.Z_PK)) > ?", [.integer(0)]
    ),
    ("age + 2 * limit == 40", "(t0.ZAGE + (? * t0.ZLIMIT)) IS ?", [.integer(2), .integer(40)]),
    ("born > CAST(5, 'NSDate')", "t0.ZBORN > ?", [.date(Date(timeIntervalSinceReferenceDate: 5))]),
    ("age == abs(-4)", "t0.ZAGE IS ?", [.integer(4)]),
    (
      "abs(age) == 1", "CASE WHEN t0.ZAGE < 0 THEN 0 - t0.ZAGE ELSE t0.ZAGE END IS ?", [.integer(1)]
    ),
    ("abs(height) > 1", "abs(t0.ZHEIGHT) > ?", [.integer(1)]),
    ("age / 2 == 1", "(t0.ZAGE / ?) IS ?", [.integer(2), .integer(1)]),
    ("modulus:by:(age, 4) == 2", "(t0.ZAGE % ?) IS ?", [.integer(4), .integer(2)]),
    ("uppercase(name) == 'A'", "hw_fold(t0.ZNAME, 'upper') IS ?", [.string("A")]),
    (
      "TERNARY(vip == 1, name, nil) == nick",
      "CASE WHEN COALESCE(t0.ZVIP IS ?, 0) THEN t0.ZNAME ELSE NULL END IS t0.ZNICK", [.integer(1)]
    ),
    ("noindex(age) == 1", "+t0.ZAGE IS ?", [.integer(1)]),
    ("{1, nil} CONTAINS age", "(t0.ZAGE IN (?) OR t0.ZAGE IS NULL)", [.integer(1)]),
    ("age IN {1, 2} MINUS {2}", "t0.ZAGE IN (?)", [.integer(1)]),
  ]

  /// In one chain SQLite would take no more than a thousand.
  @Test func manyConditionsAreJoinedInGroups() throws {
    func chain(_ part: String, _ count: Int, _ separator: String) -> String {
      Array(repeating: part, count: count).joined(separator: separator)
    }
    let (group, rest) = (chain("t0.ZAGE IS ?", 100, " OR "), chain("t0.ZAGE IS ?", 2, " OR "))
    #expect(
      try translate(chain("age == 1", 102, " OR ")).sql == "((\(group)) OR (\(rest)))")
    let all = chain("t0.ZAGE > ?", 100, " AND ")
    #expect(try translate(chain("age > 1", 100, " AND ")).sql == "(\(all))")
    #expect(try translate(chain("age > 1", 101, " AND ")).sql == "((\(all)) AND t0.ZAGE > ?)")
  }

  /// What a device sends: nothing is added for NULL.
  static let threeValued: [(format: String, sql: String)] = [
    ("name == 'a'", "t0.ZNAME = ?"),
    ("name != 'a'", "t0.ZNAME <> ?"),
    ("name != nick", "t0.ZNAME <> t0.ZNICK"),
    ("nick == nil", "t0.ZNICK IS NULL"),
    ("nick != nil", "t0.ZNICK IS NOT NULL"),
    ("NOT name == 'a'", "NOT (t0.ZNAME = ?)"),
    ("NOT (age > 1 OR age == nil)", "NOT ((t0.ZAGE > ? OR t0.ZAGE IS NULL))"),
    ("NOT name IN {'a', nil}", "NOT (t0.ZNAME IN (?))"),
    ("NOT age IN {1, limit, nil}", "NOT ((t0.ZAGE = ? OR t0.ZAGE = t0.ZLIMIT))"),
    ("NOT age BETWEEN {1, 2}", "NOT ((t0.ZAGE >= ? AND t0.ZAGE <= ?))"),
    ("NOT name BEGINSWITH ''", "NOT (length(t0.ZNAME) >= 0)"),
    ("NOT name BEGINSWITH nil", "NOT (NULL)"),
    (
      "ANY pets.age != 3",
      "EXISTS (SELECT 1 FROM ZPET AS hw1 WHERE hw1.ZOWNER = t0.Z_PK AND hw1.ZAGE <> ?)"
    ),
    (
      "NONE pets.age == 3",
      "EXISTS (SELECT 1 FROM ZPET AS hw1 WHERE hw1.ZOWNER = t0.Z_PK AND NOT (hw1.ZAGE = ?))"
    ),
    (
      "NOT ANY pets.age == 3",
      "EXISTS (SELECT 1 FROM ZPET AS hw1 WHERE hw1.ZOWNER = t0.Z_PK AND NOT (hw1.ZAGE = ?))"
    ),
    (
      "SUBQUERY(pets, $p, $p.age != 3).@count == 0",
      "(SELECT COUNT(*) FROM ZPET AS hw1 WHERE hw1.ZOWNER = t0.Z_PK AND hw1.ZAGE <> ?) = ?"
    ),
  ]

  @Test(arguments: threeValued)
  func conditionOfADeviceAddsNothingForNull(format: String, sql: String) throws {
    let fragment = try SQLTranslator(schema: kennel, logic: .threeValued)
      .translate(try Predicate.parse(format, arguments: []), entity: kennel.owner)
    #expect(fragment.sql == sql)
  }

  @Test(arguments: translations)
  func conditionHasItsSQL(format: String, sql: String, bindings: [Value]) throws {
    let fragment = try translate(format)
    #expect(fragment.sql == sql)
    #expect(fragment.bindings == bindings)
  }

  @Test func objectsAreComparedByTheirKeys() throws {
    let oslo = KennelRow(kennel.entity("City"), 7)
    let anna = KennelRow(kennel.owner, 3)
    #expect(try translate("city == %@", oslo).sql == "t0.ZCITY IS 7")
    #expect(try translate("SELF == %@", anna).sql == "t0.Z_PK IS 3")
    #expect(try translate("SELF IN %@", [anna, oslo]).sql == "t0.Z_PK IN (3, -1)")
    #expect(try translate("city == %@", anna).sql == "t0.ZCITY IS -1")
    #expect(
      try translate("pets CONTAINS %@", KennelRow(kennel.entity("Pet"), 5)).sql
        == "EXISTS (SELECT 1 FROM ZPET AS hw1 WHERE hw1.ZOWNER = t0.Z_PK "
        + "AND hw1.Z_PK IS NOT NULL AND hw1.Z_PK IS 5)")
  }

  static let refusals: [(format: String, reason: String)] = [
    ("weight == 1", "keypath weight not found in entity Owner"),
    ("name.length > 3", "keypath name.length not found in entity Owner"),
    ("pets.name == 'a'", "to-many key not allowed here"),
    ("ANY pets.owner.tags == 1", "to-many key not allowed here"),
    ("name == 5", "values of different or unordered types meet"),
    ("site < site", "values of different or unordered types meet"),
    ("photo == %@", "the constant has no counterpart in a store"),
    ("age BEGINSWITH '3'", "a side isn't text"),
    ("name LIKE nick", "the pattern isn't constant"),
    ("name MATCHES '('", "the pattern isn't constant and valid"),
    ("age / limit == 1", "the divisor could be zero"),
    ("modulus:by:(limit + 1, 3) == 0", "modulus:by: is translated for integers only"),
    ("modulus:by:(pets.@sum.owner.limit, 3) == 0", "modulus:by: is translated for integers only"),
    ("bitwiseAnd:with:(limit * 2, 1) == 0", "& is translated for integers only"),
    ("fee + 1 == 2", "+ is translated for integers and Doubles only"),
    ("FUNCTION(name, 'length') == 3", "it is evaluated in memory only"),
    ("age == $x", "the variable has no value"),
    ("pets.@sum.weight > 1", "@sum of these values is evaluated in memory only"),
  ]

  @Test(arguments: refusals)
  func whatCannotBeTranslatedIsRefusedWithAReason(format: String, reason: String) {
    let error = #expect(throws: UntranslatablePredicate.self) {
      try translate(format, Data([1]))
    }
    #expect(error?.reason == reason)
  }
}
