import Testing

@testable import Predicates

/// Rules of the format language that public tests assert of Apple's frameworks.
@Suite struct DeviceRuleTests {
  private func value(_ format: String, _ object: [String: Any] = [:], _ arguments: Any?...) throws
    -> Value
  {
    var parser = try FormatParser(format, arguments: arguments)
    return try parser.wholeExpression().value(for: Value(evaluating: object), variables: [:])
  }

  @Test func anExpressionAsArgumentIsThatExpression() throws {
    let count = Predicate(format: "%@ > 1", Expression(forVariable: "count"))
    #expect(count == Predicate(format: "$count > 1"))
    #expect(try count.evaluate(.null, variables: ["count": .integer(2)]))
    // Once more, from the template that the format is kept as; and with another kind of argument.
    #expect(
      Predicate(format: "%@ > 1", Expression(forKeyPath: "a.b")) == Predicate(format: "a.b > 1"))
    #expect(Predicate(format: "%@ > 1", 5) == Predicate(format: "5 > 1"))
    let path = Expression(forKeyPath: "name.length")
    #expect(Predicate(format: "$x.%@ == 1", path) == Predicate(format: "$x.name.length == 1"))
    #expect(
      Predicate(format: "%@.%@ == 1", Expression(forVariable: "x"), path)
        == Predicate(format: "$x.name.length == 1"))
  }

  @Test(arguments: [
    ("1 << 3", 8), ("8 >> 2", 2), ("(5 | 2)", 7), ("5 | 2", 7), ("(6 ^ 3)", 5), ("(6 & 3)", 2),
    ("~0", -1), ("1 + 1 << 2", 8), ("6 & 3 | 8", 10), ("1 | 2 << 1", 5),
  ])
  func bitsHaveOperators(_ format: String, _ expected: Int64) throws {
    #expect(try value(format) == .integer(expected))
  }

  @Test func bitsAreOperatorsInComparisons() {
    #expect(Predicate(format: "1 << 3 == 8").evaluate(with: nil))
    #expect(Predicate(format: "(key | 1) > 0").evaluate(with: ["key": 0]))
    #expect(Predicate(format: "key & 4 == 4 || key == 0").evaluate(with: ["key": 6]))
  }

  @Test(arguments: [
    "x + y", "x - y", "x * y", "x / y", "x ** y", "modulus:by:(x, y)", "12.5 * x + (y)",
  ])
  func arithmeticWithNilRaises(_ format: String) throws {
    let error = #expect(throws: PredicateEvaluationError.self) { try value(format, ["x": 2]) }
    #expect(error?.kind == .invalidArgument)
    #expect(error?.reason.hasPrefix("Can't do arithmetic with nil: ") == true)
    _ = try value(format, ["x": 2, "y": 1])
  }

  @Test(arguments: [
    ("uppercase(x)", Value.null, false), ("abs(x)", .null, true), ("x & 1", .null, true),
    ("1 | x", .null, true),
    ("x ^ 1", .null, true), ("1 << x", .null, true), ("x >> 1", .null, true), ("~x", .null, true),
    ("noindex(x)", .null, false), ("sum({1, nil, 2})", .integer(3), false),
    ("y & 1", .integer(1), false),
  ])
  func otherFunctionsOfNilAreADoubt(_ format: String, _ expected: Value, isTold: Bool) throws {
    let witness = AppCodeWitness()
    let found = try AppCodeWitness.$current.withValue(witness) { try value(format, ["y": 1]) }
    #expect(found == expected)
    #expect(witness.doubts == (isTold ? [.functionOfNil] : []))
  }

  @Test func aSelectorIsAnOperator() throws {
    #expect(Predicate(format: "self isKindOfClass: %@", NSObject.self).evaluate(with: NSObject()))
    #expect(!Predicate(format: "self isKindOfClass: %@", Thread.self).evaluate(with: NSObject()))
    #expect(Predicate(format: "self isKindOfClass: %@", NSObject.self).evaluate(with: Thread()))
    #expect(!Predicate(format: "self isMemberOfClass: %@", NSObject.self).evaluate(with: Thread()))
    #expect(
      Predicate(format: "name hasPrefix: 'A' AND age > 1").evaluate(with: ["name": "Ann", "age": 2])
    )
    #expect(Predicate(format: "NOT name hasPrefix: %@", "B").evaluate(with: ["name": "Ann"]))
    for text in ["name compare:options: 1", "ANY names hasPrefix: 'A'", "name hasPrefix:"] {
      #expect(throws: PredicateFormatError.self) { try Predicate.parse(text) }
    }
  }

  @Test func anIndexBehindADotBelongsToTheLastKey() throws {
    let object: [String: Any] = ["a": ["d": [1, 2]], "b": [[3]], "d": [4]]
    #expect(try value("(a.d)[0]", object) == .integer(1))
    #expect(try value("d[0]", object) == .integer(4))
    #expect(try value("b[0][0]", object) == .integer(3))
    let error = #expect(throws: PredicateEvaluationError.self) { try value("a.d[0]", object) }
    #expect(error?.kind == .invalidIndex)
    for text in ["a.d[0]", "(a.d)[0]", "d[0]", "b[0][0]", "$x.d[SIZE]", "($x.d)[SIZE]"] {
      var parser = try FormatParser(text, arguments: [])
      let expression = try parser.wholeExpression()
      #expect(expression.expressionFormat == text)
    }
  }

  @Test func aVariableMayBeAKey() throws {
    let predicate = Predicate(format: "$a.$b == 1")
    #expect(
      try predicate.evaluate(
        .null, variables: ["a": Value(evaluating: ["k": 1]), "b": .string("k")]))
  }

  @Test func onlyArraysHaveAUnionOfObjects() throws {
    let members: [[String: Any]] = [["n": 1], ["n": 1]]
    let set = Value.collection(ValueCollection(.set, members.map { Value(evaluating: $0) }))
    let keyed = KeyedValues(["all": set, "list": Value(evaluating: members)])
    func value(_ path: String) throws -> Value {
      try Expression(forKeyPath: path).value(for: .object(keyed), variables: [:])
    }
    for name in ["unionOfObjects", "unionOfArrays"] {
      let error = #expect(throws: PredicateEvaluationError.self) { try value("all.@\(name).n") }
      #expect(
        error?.reason.hasPrefix("this class does not implement the \(name) operation.") == true)
    }
    #expect(try value("list.@unionOfObjects.n").elementCount == 2)
    #expect(try value("all.@distinctUnionOfObjects.n").elementCount == 1)
    #expect(try value("all.@count.n") == .integer(2))
    #expect(throws: PredicateEvaluationError.self) {
      try Expression(forKeyPath: "@sum.n").value(for: .object(keyed), variables: [:])
    }
  }

  @Test func keysAreOfASCII() throws {
    let error = #expect(throws: PredicateFormatError.self) { try Predicate.parse("größe > 1") }
    #expect(error?.problem == "unexpected 'ö', a letter that only %K takes in a key")
    #expect(Predicate(format: "%K > 1", "größe").evaluate(with: ["größe": 2]))
  }

  @Test(arguments: [
    ("NOT (ANY a.b == 1)", true), ("NOT ((ANY a.b == 1) OR c == 1)", true),
    ("NOT (c == 1 AND (ANY a.b == 1))", true), ("NOT (NOT (ANY a.b == 1))", false),
    ("NOT ((NOT (ANY a.b == 1)) OR c == 1)", false), ("ANY a.b == 1 AND NOT (c == 1)", false),
    ("NONE a.b == 1", true),
  ])
  func noneIsFoundWhereverNotStands(_ format: String, _ isNone: Bool) {
    #expect(Predicate(format: format).isAboutNone() == isNone)
  }
}

extension Value {
  fileprivate var elementCount: Int? {
    if case .collection(let collection) = self { collection.elements.count } else { nil }
  }
}
