import Predicates
import Testing

/// Values of expressions, as mapping models use them.
@Suite struct ExpressionTests {
  /// Stands for a policy or a migration manager.
  final class Target: NSObject, FunctionTarget, KeyValueCoding {
    func callFunction(selector: String, arguments: [Value]) throws -> Value {
      guard selector == "slugFor:", case .string(let title) = arguments[0] else {
        throw CoreDataError(.migration, "policy Target does not respond to \(selector)")
      }
      return .string(title.lowercased() + "-1")
    }

    func typedValue(forKey key: String) throws -> Value { .object(Context()) }
  }

  final class Context: NSObject, FetchTarget {
    func fetchValue(request: Value, countOnly: Bool) throws -> Value {
      countOnly ? .integer(2) : .collection(.init(.array, [request, request]))
    }
  }

  @Test func functionCallsTheTargetWithEvaluatedArguments() throws {
    let variables: [String: Value] = [
      "entityPolicy": .object(Target()), "source": .object(Person.anna),
    ]
    let call = "FUNCTION($entityPolicy, 'slugFor:', $source.name)"
    #expect(try value(call, variables: variables) == .string("anna-1"))
    #expect(throws: CoreDataError.self) {
      try value("FUNCTION($entityPolicy, 'other:', $source.name)", variables: variables)
    }
    #expect(try value("FUNCTION(nil, 'slugFor:', 1)") == .null)
  }

  /// Not only of methods that take any value: a key may be computed, too.
  @Test func aKeyThatAFunctionReadsIsEvaluated() throws {
    let call = "FUNCTION(SELF, 'valueForKey:', $key)"
    #expect(try value(call, variables: ["key": .string("age")]) == .integer(30))
    let keyed = Value.object(KeyedValues(["key": .string("b"), "b": .integer(1)]))
    let read = try Expression.parse("FUNCTION(SELF, 'valueForKeyPath:', key)")
    #expect(try read.value(for: keyed) == .integer(1))
    #expect(read.description == "FUNCTION(SELF, \"valueForKeyPath:\" , key)")
  }

  @Test func functionReadsPropertiesOfObjectsByTheirGetters() throws {
    #expect(try value("FUNCTION(SELF, 'name')") == .string("Anna"))
    #expect(try value("FUNCTION(SELF, 'valueForKey:', 'age')") == .integer(30))
    let path = Expression(
      forFunction: Expression(forVariable: "source"), selectorName: "valueForKeyPath:",
      arguments: [Expression(forConstantValue: "pets.@count")])
    #expect(try path.value(for: .null, variables: ["source": .object(Person.anna)]) == .integer(2))
  }

  @Test func fetchAsksItsContext() throws {
    let variables: [String: Value] = ["manager": .object(Target())]
    #expect(
      try value("FETCH('r', $manager.sourceContext, YES)", variables: variables) == .integer(2))
    #expect(
      try value("FETCH('r', $manager.sourceContext, NO)", variables: variables)
        == .collection(.init(.array, [.string("r"), .string("r")])))
    #expect(evaluationError { try value("FETCH('r', 'c', NO)") } == .invalidArgument)
  }

  @Test func keyOfAnObjectWithoutKeysIsAClearError() {
    let error = #expect(throws: PredicateEvaluationError.self) {
      try value("$x.name", variables: ["x": .object(NSObject())])
    }
    #expect(error?.kind == .undefinedKey)
    #expect(
      error?.reason.hasPrefix(
        "[<NSObject> valueForUndefinedKey:]: this class is not key value coding-compliant for the "
          + "key name") == true)
  }

  @Test func methodsOfFoundationsClassesCanBeCalled() throws {
    let results: [(String, Value)] = [
      ("FUNCTION('abc', 'uppercaseString')", .string("ABC")),
      ("FUNCTION('abc', 'stringByAppendingString:', 'd')", .string("abcd")),
      ("FUNCTION('a-b', 'componentsSeparatedByString:', '-')[LAST]", .string("b")),
      (
        "FUNCTION('a-b', 'stringByReplacingOccurrencesOfString:withString:', '-', '+')",
        .string("a+b")
      ),
      ("FUNCTION('héllo', 'substringFromIndex:', 1)", .string("éllo")),
      ("FUNCTION('x1', 'hasPrefix:', 'x')", .integer(1)),
      ("'12'.integerValue + 1", .integer(13)),
      ("(2.5).intValue", .integer(2)),
      ("FUNCTION(5, 'stringValue')", .string("5")),
      ("FUNCTION({1, 2}, 'count')", .integer(2)),
      ("FUNCTION({1, 2}, 'componentsJoinedByString:', ', ')", .string("1, 2")),
      ("CAST(5, 'NSDate').timeIntervalSinceReferenceDate", .double(5)),
      ("'💡'.length", .integer(2)),
    ]
    for (format, expected) in results {
      #expect(try value(format) == expected, "\(format)")
    }
    #expect(
      evaluationError { try value("FUNCTION('abc', 'noSuchMethod')") } == .unrecognizedSelector)
    #expect(
      evaluationError { try value("FUNCTION('abc', 'substringToIndex:', 4)") } == .invalidIndex)
    #expect(evaluationError { try value("FUNCTION('abc', 'hasPrefix:', 4)") } == .invalidArgument)
  }

  /// Foundation's own methods stop the process at such texts.
  @Test(arguments: ["intValue", "integerValue", "longLongValue", "doubleValue", "boolValue"])
  func numbersAreReadFromAnyText(_ method: String) throws {
    for (text, number) in [("😀 7", 0), (" -😀", 0), ("+𝟕", 0), ("7 😀", 7), ("7😀", 7), ("", 0)] {
      let expected = method == "boolValue" ? (number == 0 ? 0 : 1) : number
      let found = try value("FUNCTION('\(text)', '\(method)')")
      #expect(
        found == (method == "doubleValue" ? .double(Double(expected)) : .integer(Int64(expected))))
    }
  }

  @Test func partsOfATextDontDivideCharacters() throws {
    #expect(try value("FUNCTION('a😀b', 'substringToIndex:', 1)") == .string("a"))
    #expect(try value("FUNCTION('a😀b', 'substringToIndex:', 3)") == .string("a😀"))
    #expect(try value("FUNCTION('a😀b', 'substringFromIndex:', 3)") == .string("b"))
    #expect(try value("FUNCTION('a😀b', 'substringFromIndex:', 4)") == .string(""))
    #expect(try value("FUNCTION('e\u{301}b', 'substringToIndex:', 1)") == .string("e"))
    for method in ["substringToIndex:", "substringFromIndex:"] {
      #expect(evaluationError { try value("FUNCTION('a😀b', '\(method)', 2)") } == .invalidIndex)
    }
  }

  @Test func arithmeticKeepsIntegersWhole() throws {
    let results: [(String, Value)] = [
      ("7 / 2", .integer(3)), ("7 / 2.0", .double(3.5)), ("-7 / 2", .integer(-3)),
      ("2 ** 10", .integer(1024)), ("2 ** -1", .double(0.5)), ("2 ** 64", .double(0x1p64)),
      ("9223372036854775807 + 1", .double(0x1p63)), ("10 - 4 - 3", .integer(3)),
      ("modulus:by:(-7, 3)", .integer(-1)), ("-age", .integer(-30)),
      ("abs(-4)", .integer(4)), ("abs(-4.5)", .double(4.5)), ("floor(-2.5)", .double(-3)),
      ("onesComplement(0)", .integer(-1)), ("leftshift:by:(1, 70)", .integer(0)),
      (
        "CAST('0.1', 'NSDecimalNumber') + CAST('0.2', 'NSDecimalNumber')",
        .decimal(Decimal(string: "0.3") ?? 0)
      ),
      ("CAST(9, 'NSDate') - CAST(4, 'NSDate')", .double(5)),
      ("trunc(CAST('-2.5', 'NSDecimalNumber'))", .decimal(-2)),
    ]
    for (format, expected) in results {
      #expect(try value(format) == expected, "\(format)")
    }
  }

  @Test func statisticsTakeNilForZeroWhereValuesAreAddedUp() throws {
    let results: [(String, Value)] = [
      ("scores.@sum.self", .integer(130)), ("scores.@avg.self", .double(130.0 / 3)),
      ("scores.@min.self", .integer(40)), ("scores.@max.self", .integer(90)),
      ("scores.@unionOfObjects.self", .collection(.init(.array, [.integer(40), .integer(90)]))),
      ("average({1, 2})", .double(1.5)), ("median({3, 1, 2})", .integer(2)),
      ("median({4, 1, 2, 3})", .double(2.5)), ("stddev({2, 4, 4, 4, 5, 5, 7, 9})", .double(2)),
      ("mode({1, 2, 2.0, 3})", .collection(.init(.array, [.integer(2)]))),
      ("max(1, 5, 3)", .integer(5)), ("average({})", .null), ("count(nick)", .integer(0)),
    ]
    for (format, expected) in results {
      #expect(try value(format) == expected, "\(format)")
    }
  }

  @Test func operatorsOnCollectionsOfCollectionsJoinThem() throws {
    let countries: [[String: Any]] = [["moods": ["a", "b"]], ["moods": ["b"]]]
    let variables = ["c": Value(evaluating: countries)]
    #expect(
      try value("$c.@distinctUnionOfArrays.moods", variables: variables)
        == .collection(.init(.array, [.string("a"), .string("b")])))
    #expect(try value("$c.@unionOfArrays.moods.@count", variables: variables) != .integer(3))
    #expect(try value("($c.@unionOfArrays.moods).@count", variables: variables) == .integer(3))
  }

  @Test func assignedVariableIsKnownToWhatFollows() throws {
    #expect(try value("{$x := age + 1, $x}[LAST]") == .integer(31))
    #expect(try evaluate("($x := age) == 30 AND $x == 30"))
  }

  @Test func expressionValueIsBoxed() {
    let expression = Expression(format: "$x.age + 1")
    let value = expression.expressionValue(
      with: nil, context: NSMutableDictionary(dictionary: ["x": Person.anna]))
    #expect(value as? Int == 31)
  }

  @Test func castsConvertBetweenFoundationsTypes() throws {
    let results: [(String, Value)] = [
      ("CAST(CAST(5, 'NSDate'), 'NSNumber')", .double(5)), ("CAST('12', 'NSNumber')", .integer(12)),
      ("CAST(12, 'NSString')", .string("12")), ("CAST(nick, 'NSDate')", .null),
    ]
    for (format, expected) in results {
      #expect(try value(format) == expected, "\(format)")
    }
  }

  @Test func unknownFunctionNameRaises() {
    #expect(throws: PredicateEvaluationError.self) {
      try ExceptionTrap.catching { _ = Expression(forFunction: "noSuch:", arguments: []) }
    }
  }
}
