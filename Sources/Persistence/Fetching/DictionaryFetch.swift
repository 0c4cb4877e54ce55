/// A fetch of dictionaries: which table the store has to make, and how its rows become dictionaries.
///
/// Dictionaries show what the stores hold; unsaved changes play no part (Apple's documentation of
/// `includesPendingChanges`).
struct DictionaryFetch {
  private let request: UntypedFetchRequest
  private let entity: EntityDescription
  private var table: TableQuery
  private var outputs: [Output] = []
  private var having: Predicate?
  /// The condition on groups in the request's own keys, with variables for aggregates, to be checked.
  private var statedHaving: Predicate?
  /// How many columns come from the properties and groups; those behind are the condition's.
  private var ownColumnCount = 0

  /// One value of the dictionaries.
  private struct Output {
    enum Source {
      case column(Int)
      /// Computed of the columns, which are variables.
      case computed(Expression)
    }
    let name: String
    let source: Source
    let type: AttributeType
  }

  init(_ request: UntypedFetchRequest, query: StoreQuery) throws {
    self.request = request
    entity = query.entity
    table = TableQuery(query: query, columns: [])
    let properties = request.propertiesToFetch ?? entity.fetchedByDefault
    for property in properties { try addOutput(FetchedColumn(property, of: entity)) }
    if let keys = request.propertiesToGroupBy, !keys.isEmpty {
      table.groupColumns = try keys.map {
        column(.value(try FetchedColumn($0, of: entity).expression))
      }
    }
    ownColumnCount = table.columns.count
    try addHaving()
    if table.groupColumns == nil, table.columns.contains(where: \.isAggregate) {
      table.groupColumns = []
    }
    try checkGroups()
    table.isDistinct = isDistinctTable
  }

  // MARK: Planning

  private mutating func column(_ column: TableQuery.Column) -> Int {
    if let known = table.columns.firstIndex(of: column) { return known }
    table.columns.append(column)
    return table.columns.count - 1
  }

  private mutating func addOutput(_ fetched: FetchedColumn) throws {
    let variables = extracted(fetched.expression)
    let source: Output.Source =
      variables.map { .computed($0) } ?? .column(column(.value(fetched.expression)))
    outputs.append(Output(name: fetched.name, source: source, type: fetched.type))
  }

  /// The expression over columns; nil when it has no aggregates, so that it can be a column itself.
  private mutating func extracted(_ expression: Expression) -> Expression? {
    var found: [GroupAggregate] = []
    let isGrouped = request.propertiesToGroupBy?.isEmpty == false
    let replaced = expression.replacingAggregates(of: entity, isGrouped: isGrouped) {
      found.append($0)
      return Self.variable(of: $0)
    }
    if found.isEmpty { return nil }
    for aggregate in found { _ = column(.aggregate(aggregate)) }
    return replaced.replacingKeyPaths { keyPath in
      _ = column(.value(keyPath))
      return Self.variable(of: keyPath)
    }
  }

  private mutating func addHaving() throws {
    guard let predicate = request.havingPredicate else { return }
    guard table.groupColumns != nil else { throw CoreDataError.havingWithoutGroups(entity) }
    // Core Data: observed in public tests: SQL takes no `count:(key)` in a condition on groups.
    statedHaving = predicate.replacingAggregates(
      of: entity, counts: false, by: Self.variable(of:))
    let computed = predicate.replacingAggregates(of: entity, counts: true) {
      _ = column(.aggregate($0))
      return Self.variable(of: $0)
    }
    having = computed.replacingKeyPaths { keyPath in
      _ = column(.value(keyPath))
      return Self.variable(of: keyPath)
    }
  }

  private static func variable(of aggregate: GroupAggregate) -> String {
    "\(aggregate.function) of \(aggregate.operand?.expressionFormat ?? "objects")"
  }
  private static func variable(of keyPath: Expression) -> String { "value of \(keyPath.keyPath)" }

  private static func variable(of column: TableQuery.Column) -> String {
    switch column {
    case .aggregate(let aggregate): variable(of: aggregate)
    case .value(let expression): variable(of: expression)
    }
  }

  private func checkGroups() throws {
    for column in table.columns {
      try column.operand?.forEachKeyPath { try KeyPathCheck(entity: entity).check($0) }
    }
    guard let groups = table.groupColumns, !groups.isEmpty else { return }
    // Core Data: observed in public tests: the condition may name what isn't grouped by.
    for index in table.columns.indices.prefix(ownColumnCount)
    where !table.columns[index].isAggregate && !groups.contains(index) {
      throw CoreDataError.notGrouped(table.columns[index].operand, entity)
    }
    let keys = Set(groups.compactMap { table.columns[$0].operand?.keyPath })
    for case let key? in table.query.sortDescriptors.map(\.key) where !keys.contains(key) {
      throw CoreDataError.notGrouped(Expression(forKeyPath: key), entity)
    }
  }

  /// Whether the store may leave out equal rows: they must be the dictionaries, in no special order.
  private var isDistinctTable: Bool {
    request.returnsDistinctResults && table.groupColumns == nil
      && table.query.sortDescriptors.isEmpty && outputs.count == table.columns.count
  }

  /// All that the store is asked for, in the terms of the request.
  var asked: StoreQuery {
    var query = table.query
    query.computed =
      table.columns.compactMap(\.operand)
      + outputs.compactMap {
        if case .computed(let expression) = $0.source { expression } else { nil }
      }
    query.having = statedHaving
    return query
  }

  // MARK: Fetching

  /// The dictionaries, in order.
  func dictionaries(
    in stores: [PersistentStore], of context: ManagedObjectContext
  ) throws -> [NSDictionary] {
    var table = table
    let isPaged = having == nil && (!request.returnsDistinctResults || table.isDistinct)
    if !isPaged || stores.count > 1 { (table.query.limit, table.query.offset) = (0, 0) }
    var page = isPaged && stores.count == 1 ? nil : ResultPage(self.table.query)
    var dictionaries: [NSDictionary] = []
    var known = Set<[Value]>()
    try enumerate(table, in: stores, context: context) { row in
      let values = try values(of: row)
      guard let values else { return true }
      if request.returnsDistinctResults, !known.insert(values).inserted { return true }
      if page?.takes() ?? true { dictionaries.append(dictionary(values)) }
      return page?.wantsMore ?? true
    }
    return dictionaries
  }

  private func enumerate(
    _ table: TableQuery, in stores: [PersistentStore], context: ManagedObjectContext,
    body: ([Value]) throws -> Bool
  ) throws {
    if stores.count == 1, try stores[0].enumerate(table, body) { return }
    // Equal rows are left out here.
    var plain = table
    if plain.isDistinct { (plain.query.limit, plain.query.offset) = (0, 0) }
    var page = table.isDistinct ? ResultPage(table.query) : nil
    var known = Set<[Value]>()
    try TableEvaluation(table: plain, stores: stores, context: context).enumerate { row in
      if table.isDistinct, !known.insert(row).inserted { return true }
      guard page?.takes() ?? true else { return true }
      return try body(row) && page?.wantsMore ?? true
    }
  }

  /// The values of a dictionary; nil for a group that isn't wanted.
  private func values(of row: [Value]) throws -> [Value]? {
    var variables: [String: Value] = [:]
    if needsVariables {
      for (column, value) in zip(table.columns, row) {
        variables[Self.variable(of: column)] = value
      }
    }
    let values = try outputs.map { output -> Value in
      let value =
        switch output.source {
        case .column(let index): row[index]
        case .computed(let expression): try computed(expression, variables)
        }
      return output.type == .undefined ? value : value.coerced(to: output.type) ?? .null
    }
    guard let having else { return values }
    for (output, value) in zip(outputs, values) { variables[output.name] = value }
    return try having.evaluate(.null, variables: variables) ? values : nil
  }

  /// Arithmetic that has no result, as a division by a count of 0, gives nil as in SQL.
  private func computed(_ expression: Expression, _ variables: [String: Value]) throws -> Value {
    do { return try expression.value(for: .null, variables: variables) } catch let error
      as PredicateEvaluationError where error.kind == .invalidArgument
    {
      return .null
    }
  }

  private var needsVariables: Bool {
    having != nil || outputs.contains { if case .computed = $0.source { true } else { false } }
  }

  /// nil has no entry.
  private func dictionary(_ values: [Value]) -> NSDictionary {
    var dictionary: [String: Any] = [:]
    for (output, value) in zip(outputs, values) {
      dictionary[output.name] = value.boxed(as: output.type)
    }
    return NSDictionary(dictionary: dictionary)
  }
}

extension ManagedObjectContext {
  /// The dictionaries that answer a request.
  final func dictionaries(for request: UntypedFetchRequest) throws -> [NSDictionary] {
    let query = try query(for: request)
    let fetch = try ExceptionTrap.noting { try DictionaryFetch(request, query: query) }
    try checkSupport(of: fetch.asked)
    try keepNewObjects()
    return try fetch.dictionaries(in: stores(for: request), of: self)
  }
}
