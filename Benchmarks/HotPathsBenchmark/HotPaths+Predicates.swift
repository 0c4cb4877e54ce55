import Benchmark
import Commands

/// A format as policies have it: several comparisons, arguments, and a key path over a to-one.
private let format = "title BEGINSWITH[cd] %@ AND pages > %d AND tag.name IN %@"
private let names = ["tag 1", "tag 2", "tag 3"]

func addPredicates() {
  Benchmark("predicate, parse a format met before", configuration: Limits.of(.kilo)) { benchmark in
    for _ in benchmark.scaledIterations {
      blackHole(try Predicate.parse(format, arguments: ["Book", 100, names]))
    }
  }
  Benchmark("predicate, parse a new format", configuration: Limits.of(.kilo)) {
    benchmark, counter in
    for _ in benchmark.scaledIterations {
      blackHole(try Predicate.parse(counter.next(), arguments: ["Book", 100, names]))
    }
  } setup: {
    FormatCounter()
  }
  addEvaluation(
    "predicate, evaluate equality, \(Limits.books) objects", "title == %@", ["Book 7"], 1)
  addEvaluation(
    "predicate, evaluate LIKE, \(Limits.books) objects", "title LIKE[c] %@", ["book ?"], 10)
  addEvaluation(
    "predicate, evaluate three comparisons, \(Limits.books) objects", format, ["book", 499, names],
    0)
}

private func addEvaluation(
  _ name: String, _ format: String, _ arguments: [any Sendable], _ expected: Int
) {
  Benchmark(name, configuration: Limits.of()) { benchmark, objects in
    let predicate = try Predicate.parse(format, arguments: arguments)
    benchmark.startMeasurement()
    let count = try objects.all.count { try predicate.evaluate(keyed: $0) }
    benchmark.stopMeasurement()
    try WrongResult.check(count == expected, count)
  } setup: {
    try LoadedBooks()
  }
}

/// Formats that nobody has parsed yet.
private final class FormatCounter {
  private var number = 0

  func next() -> String {
    number += 1
    return "\(format) AND pages != \(number)"
  }
}

/// Objects with their values in memory.
private final class LoadedBooks: @unchecked Sendable {
  let library: Library
  let all: [ManagedObject]
  private let context: ManagedObjectContext

  init() throws {
    library = try Library(.memory)
    context = library.context()
    all = try context.fetch(FetchRequest<ManagedObject>(entityName: "Book"))
    // Faults are fired before anything is timed.
    for book in all { _ = (book.value(forKey: "tag") as? ManagedObject)?.value(forKey: "name") }
  }
}
