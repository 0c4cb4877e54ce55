// By what the rows of new objects are found.

extension SQLiteStore {
  var isBeingFilled: Bool { isNew && bulk != nil }

  /// Whether links are rows of their own, written from this side.
  func writesLinks(of relationship: RelationshipDescription) -> Bool {
    guard case .join(let side) = schema.storage(of: relationship) else { return false }
    return side.writesLinks && !side.isReflexive
  }

  func columnName(of attribute: AttributeDescription) -> String? {
    guard case .attribute(let column, _) = schema.storage(of: attribute) else { return nil }
    return column
  }

  func didStopSpilling() { forgetWindows() }

  /// With the windows go statements, which mustn't be while the connection is in use.
  func forgetWindows() {
    if windows == nil { return }
    behind?.finish()
    windows = nil
  }

  func forEachHash(
    in column: String, of attribute: AttributeDescription, _ body: (Int64, UInt32) -> Void
  ) throws {
    let table = schema.table(of: attribute.entity)
    let isText = attribute.attributeType == .string
    try readingDatabase().with("SELECT Z_PK, \(column) FROM \(table) WHERE \(column) IS NOT NULL") {
      row in
      while try row.step() {
        let hash = isText ? row.withText(1) { KeyIndex.hash($0) } : KeyIndex.hash(row.integer(1))
        body(row.integer(0), hash)
      }
    }
  }
}
