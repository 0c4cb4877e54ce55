import Predicates
import Testing

/// UNION, INTERSECT and MINUS, UTI operators, ANYKEY, blocks and methods as operators.
@Suite struct RareExpressionTests {
  @Test(arguments: [
    ("{1, 2} UNION {2, 3} == {3, 1, 2}", true), ("{1, 2} intersect {2, 3} == {2}", true),
    ("{1, 2} MINUS {2, 3} == {1}", true), ("({1} UNION {2}) MINUS {1} == {2}", true),
    ("{1} UNION {2} MINUS {1} == {2}", true), ("{1} UNION ({2} MINUS {1}) == {1, 2}", true),
    ("90 IN scores MINUS {40}", true), ("40 IN scores MINUS {40.0}", false),
    ("ANY scores UNION {100} > 95", true), ("nick UNION {1} == {1}", true),
    ("({1, 1} UNION {}).@count == 1", true),
  ])
  func setsAreJoined(format: String, expected: Bool) throws {
    #expect(try evaluate(format) == expected)
  }

  @Test func setOperationsNeedCollections() {
    #expect(evaluationError { try evaluate("1 UNION {2} == {1}") } == .notACollection)
  }

  @Test func wordsOfSetsAreKeysElsewhere() throws {
    let predicate = try Predicate.parse("union == 1 AND a.minus == intersect")
    #expect(predicate.predicateFormat == "union == 1 AND a.minus == intersect")
  }

  @Test(arguments: [
    ("'public.jpeg' UTI-CONFORMS-TO 'public.image'", true),
    ("'public.jpeg' uti-conforms-to 'public.item'", true),
    ("'public.jpeg' UTI-CONFORMS-TO 'public.text'", false),
    ("'public.jpeg' UTI-CONFORMS-TO 'public.data'", true),
    ("'public.image' UTI-CONFORMS-TO 'public.jpeg'", false),
    ("'com.example.note' UTI-CONFORMS-TO 'com.example.NOTE'", true),
    ("'public.JPEG' UTI-EQUALS 'public.jpeg'", true),
    ("'public.jpeg' UTI-EQUALS 'public.image'", false), ("nick UTI-EQUALS 'x'", false),
  ])
  func typesConform(format: String, expected: Bool) throws {
    #expect(try evaluate(format) == expected)
  }

  @Test func anyKeyIsForSpotlight() throws {
    let predicate = try Predicate.parse("anykey == 'x'")
    #expect(predicate.predicateFormat == "ANYKEY == \"x\"")
    #expect(evaluationError { try predicate.evaluate(.null) } == .invalidArgument)
  }

  @Test func aPlainPercentSignIsAMistake() {
    let error = #expect(throws: PredicateFormatError.self) { try Predicate.parse("age %% 2 == 1") }
    #expect(error?.column == 5)
  }

  @Test func blocksGetTheObjectTheArgumentsAndTheVariables() {
    let sum = Expression(
      block: { object, arguments, context in
        let x = (context?["x"] as? NSNumber)?.intValue ?? 0
        let first = (arguments.first as? NSNumber)?.intValue ?? 0
        return ((object as? String)?.count ?? 0) + first + x
      }, arguments: [Expression(forConstantValue: 10)])
    let value = sum.expressionValue(with: "abc", context: ["x": 100])
    #expect((value as? NSNumber)?.intValue == 113)
    #expect(sum.expressionType == .block)
    #expect(sum.expressionBlock != nil)
  }

  @Test func aMethodServesAsOperator() throws {
    let predicate = ComparisonPredicate(
      leftExpression: Expression(forKeyPath: "name"),
      rightExpression: Expression(forConstantValue: "An"), customSelector: "hasPrefix:")
    #expect(try predicate.evaluate(.object(Person.anna)))
    #expect(predicate.predicateFormat == "name hasPrefix: \"An\"")
    #expect(predicate == predicate.withSubstitutionVariables([:]))
    let unknown = ComparisonPredicate(
      leftExpression: Expression(forKeyPath: "name"),
      rightExpression: Expression(forConstantValue: 1), customSelector: "bark:")
    #expect(
      evaluationError { try unknown.evaluate(.object(Person.anna)) } == .unrecognizedSelector)
  }

  @Test func partsOfRareExpressionsHaveNames() throws {
    let union = Expression(
      forUnionSet: Expression(forKeyPath: "a"), with: Expression(forKeyPath: "b"))
    #expect(union == (try Expression.parse("a UNION b")))
    #expect(union.expressionType == .unionSet)
    #expect(union.left?.keyPath == "a" && union.right?.keyPath == "b")
    let choice = try Expression.parse("TERNARY(a == 1, 2, 3)")
    #expect(choice.true == Expression(forConstantValue: 2))
    #expect(choice.false == Expression(forConstantValue: 3))
  }

  @Test func foundationsCollectionsAreFiltered() throws {
    let predicate = try Predicate.parse("SELF > 1")
    #expect(NSArray(array: [3, 1, 2]).filtered(using: predicate) as? [Int] == [3, 2])
    let members = NSSet(array: [3, 1]).filtered(using: predicate)
    #expect(NSSet(set: members).isEqual(NSSet(array: [3])))
    #expect(NSOrderedSet(array: [3, 1, 2]).filtered(using: predicate).array as? [Int] == [3, 2])
    let array = NSMutableArray(array: [1, 2])
    array.filter(using: predicate)
    #expect(array as? [Int] == [2])
    let set = NSMutableSet(array: [1, 2])
    set.filter(using: predicate)
    #expect(set.allObjects as? [Int] == [2])
    let ordered = NSMutableOrderedSet(array: [1, 2])
    ordered.filter(using: predicate)
    #expect(ordered.array as? [Int] == [2])
  }
}
