import Predicates
import Testing

/// Answers in memory that the reference's cases leave open or that deserve a place of their own.
@Suite struct EvaluationTests {
  @Test func nilIsAValueForEqualityAndNothingElse() throws {
    #expect(try evaluate("nick == nil AND nick != 'x' AND NOT nick == 'x'"))
    for comparison in ["nick < 'x'", "nick >= 'x'", "'x' > nick", "nick LIKE '*'", "nick IN {nil}"]
    {
      #expect(try !evaluate(comparison), "\(comparison)")
    }
    #expect(try !evaluate("name BEGINSWITH nil OR name IN nil OR nick BETWEEN {'a', 'b'}"))
  }

  @Test func textIsComparedByCodeUnit() throws {
    let composed = "caf\u{e9}"
    let decomposed = "cafe\u{301}"
    #expect(try !evaluate("%@ == %@", composed, decomposed))
    #expect(try evaluate("%@ ==[c] %@ AND %@ ==[d] 'cafe'", composed, decomposed, decomposed))
    #expect(try evaluate("'a' < 'b' AND 'Z' < 'a' AND 'z' < 'é' AND '\u{ffff}' < '💡'"))
  }

  @Test func numbersOfAllTypesAreComparedByValue() throws {
    #expect(try evaluate("%@ == 1.5 AND 1.5 == %@", Decimal(1.5), Decimal(1.5)))
    #expect(try evaluate("9007199254740993 > 9007199254740992.0"))
    #expect(try evaluate("9007199254740993 != 9007199254740992.0"))
    #expect(try evaluate("9223372036854775807 < 9.3e18 AND -1 > -1.5"))
    #expect(try evaluate("1 IN %@", [1.0, 2.0]))
    #expect(try evaluate("%@ == TRUE", true))
  }

  @Test func everyCollectionOfFoundationsIsOne() throws {
    let collections: [Any] = [
      ["Anna", "Bob"], Set(["Anna"]), NSArray(object: "Anna"), NSSet(object: "Anna"),
      NSOrderedSet(object: "Anna"), ["key": "Anna"],
      NSDictionary(object: "Anna", forKey: "k" as NSString),
      NSMutableSet(object: "Anna"), ["Anna", NSNull()] as [Any],
    ]
    for collection in collections {
      #expect(try evaluate("name IN %@ AND NOT 'Cid' IN %@", collection, collection))
      #expect(try evaluate("%@ CONTAINS name", collection))
    }
    #expect(
      try evaluate("%@[FIRST] == 'Anna' AND %@[SIZE] == 2", ["Anna", "Bob"], ["Anna", "Bob"]))
    #expect(try evaluate("%@[1] == 'Bob' AND %@['k'] == 1", ["Anna", "Bob"], ["k": 1]))
  }

  @Test func orderingValuesOfDifferentTypesIsAnError() {
    #expect(evaluationError { try evaluate("name > 5") } == .incomparable)
    #expect(evaluationError { try evaluate("SELF < SELF") } == .incomparable)
    #expect(evaluationError { try evaluate("name == 5") } == nil)
  }

  @Test func errorsSayWhatIsWrong() {
    #expect(evaluationError { try evaluate("name == $x") } == .unboundVariable)
    #expect(evaluationError { try evaluate("age BEGINSWITH '3'") } == .notText)
    #expect(evaluationError { try evaluate("age BETWEEN {1}") } == .invalidBounds)
    #expect(evaluationError { try evaluate("name.size2 == 1") } == .undefinedKey)
    #expect(evaluationError { try evaluate("name MATCHES ')('") } == .invalidPattern)
    #expect(evaluationError { try evaluate("scores[7] == 1") } == .invalidIndex)
    #expect(evaluationError { try evaluate("pets[0] == 1") } == .invalidIndex)
    #expect(evaluationError { try evaluate("age / 0 == 1") } == .invalidArgument)
    #expect(evaluationError { try evaluate("CAST(name, 'NSDate') == 1") } == .invalidCast)
    #expect(evaluationError { try evaluate("pets.@foo.age == 1") } == .undefinedKey)
    #expect(throws: CoreDataError.self) { try evaluate("height == 1") }
  }

  @Test func plainAPIRaisesAnExceptionAndAnswersFalse() {
    let predicate = Predicate(format: "name == $x")
    let error = #expect(throws: PredicateEvaluationError.self) {
      try ExceptionTrap.catching { #expect(!predicate.evaluate(with: Person.anna)) }
    }
    #expect(error?.kind == .unboundVariable)
    #expect(predicate.evaluate(with: Person.anna, substitutionVariables: ["x": "Anna"]))
  }

  @Test func dictionariesAtAnyDepthHaveKeys() {
    let object: [String: Any] = ["a": ["b": [["c": 1], ["c": 2]]]]
    #expect(Predicate(format: "a.b.@sum.c == 3 AND a.x == nil").evaluate(with: object))
    #expect(Predicate(format: "'v' IN d").evaluate(with: ["d": ["k": "v"]]))
    #expect(Predicate(format: "k == 1").evaluate(with: NSDictionary(dictionary: ["k": 1])))
  }

  @Test func substitutedVariablesBecomeConstants() throws {
    let predicate = Predicate(format: "name == $n AND SUBQUERY(pets, $p, $p.age > $m).@count == 1")
    let substituted = predicate.withSubstitutionVariables(["n": "Anna", "m": 2, "p": "never"])
    #expect(
      substituted.predicateFormat
        == "name == \"Anna\" AND SUBQUERY(pets, $p, $p.age > 2).@count == 1")
    #expect(substituted.evaluate(with: Person.anna))
    #expect(predicate.withSubstitutionVariables(["n": "x"]).predicateFormat.contains("$m"))
  }

  @Test func subqueriesSeeTheVariablesAroundThem() throws {
    let nested = "SUBQUERY(pets, $p, SUBQUERY(pets, $q, $q.age == $p.age).@count == 1).@count == 2"
    #expect(try evaluate(nested))
    #expect(
      try evaluate(
        "SUBQUERY(pets, $p, $p.age > $m AND age == 30).@count == 1", variables: ["m": .integer(2)]))
    #expect(try value("SUBQUERY(nick, $x, TRUEPREDICATE).@count") == .integer(0))
  }

  @Test func setsLeaveNilAndDuplicatesOutAndArraysKeepThem() throws {
    #expect(try value("pets.age") == .collection(.init(.set, [.integer(3)])))
    #expect(try !evaluate("ANY pets.age == nil"))
    #expect(try evaluate("ANY scores == nil AND scores.@count == 3"))
  }

  @Test func quantifiersRangeOverNothingForNil() throws {
    #expect(try !evaluate("ANY nick.pets == 1"))
    #expect(try evaluate("ALL nick.pets == 1 AND NONE nick.pets == 1"))
  }

  @Test func membershipInALargeListIsByValue() throws {
    let numbers: [Any] = (0..<100).map { Double($0) }
    #expect(try evaluate("age IN %@ AND NOT 30.5 IN %@", numbers, numbers))
    let names: [Any] = (0..<100).map { "n\($0)" } + ["Anna"]
    #expect(try evaluate("name IN %@ AND name IN[c] %@", names, names))
    #expect(try evaluate("NOT nick IN %@", names))
  }

  @Test func regularExpressionsMatchTheWholeText() throws {
    #expect(try evaluate("name MATCHES '(A|An)na'"))
    #expect(try !evaluate("name MATCHES 'Ann'"))
    #expect(try !evaluate("%@ MATCHES 'a'", "a\n"))
    #expect(try evaluate("'CAFÉ' MATCHES[cd] 'c.fe'"))
    #expect(try evaluate("name MATCHES $p", variables: ["p": .string("A.*")]))
    #expect(try !evaluate("name MATCHES $p", variables: ["p": .string("B.*")]))
  }

  @Test func regularExpressionsMayEndWithACommentOrAQuotation() throws {
    // An engine that gives up has said neither yes nor no.
    let long = String(repeating: "a", count: 32)
    #expect(evaluationError { try evaluate("%@ MATCHES '(a+)+b|.*'", long) } == .invalidPattern)
    #expect(try evaluate("%@ MATCHES '(a+)+b|.*'", "aaaa"))
    #expect(try evaluate("'abab' MATCHES '(ab)\\\\1' AND NOT 'abba' MATCHES '(ab)\\\\1'"))
    #expect(try evaluate("%@ MATCHES 'a|b' AND NOT %@ MATCHES 'a|b'", "b", "ab"))
    #expect(try evaluate("%@ MATCHES 'a*' AND NOT %@ MATCHES 'a'", "", ""))
    #expect(try evaluate("name MATCHES '(?x) A n+ a # twice'"))
    #expect(try !evaluate("name MATCHES '(?x) A n # once'"))
    #expect(try evaluate("'a.b' MATCHES '\\\\Qa.b' AND NOT 'axb' MATCHES '\\\\Qa.b'"))
    #expect(try !evaluate("'a.bc' MATCHES '\\\\Qa.b'"))
  }

  @Test func aDictionaryMayHaveAKeyCalledSelf() throws {
    let with = Value.object(KeyedValues(["self": .integer(7), "a": .integer(1)]))
    let without = Value.object(KeyedValues(["a": .integer(1)]))
    #expect(try Predicate.parse("#self == 7").evaluate(with))
    #expect(try Predicate.parse("%K == 7", arguments: ["self"]).evaluate(with))
    #expect(try Predicate.parse("SELF.a == 1").evaluate(with))
    #expect(try Predicate.parse("SELF.self.a == 1").evaluate(without))
    #expect(try Predicate.parse("d.#self == 7").evaluate(.object(KeyedValues(["d": with]))))
  }

  @Test func anyWholeNumberIsAnIndex() throws {
    #expect(try evaluate("{5, 6, 7}[1.0] == 6 AND {5, 6, 7}[4 / 2.0] == 7"))
    for index in ["0.5", "-1", "3", "1e300", "'1'", "nil"] {
      #expect(
        evaluationError { try evaluate("{5, 6, 7}[\(index)] == 5") } == .invalidIndex, "\(index)")
    }
  }

  @Test func sumsOfIntegersGoOnAsDoublesBeyond64Bits() throws {
    let most = Int64.max
    #expect(try evaluate("sum({%@, 1, -1}) == %@", most, most))
    #expect(try evaluate("sum({%@, 1, -2}) == %@", most, most - 1))
    #expect(try evaluate("sum({%@, -1, 1}) == %@", Int64.min, Int64.min))
    #expect(try evaluate("sum({%@, %@}) == 18446744073709551614.0", most, most))
    #expect(try evaluate("sum({%@, %@, 0.5}) > %@", most, most, most))
    #expect(try evaluate("average({%@, %@}) == 9223372036854775807.0", most, most))
  }

  @Test func likeTakesOneCodePointForAQuestionMark() throws {
    #expect(try evaluate("%@ LIKE 'caf?'", "café"))
    #expect(try evaluate("%@ LIKE '?'", "💡"))
    #expect(try evaluate("'a*b' LIKE 'a\\\\*b' AND NOT 'axb' LIKE 'a\\\\*b'"))
    #expect(try evaluate("'mississippi' LIKE 'm*iss*p?*i' AND NOT 'miss' LIKE '*x*'"))
    #expect(try evaluate("'a\nb' LIKE 'a*b' AND '' LIKE '' AND '' LIKE '**'"))
  }

  @Test func objectsAreEqualToThemselvesAndTheirIdentifiers() throws {
    final class Identifier: NSObject, IdentifiedObject {
      var identity: AnyObject { self }
    }
    final class Owner: NSObject, IdentifiedObject {
      let id = Identifier()
      var identity: AnyObject { id }
    }
    let owner = Owner()
    let object = Value.object(KeyedValues(["owner": .object(owner)]))
    func holds(_ format: String, _ argument: Any) throws -> Bool {
      try Predicate.parse(format, arguments: [argument]).evaluate(object)
    }
    #expect(try holds("owner == %@", owner))
    #expect(try holds("owner == %@", owner.id))
    #expect(try holds("owner IN %@", [owner.id]))
    #expect(try holds("owner IN %@", (0..<20).map { _ in Identifier() } + [owner.id]))
    #expect(try !holds("owner == %@", Owner()))
    #expect(try !holds("owner == %@", "x"))
  }

  @Test func blocksAreAskedWithObjectAndVariables() {
    let predicate = Predicate { object, variables in
      (object as? NSNumber)?.intValue == variables?["x"] as? Int
    }
    #expect(predicate.evaluate(with: 5, substitutionVariables: ["x": 5]))
    #expect(!predicate.evaluate(with: 6, substitutionVariables: ["x": 5]))
  }
}
