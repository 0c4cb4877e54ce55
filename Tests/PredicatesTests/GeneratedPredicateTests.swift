import Predicates
import TestSupport
import Testing

/// Laws that hold for any predicate; a failure names the seed that repeats it.
@Suite struct GeneratedPredicateTests {
  /// Different in each run, so that runs add up.
  static let seeds = (0..<300).map { _ in UInt64.random(in: .min ... .max) }

  @Test func everyTreeParsesAgainAsPrinted() throws {
    for seed in Self.seeds {
      var generator = PredicateGenerator(seed: seed)
      let predicate = generator.predicate()
      let printed = predicate.predicateFormat
      do {
        #expect(try Predicate.parse(printed) == predicate, "seed \(seed): \(printed)")
      } catch { Issue.record("seed \(seed): \(error)") }
    }
  }

  @Test func damagedTextGivesAPredicateOrAnError() {
    for seed in Self.seeds {
      var generator = PredicateGenerator(seed: seed)
      let text = generator.damaged(generator.predicate().predicateFormat)
      do {
        let predicate = try Predicate.parse(text, arguments: ["a", 1, "b"])
        #expect(
          try Predicate.parse(predicate.predicateFormat) == predicate, "seed \(seed): \(text)")
      } catch let error as PredicateFormatError {
        #expect(
          (1...text.unicodeScalars.count + 1).contains(error.column), "seed \(seed): \(error)")
      } catch { Issue.record("seed \(seed): \(error)") }
    }
  }

  @Test func evaluatingAnyPredicateAnswersOrThrows() {
    for seed in Self.seeds {
      var generator = PredicateGenerator(seed: seed)
      let predicate = generator.predicate()
      let variables: [String: Value] = [
        "x": .object(Person.anna), "y": .integer(1), "source": .null,
      ]
      let first = try? predicate.evaluate(.object(Person.anna), variables: variables)
      if predicate.predicateFormat.contains("now()") { continue }
      let second = try? predicate.evaluate(.object(Person.anna), variables: variables)
      #expect(first == second, "seed \(seed): \(predicate)")
    }
  }
}
