import TestSupport
import Testing

@testable import Persistence

@Suite("Arithmetic in batch updates")
struct BatchArithmeticTests {
  /// A stack with three items, one of which has the greatest number of pages there is.
  private func stackWithGreatNumbers(_ backend: Backend) throws -> Stack {
    let model = try LibraryModel.make { entities in
      let pages = entities["Item"]?.ownProperties.first { $0.name == "pages" }
      (pages as? AttributeDescription)?.attributeType = .integer64
    }
    let stack = try Stack(backend, model)
    for pages in [Int64.max, 10, .min] { stack.insert("Item", ["pages": pages]) }
    stack.insert("Item")
    try stack.context.save()
    return stack
  }

  private func update(_ format: String, where predicate: String?) throws -> BatchUpdateRequest {
    let update = BatchUpdateRequest(entityName: "Item")
    update.predicate = try predicate.map { try Predicate.parse($0) }
    update.propertiesToUpdate = ["pages": try Expression.parse(format)]
    update.resultType = .count
    return update
  }

  @Test(
    arguments: Backend.allCases, ["pages + 1", "pages * 2", "pages - 5000", "abs(pages)"])
  func areRefusedWhereAValueTakesMoreThan64Bits(_ backend: Backend, _ format: String) throws {
    let stack = try stackWithGreatNumbers(backend)
    let predicate = format == "pages - 5000" ? "0 - 2 > pages" : nil
    let error = try #require(throws: CoreDataError.self) {
      try result(update(format, where: predicate), stack)
    }
    #expect(error.code == .managedObjectValidation)
    #expect(error.place.property == "pages")
    let kept = try stack.freshContext().all("Item").map { $0.value(forKey: "pages") as? Int64 }
    #expect(kept == [.max, 10, .min, nil])
    // Where it fits it is done.
    #expect(try result(update(format, where: "pages > 0 AND pages < 100"), stack) as? Int == 1)
  }

  /// On the way to a value that fits, arithmetic goes on with Doubles.
  @Test(arguments: Backend.allCases)
  func valuesBeyond64BitsOnTheWay(_ backend: Backend) throws {
    for (format, expected) in [
      ("(pages + 1) / 4", Int64(1) << 61), ("modulus:by:(pages + 1, 2)", 0),
      ("(pages * 4) / 8", Int64(1) << 62),
    ] {
      let stack = try stackWithGreatNumbers(backend)
      #expect(try result(update(format, where: "pages >= 10"), stack) as? Int == 2)
      let items = try stack.freshContext().all("Item")
      #expect(items[0].value(forKey: "pages") as? Int64 == expected, "\(format)")
      #expect(try stack.freshContext().all("Item", "pages == \(expected)").count == 1)
    }
  }

  private func result(_ request: PersistentStoreRequest, _ stack: Stack) throws -> Any? {
    try (stack.context.execute(request) as? BatchResult)?.result
  }
}
