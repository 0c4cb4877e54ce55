/// Where the stores to be measured come from.
enum BenchSource {
  /// A seed made by rule, which says itself how the data looks when there is more of it.
  case generated(CheckedScenario, start: String)
  /// Rows, or a store, as often as it takes.
  case repeated(RepeatedStore, of: PersistentStore)

  var isEmpty: Bool {
    switch self {
    case .generated: false
    case .repeated(let store, _): store.count == 0
    }
  }

  /// Makes a store of about so many objects.
  /// - Returns: How many it has.
  func write(_ objects: Int, to url: URL) throws -> Int {
    switch self {
    case .generated(let scenario, let start):
      try scenario.scaled(to: objects).makeStore(at: url, start: start)
    case .repeated(let store, _): try store.write(objects, to: url)
    }
  }

  /// Lets go of the store that was repeated.
  func close() throws {
    if case .repeated(_, let template) = self { try template.close() }
  }
}
