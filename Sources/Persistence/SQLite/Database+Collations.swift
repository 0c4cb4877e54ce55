internal import CSQLite

extension SortDescriptor.TextOrder {
  /// The name of the order in SQL.
  var collation: String {
    switch self {
    case .binary: "BINARY"
    case .caseInsensitive: "HW_CASE_INSENSITIVE"
    case .localized: "HW_LOCALIZED"
    case .localizedCaseInsensitive: "HW_LOCALIZED_CASE_INSENSITIVE"
    case .localizedStandard: "HW_LOCALIZED_STANDARD"
    }
  }
}

extension Database {
  /// Makes the orders of texts known that sort descriptors name.
  func registerCollations() throws {
    for order in SortDescriptor.TextOrder.allCases where order != .binary {
      let code = sqlite3_create_collation_v2(
        handle, order.collation, SQLITE_UTF8, Self.place(of: order),
        { place, countA, a, countB, b in
          let order = Database.order(at: place)
          return Int32(
            order.compare(Database.text(a, countA), Database.text(b, countB)).rawValue)
        }, nil)
      guard code == SQLITE_OK else { throw error(code, sql: order.collation) }
    }
  }

  /// Which order a collation stands for, as the pointer that SQLite hands back.
  private static func place(of order: SortDescriptor.TextOrder) -> UnsafeMutableRawPointer? {
    let index = SortDescriptor.TextOrder.allCases.firstIndex(of: order) ?? 0
    return UnsafeMutableRawPointer(bitPattern: index + 1)
  }

  private static func order(at place: UnsafeMutableRawPointer?) -> SortDescriptor.TextOrder {
    SortDescriptor.TextOrder.allCases[Int(bitPattern: place) - 1]
  }

  private static func text(_ start: UnsafeRawPointer?, _ count: Int32) -> String {
    guard let start else { return "" }
    return String(
      decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }
}
