import Predicates

/// A person with things to ask about, as an object with keys.
final class Person: NSObject, KeyValueCoding, Sendable {
  private let values: [String: Value]

  init(_ values: [String: Value]) { self.values = values }

  func typedValue(forKey key: String) throws -> Value {
    guard let value = values[key] else {
      throw CoreDataError(
        .coreData, "the entity Person is not key value coding-compliant for \(key)")
    }
    return value
  }

  static func collection(_ kind: ValueCollection.Kind, _ elements: [Value]) -> Value {
    .collection(ValueCollection(kind, elements))
  }

  /// Anna, 30, with two pets and no nickname.
  static let anna = Person([
    "name": .string("Anna"), "nick": .null, "age": .integer(30),
    "pets": collection(
      .set,
      [
        .object(Person(["kind": .string("dog"), "age": .integer(3)])),
        .object(Person(["kind": .string("cat"), "age": .null])),
      ]),
    "scores": collection(.array, [.integer(40), .null, .integer(90)]),
  ])
}

/// The answer for Anna.
func evaluate(_ format: String, _ arguments: Any?..., variables: [String: Value] = [:]) throws
  -> Bool
{
  try Predicate.parse(format, arguments: arguments)
    .evaluate(.object(Person.anna), variables: variables)
}

/// An expression's value for Anna.
func value(_ format: String, variables: [String: Value] = [:]) throws -> Value {
  try Expression.parse(format).value(for: .object(Person.anna), variables: variables)
}

/// The kind of the error that `body` throws; nil when it throws none of its kind.
func evaluationError(_ body: () throws -> some Any) -> PredicateEvaluationError.Kind? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? PredicateEvaluationError)?.kind
  }
}
