import Predicates
import Testing

/// What a person reads about a format that can't be parsed.
@Suite struct FormatErrorTests {
  static let mistakes: [(format: String, column: Int, problem: String)] = [
    ("", 1, "expected a value, found the end of the text"),
    ("name ==", 8, "expected a value, found the end of the text"),
    ("name === 'x'", 6, "no such operator: ==="),
    ("age >>> 3", 7, "expected a value, found '>'"),
    ("name = = 'x'", 8, "expected a value, found '='"),
    ("(age > 3", 9, "expected ')', found the end of the text"),
    ("age > 3)", 8, "expected the end of the text after a predicate, found ')'"),
    ("name == 'abc", 9, "expected a closing '"),
    ("name 'bob'", 6, "expected a comparison operator after name, found the text \"bob\""),
    ("age > 3 AND", 12, "expected a value, found the end of the text"),
    ("age", 4, "expected a comparison operator after age, found the end of the text"),
    ("? == 1", 1, "unexpected '?'"),
    ("age IN {1, 2", 13, "expected ',' or '}', found the end of the text"),
    ("name ==[x] 'a'", 9, "expected options among c, d, n and l, found 'x'"),
    ("SUBQUERY(pets, p, p.age > 1).@count > 0", 16, "expected a variable such as $x, found 'p'"),
    (
      "first == 1", 1,
      "expected a value, found FIRST, a word of the format language; a key of this name is written #first"
    ),
    ("name == OR", 9, "expected a value, found OR"),
    ("name == $", 10, "expected a name after $"),
    ("age == 99999999999999999999", 8, "the number is too large"),
    ("age == 0x", 10, "expected digits"),
    ("pets. == 1", 7, "expected a key after 'pets.', found '=='"),
    (
      "FUNCTION(name, 'a:b:', 1) == 2", 16,
      "the selector a:b: takes 2 arguments, 1 is given"
    ),
    (
      "bookState:(1) == 2", 1,
      "Unable to parse function name 'bookState:' into supported selector (bookState:); "
        + "use FUNCTION(target, \"bookState:\") to call a method."
    ),
    ("sqrt(1, 2) == 2", 1, "sqrt takes 1 argument, not 2."),
  ]

  @Test(arguments: mistakes)
  func mistakeIsNamedWithItsColumn(format: String, column: Int, problem: String) {
    let expected = PredicateFormatError(format: format, column: column, problem: problem)
    #expect(throws: expected) { try Predicate.parse(format) }
  }

  @Test func messageBeginsWithCoreDatasSentence() {
    let error = #expect(throws: PredicateFormatError.self) { try Predicate.parse("name ==") }
    #expect(
      error?.description
        == "Unable to parse the format string \"name ==\" (column 8: expected a value, found the end "
        + "of the text)")
  }

  @Test func missingAndUnsuitableArgumentsAreErrors() {
    func problem(_ format: String, _ arguments: Any?...) -> String? {
      do {
        _ = try Predicate.parse(format, arguments: arguments)
        return nil
      } catch { return (error as? PredicateFormatError)?.problem }
    }
    #expect(problem("name == %@") == "%@: there is no argument for it (0 given)")
    #expect(problem("%K == %@", "name") == "%@: there is no argument for it (1 given)")
    #expect(problem("age == %d", "3") == "%d: its argument must be an integer")
    #expect(problem("%K == 1", 5) == "%K: its argument must be a key path as text")
    #expect(problem("age == %y", 5) == "%y: no such specifier")
    #expect(problem("age == %ld", 5, "more than needed") == nil)
  }

  @Test func deepNestingIsRefusedInsteadOfExhaustingTheStack() {
    let format =
      String(repeating: "(", count: 5000) + "a == 1" + String(repeating: ")", count: 5000)
    let error = #expect(throws: PredicateFormatError.self) { try Predicate.parse(format) }
    #expect(error?.problem == "nested more than 200 levels deep")
    let negations = String(repeating: "NOT ", count: 5000) + "a == 1"
    #expect(throws: PredicateFormatError.self) { try Predicate.parse(negations) }
    let signs = "a == " + String(repeating: "- ", count: 5000) + "b"
    #expect(throws: PredicateFormatError.self) { try Predicate.parse(signs) }
  }

  /// Each of them is put on top of those before, so that a long row is as deep as parentheses are.
  @Test(arguments: ["[0]", "+1", ".a", "*2", " UNION b", "**1"])
  func aLongRowIsAMistake(_ link: String) {
    func format(_ count: Int) -> String {
      "(a" + String(repeating: link, count: count) + ") == 1"
    }
    #expect(throws: Never.self) { try Predicate.parse(format(link == ".a" ? 10 : 150)) }
    if link == ".a" { return }
    let error = #expect(throws: PredicateFormatError.self) { try Predicate.parse(format(20_000)) }
    #expect(error?.problem == "more than 200 operators, keys or indexes in a row")
  }

  @Test func initializerRaisesAnExceptionAndGivesFalse() throws {
    let error = #expect(throws: PredicateFormatError.self) {
      try ExceptionTrap.catching {
        let predicate = Predicate(format: "name ==")
        #expect(predicate.predicateFormat == "FALSEPREDICATE")
      }
    }
    #expect(error?.column == 8)
  }
}
