import Predicates
import Testing

/// Expressions made ready for rows give what they give for objects.
@Suite struct RowProgramTests {
  private static let names = ["name", "age", "nothing"]
  private static let row: ContiguousArray<Value> = [.string("Åke"), .integer(20), .null]

  private var program: RowProgram {
    RowProgram(variable: "source") { Self.names.firstIndex(of: $0) }
  }

  private var object: Value {
    .object(KeyedValues(Dictionary(uniqueKeysWithValues: zip(Self.names, Self.row))))
  }

  @Test(arguments: [
    "name", "$source.name", "SELF.age", "age * 2 + 1", "uppercase($source.name)", "nothing", "nil",
    "\"x\"", #"TERNARY(age > 18 AND name == "Åke", name, "young")"#, "{age, name}",
    #"TERNARY(NOT nothing == nil OR age BETWEEN {1, 3}, 1, 2)"#, "abs(0 - age)",
  ])
  func expressions(format: String) throws {
    let expression = try Expression.parse(format)
    let read = try #require(program.reader(expression))
    #expect(
      try read(Self.row) == expression.value(for: object, variables: ["source": object]))
  }

  @Test(arguments: [
    "name == \"Åke\"", "name LIKE[c] \"å*\"", "age > 19 AND age < 21", "NOT age == 20",
    "nothing == nil", "nothing > 3", "name IN {\"Åke\", \"Bo\"}", "age + 1 == 21",
  ])
  func predicates(format: String) throws {
    let predicate = try Predicate.parse(format)
    let test = try #require(program.test(predicate))
    let keyed = try #require(object.keyed)
    #expect(try test(Self.row) == predicate.evaluate(keyed: keyed))
  }

  @Test(arguments: [
    "$source", "SELF", "other", "$manager.name", "name.length", "friends.@count",
    #"FUNCTION($source, "name")"#, "SUBQUERY(friends, $x, $x.age > 3)", "TERNARY(ANY x > 1, 1, 2)",
  ])
  func whatAsksForMoreCantBeMadeReady(format: String) throws {
    #expect(program.reader(try Expression.parse(format)) == nil)
  }
}

extension Value {
  fileprivate var keyed: (any KeyValueCoding)? {
    if case .object(let object) = self { object as? any KeyValueCoding } else { nil }
  }
}
