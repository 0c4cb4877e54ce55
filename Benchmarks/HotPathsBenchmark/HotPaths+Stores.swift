import Benchmark
import Commands

func addFetches(on backend: Backend) {
  addFetch("all \(Limits.books) objects", on: backend, nil, expected: Limits.books)
  addFetch(
    "by equality, of \(Limits.books)", on: backend, Predicate(format: "title == %@", "Book 7"),
    expected: 1)
  addFetch(
    "by LIKE, of \(Limits.books)", on: backend, Predicate(format: "title LIKE %@", "Book 7"),
    expected: 1)
  Benchmark(
    "fetch, 1000 look-ups by name among unsaved objects, \(backend.rawValue)",
    configuration: Limits.of()
  ) { benchmark, library in
    let context = library.context()
    Library.fill(context, 100)
    benchmark.startMeasurement()
    var found = 0
    for number in 0..<1000 {
      let request = FetchRequest<ManagedObject>(entityName: "Tag")
      request.predicate = Predicate(format: "name LIKE %@", "tag \(number % 200)")
      found += try context.fetch(request).count
    }
    benchmark.stopMeasurement()
    try WrongResult.check(found == 500, found)
    context.rollback()
  } setup: {
    try Library(empty: backend)
  }
}

private func addFetch(
  _ name: String, on backend: Backend, _ predicate: Predicate?, expected: Int
) {
  Benchmark("fetch, \(name), \(backend.rawValue)", configuration: Limits.of()) {
    benchmark, library in
    let context = library.context()
    let request = FetchRequest<ManagedObject>(entityName: "Book")
    request.predicate = predicate
    benchmark.startMeasurement()
    let count = try context.fetch(request).count
    benchmark.stopMeasurement()
    try WrongResult.check(count == expected, count)
  } setup: {
    try Library(backend)
  }
}

func addWriting(on backend: Backend) {
  let count = Limits.books
  Benchmark("insert, \(count) objects, \(backend.rawValue)", configuration: Limits.of()) {
    benchmark, library in
    let context = library.context()
    benchmark.startMeasurement()
    Library.fill(context, count)
    benchmark.stopMeasurement()
    try WrongResult.check(
      context.insertedObjects.count == count + 100, context.insertedObjects.count)
    context.rollback()
  } setup: {
    try Library(empty: backend)
  }
  Benchmark("save, \(count) objects, \(backend.rawValue)", configuration: Limits.of()) {
    benchmark in
    let library = try Library(empty: backend)
    let context = library.context()
    Library.fill(context, count)
    benchmark.startMeasurement()
    try context.save()
    benchmark.stopMeasurement()
    let saved = try library.context().count(for: FetchRequest<ManagedObject>(entityName: "Book"))
    try WrongResult.check(saved == count, saved)
  }
}
