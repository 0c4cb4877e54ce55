internal import CSQLite

extension Database {
  /// Functions that exist only inside Core Data: the triggers of derived attributes call them to
  /// tell it which objects changed. They do nothing here, but without them no row of such a table
  /// could be written.
  private static let triggerFunctions = [
    "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
  ]

  /// Makes the functions known that a store's own triggers call.
  func registerTriggerFunctions() throws {
    for name in Self.triggerFunctions {
      let code = sqlite3_create_function_v2(
        handle, name, -1, SQLITE_UTF8, nil, { context, _, _ in sqlite3_result_null(context) },
        nil, nil, nil)
      guard code == SQLITE_OK else { throw error(code, sql: name) }
    }
  }
}
