import Predicates
import Testing

/// The canonical form in which predicates and expressions are printed.
@Suite struct PrintingTests {
  static let predicates: [(written: String, printed: String)] = [
    ("age = 30", "age == 30"),
    ("age<>30", "age != 30"),
    ("age => 30 && age =< 40", "age >= 30 AND age <= 40"),
    ("name like[CD] 'A*'", "name LIKE[cd] \"A*\""),
    ("vip == YES", "vip == 1"),
    ("nick == NULL", "nick == nil"),
    ("a == 1 OR b == 2 AND c == 3", "a == 1 OR (b == 2 AND c == 3)"),
    ("NOT (a == 1 OR b == 2)", "NOT (a == 1 OR b == 2)"),
    ("!(a == 1) AND b == 2", "(NOT a == 1) AND b == 2"),
    ("NOT (NOT a == 1)", "NOT (NOT a == 1)"),
    (
      "(a == 1 AND NOT (b == 2 OR c == 3)) OR d == 4",
      "(a == 1 AND (NOT (b == 2 OR c == 3))) OR d == 4"
    ),
    ("(a == 1 AND b == 2) AND (c == 3 AND d == 4)", "a == 1 AND b == 2 AND c == 3 AND d == 4"),
    ("NONE pets.kind == 'bird'", "NOT ANY pets.kind == \"bird\""),
    ("SOME scores > 1", "ANY scores > 1"),
    ("((a == 1))", "a == 1"),
    ("TRUEPREDICATE && falsepredicate", "TRUEPREDICATE AND FALSEPREDICATE"),
    ("#size == 1 && a.#first == 2", "#size == 1 AND a.#first == 2"),
    ("SELF.name == self", "SELF.name == SELF"),
    ("age BETWEEN {1,2}", "age BETWEEN {1, 2}"),
    ("age IN {}", "age IN {}"),
    ("name == 'it\\'s \\\"x\\\" \\n'", "name == \"it's \\\"x\\\" \\n\""),
    ("when > CAST(100, 'NSDate')", "when > CAST(100.000000, \"NSDate\")"),
    (
      "SUBQUERY(pets, $p, $p.age > 4).@count == 2",
      "SUBQUERY(pets, $p, $p.age > 4).@count == 2"
    ),
    ("(flags & 4) == 4", "(flags & 4) == 4"),
    ("SELF isEqualToString:'x'", "SELF isEqualToString: \"x\""),
  ]

  @Test(arguments: predicates)
  func predicateIsPrintedInCanonicalForm(written: String, printed: String) throws {
    #expect(try Predicate.parse(written).predicateFormat == printed)
  }

  static let expressions: [(written: String, printed: String)] = [
    ("$source.title", "$source.title"),
    ("1 + 2 * 3", "1 + 2 * 3"),
    ("(1 + 2) * 3", "(1 + 2) * 3"),
    ("a - (b - c)", "a - (b - c)"),
    ("a - b - c", "a - b - c"),
    ("add:to:(1, age)", "1 + age"),
    ("-age", "0 - age"),
    ("a -5", "a - 5"),
    ("a - -5", "a - -5"),
    ("0x1F", "31"),
    ("1.50", "1.5"),
    ("sum:({a, 1})", "sum({a, 1})"),
    ("tags[first]", "tags[FIRST]"),
    ("info['k'].x", "info[\"k\"].x"),
    ("ternary(a == 1, 'x', nil)", "TERNARY(a == 1, \"x\", nil)"),
    ("$x := 5", "$x := 5"),
    (
      "FUNCTION($entityPolicy, 'priceFor:manager:', $source, $manager)",
      "FUNCTION($entityPolicy, \"priceFor:manager:\" , $source , $manager)"
    ),
    ("FUNCTION($source, 'valueForKeyPath:', 'a.b')", "$source.a.b"),
    (
      "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Book\", "
        + "\"TRUEPREDICATE\"), $manager.sourceContext, NO)",
      "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\" , \"Book\" , "
        + "\"TRUEPREDICATE\"), $manager.sourceContext, NO)"
    ),
    (
      "$source.countries.@distinctUnionOfSets.moods",
      "$source.countries.@distinctUnionOfSets.moods"
    ),
  ]

  @Test(arguments: expressions)
  func expressionIsPrintedInCanonicalForm(written: String, printed: String) throws {
    let expression = try Expression.parse(written)
    #expect(expression.description == printed)
    #expect(try Expression.parse(printed) == expression)
  }

  @Test func everyKindOfConstantIsReadBackAsPrinted() throws {
    let constants: [Value] = [
      .null, .integer(.min), .integer(.max), .double(30), .double(0.1), .double(-1e300),
      .double(.infinity), .double(.nan), .string("a\\b\n\t\"'é💡"),
      .date(Date(timeIntervalSinceReferenceDate: 1.0 / 3)), .data(Data([0, 255])),
      .uuid(UUID()), .uri(try #require(URL(string: "x-coredata://A/B/p1?q=%20"))),
      .decimal(try #require(Decimal(string: "1234567890.0123456789"))),
      .collection(.init(.array, [.integer(1), .null, .collection(.init(.array, []))])),
    ]
    for constant in constants {
      let printed = Expression.constant(constant).description
      #expect(try Expression.parse(printed).constant == constant, "\(printed)")
    }
  }

  @Test func treesBuiltInCodeArePrintedLikeParsedOnes() throws {
    let comparison = ComparisonPredicate(
      leftExpression: Expression(forKeyPath: "pets.age"),
      rightExpression: Expression(forConstantValue: 4), modifier: .any, type: .greaterThan)
    let compound = CompoundPredicate(
      orPredicateWithSubpredicates: [
        comparison, CompoundPredicate(notPredicateWithSubpredicate: Predicate(value: true)),
        CompoundPredicate(andPredicateWithSubpredicates: [
          ComparisonPredicate(
            leftExpression: Expression(
              forFunction: "add:to:",
              arguments: [Expression(forVariable: "x"), Expression(forConstantValue: 1)]),
            rightExpression: Expression(forAggregate: [
              Expression(forConstantValue: nil), .expressionForEvaluatedObject(),
            ]), type: .in),
          ComparisonPredicate(
            leftExpression: Expression(forKeyPath: "name"),
            rightExpression: Expression(forConstantValue: "a"), type: .beginsWith,
            options: [.caseInsensitive, .diacriticInsensitive]),
        ]),
      ])
    let format =
      "ANY pets.age > 4 OR (NOT TRUEPREDICATE) OR ($x + 1 IN {nil, SELF} AND name BEGINSWITH[cd] \"a\")"
    #expect(compound.predicateFormat == format)
    #expect(try Predicate.parse(format) == compound)
    let alone = CompoundPredicate(andPredicateWithSubpredicates: [comparison])
    #expect(alone.predicateFormat == "ANY pets.age > 4")
    let negated = CompoundPredicate(notPredicateWithSubpredicate: alone)
    let both = CompoundPredicate(orPredicateWithSubpredicates: [alone, negated])
    #expect(both.predicateFormat == "(ANY pets.age > 4) OR (NOT (ANY pets.age > 4))")
    #expect(Expression(forKeyPath: "$x.age").expressionFormat == "$x.age")
  }

  @Test func partsOfATreeHaveApplesNames() throws {
    let predicate = try #require(
      try Predicate.parse("ALL $x.pets.age >=[c] %@", arguments: [[1, 2]]) as? ComparisonPredicate)
    #expect(predicate.comparisonPredicateModifier == .all)
    #expect(predicate.predicateOperatorType == .greaterThanOrEqualTo)
    #expect(predicate.options == .caseInsensitive)
    #expect(predicate.leftExpression.expressionType == .keyPath)
    #expect(predicate.leftExpression.keyPath == "pets.age")
    #expect(predicate.leftExpression.operand.variable == "x")
    #expect(predicate.rightExpression.collection?.count == 2)
    let call = try Expression.parse("FUNCTION($p, 'a:b:', 1, x)")
    #expect(call.function == "a:b:")
    #expect(call.arguments == [Expression(forConstantValue: 1), Expression(forKeyPath: "x")])
  }
}
