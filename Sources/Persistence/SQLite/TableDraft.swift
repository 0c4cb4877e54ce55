/// The columns of one table while they are being collected.
struct TableDraft {
  let name: String
  let catalog: StoreCatalog?
  private(set) var columns: [StoreTable.Column] = []
  private var used: Set<String> = []
  /// The columns in the file that were found.
  private var taken: Set<String> = []

  init(name: String, catalog: StoreCatalog?) {
    self.name = name
    self.catalog = catalog
  }

  func requireTable(for root: EntityDescription) throws {
    guard let catalog else { return }
    _ = try catalog.table(named: [name])
  }

  /// `base`, or with the first digit that makes it new in the table.
  mutating func unique(_ base: String) -> String { used.claim(base) }

  mutating func claim(_ base: String, type: String, group: ColumnGroup) throws -> String {
    try add(unique(base), type: type, group: group)
  }

  /// Adds a column under its predicted name, or the one an existing store has for it.
  mutating func add(_ predicted: String, type: String, group: ColumnGroup) throws -> String {
    let actual =
      try catalog?.column(like: predicted, in: name, besides: taken)
      ?? StoreNames.quoted(predicted)
    taken.insert(actual)
    columns.append(StoreTable.Column(name: actual, declaredType: type, group: group))
    return actual
  }
}

extension Set<String> {
  /// Takes `base`, or `base1`, `base2` … where that is taken.
  mutating func claim(_ base: String) -> String {
    var (name, digit) = (base, 0)
    while !insert(name).inserted {
      digit += 1
      name = "\(base)\(digit)"
    }
    return name
  }
}
