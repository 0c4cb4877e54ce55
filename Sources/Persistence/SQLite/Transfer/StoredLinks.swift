/// All links of one relationship in an attached store, as a query with the columns `owner` and
/// `member`, and the sort keys the store has.
struct StoredLinks {
  let sql: String
  /// The column with the place of a member among those of its owner.
  let order: String?
  /// The column with the place of an owner among those of a member.
  let inverseOrder: String?

  init(
    table: String, owner: String, member: String, order: String?, inverseOrder: String?
  ) {
    let columns =
      ["\(owner) AS owner", "\(member) AS member"] + [order, inverseOrder].compactMap { $0 }
    sql =
      "SELECT \(columns.joined(separator: ", ")) FROM \(TransferPlan.sourceTable(table)) "
      + "WHERE \(owner) IS NOT NULL AND \(member) IS NOT NULL"
    self.order = order
    self.inverseOrder = inverseOrder
  }

  private init(sql: String, order: String?, inverseOrder: String?) {
    self.sql = sql
    self.order = order
    self.inverseOrder = inverseOrder
  }

  /// The same links seen from the other side.
  var reversed: Self {
    let columns =
      ["member AS owner", "owner AS member"] + [order, inverseOrder].compactMap { $0 }
    return Self(
      sql: "SELECT \(columns.joined(separator: ", ")) FROM (\(sql))", order: inverseOrder,
      inverseOrder: order)
  }

  /// The links and their reverse, as a relationship that is its own inverse has them.
  var inBothDirections: Self {
    Self(
      sql: "WITH known AS (\(sql)) SELECT owner, member FROM known UNION "
        + "SELECT member, owner FROM known",
      order: nil, inverseOrder: nil)
  }
}
