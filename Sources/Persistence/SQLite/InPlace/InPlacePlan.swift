/// A plan as the statements that would carry it out in the source's own file.
// Core Data: observed for what it makes (tables, columns, indexes, new names of tables); assumed for everything
// else, and for the order.
struct InPlacePlan {
  private let plan: MigrationPlan
  private let source: StoreSchema
  private let destination: StoreSchema
  private(set) var statements: [InPlaceStatement] = []
  /// The tables of the source that become tables of the destination.
  private var used: Set<String> = []

  init(_ plan: MigrationPlan, from source: StoreSchema, to destination: StoreSchema) {
    self.plan = plan
    self.source = source
    self.destination = destination
    for table in destination.tables { change(into: table) }
    for join in destination.joins { change(into: join) }
    for table in source.tables.map(\.name) + source.joins.map(\.name) where !used.contains(table) {
      statements.append(.other("DROP TABLE \(table)"))
    }
    makeIndexes()
    renumber()
  }

  // MARK: Tables

  private mutating func change(into table: StoreTable) {
    let origins = plan.entities.compactMap(\.ends)
      .filter { $0.destination.rootEntity === table.root }.map { source.table(of: $0.source) }
    // What has no rows has no mapping.
    let same = source.tables.map(\.name).first { $0 == table.name }
    guard let old = origins.first(where: { $0 == same }) ?? origins.first ?? same,
      used.insert(old).inserted
    else {
      // Of a hierarchy that is split, the rows of the second part move.
      statements.append(.makesTable(table.name, by: StoreSchema.statement(for: table)))
      if let old = origins.first {
        statements.append(.other("INSERT INTO \(table.name) SELECT … FROM \(old)"))
      }
      return
    }
    if old != table.name { statements.append(.renamesTable(old, to: table.name)) }
    let columns = source.tables.first { $0.name == old }?.columns.map(\.name) ?? []
    let origin = Dictionary(columns.map { ($0, $0) }) { first, _ in first }
      .merging(columnOrigins(of: table)) { _, mapped in mapped }
    for column in table.columns {
      switch origin[column.name] {
      case column.name?: continue
      case let name?: statements.append(.renamesColumn(name, to: column.name, in: table.name))
      case nil:
        statements.append(
          .addsColumn(column.name, type: column.declaredType, to: table.name))
      }
    }
    fillDefaults(of: table, besides: origin)
  }

  /// The source's column for each column of a table that has one.
  private func columnOrigins(of table: StoreTable) -> [String: String] {
    var origins: [String: String] = [:]
    for entity in plan.entities {
      guard let end = entity.ends?.destination, end.rootEntity === table.root else { continue }
      for property in end.properties {
        let old: PropertyDescription? =
          switch property {
          case let attribute as AttributeDescription: entity.source(of: attribute)?.original
          case let relationship as RelationshipDescription: entity.origin(of: relationship)
          default: nil
          }
        guard let old else { continue }
        pair(source.storage(of: old), destination.storage(of: property), in: &origins)
      }
    }
    return origins
  }

  private func pair(
    _ old: PropertyStorage, _ new: PropertyStorage, in origins: inout [String: String]
  ) {
    switch (old, new) {
    case (.attribute(let old, _), .attribute(let new, _)): origins[new] = old
    case (.composite(let old), .composite(let new)):
      for (index, element) in new.attribute.elements.enumerated() {
        guard case .column(let column, _) = new.parts[index],
          let place = old.attribute.elements.firstIndex(where: {
            $0.renamingIdentifier == element.renamingIdentifier
          }), case .column(let earlier, _) = old.parts[place]
        else { continue }
        origins[column] = earlier
      }
    case (.toOne(let old), .toOne(let new)):
      origins[new.key] = old.key
      if let column = new.entity { origins[column] = old.entity }
      if let column = new.order { origins[column] = old.order }
    case (.children(let old), .children(let new)) where new.hasNoInverse && old.hasNoInverse:
      origins[new.column] = old.column
      if let column = new.orderColumn { origins[column] = old.orderColumn }
    default: break
    }
  }

  private mutating func fillDefaults(of table: StoreTable, besides origins: [String: String]) {
    for attribute in table.root.selfAndDescendants.flatMap(\.ownProperties) {
      guard let attribute = attribute as? AttributeDescription,
        case .attribute(let column, _) = destination.storage(of: attribute),
        origins[column] == nil, let value = attribute.typedDefaultValue.notation
      else { continue }
      let rows = destination.condition(for: attribute.entity, withSubentities: true)
      statements.append(
        .other(
          "UPDATE \(table.name) SET \(column) = \(value)" + (rows.map { " WHERE \($0)" } ?? "")))
    }
  }

  // MARK: Join tables

  private mutating func change(into join: JoinTable) {
    let side = destination.writingSides.first { $0.side.table == join.name }
    let origin = side.map { plan.origins(of: $0.relationship) }?.first
    guard let side, let origin, case .join(let old) = source.storage(of: origin),
      used.insert(old.table).inserted
    else {
      statements.append(.makesTable(join.name, by: StoreSchema.statement(for: join)))
      return
    }
    if old.table != join.name { statements.append(.renamesTable(old.table, to: join.name)) }
    let columns = [
      (old.ownColumn, side.side.ownColumn), (old.destinationColumn, side.side.destinationColumn),
    ]
    for (old, new) in columns where old != new {
      statements.append(.renamesColumn(old, to: new, in: join.name))
    }
    if let order = side.side.orderColumn, old.orderColumn == nil {
      statements.append(.addsColumn(order, type: "INTEGER", to: join.name))
    }
  }

  // MARK: Indexes and numbers

  /// Keys of relationships have theirs under the number of an entity, and old ones stay beside new ones in
  /// real stores: nothing is in their way.
  private mutating func makeIndexes() {
    let known = Set(source.indexes.map(\.name) + source.rTrees.map(\.name))
    for index in destination.indexes where !known.contains(index.name) {
      let isOfKeys = index.terms.allSatisfy { !$0.contains(" ") }
      statements.append(
        isOfKeys ? .other(index.statement) : .makesIndex(index.name, by: index.statement))
    }
    for index in destination.rTrees where !known.contains(index.name) {
      statements += index.statements.enumerated().map { place, sql in
        place == 0 ? .makesTable(index.name, by: sql) : .other(sql)
      }
    }
  }

  private mutating func renumber() {
    let before = Dictionary(
      plan.entities.compactMap(\.ends).map { ($0.destination.name, source.numbers[$0.source]) },
      uniquingKeysWith: { first, _ in first })
    for entity in destination.entities {
      let number = destination.numbers[entity]
      switch before[entity.name] {
      case number?: continue
      case let old?:
        statements.append(.other("UPDATE Z_PRIMARYKEY SET Z_ENT = \(number) WHERE Z_ENT = \(old)"))
      case nil:
        let parent = entity.superentity.map { destination.numbers[$0] } ?? 0
        statements.append(
          .other("INSERT INTO Z_PRIMARYKEY VALUES (\(number), '\(entity.name)', \(parent), 0)"))
      }
    }
    statements.append(.other("UPDATE Z_METADATA SET Z_PLIST = …"))
    statements.append(.other("UPDATE Z_MODELCACHE SET Z_CONTENT = …"))
  }
}

extension StoreSchema {
  /// The relationships that name join tables, and how.
  var writingSides: [(relationship: RelationshipDescription, side: JoinSide)] {
    model.ownRelationships.compactMap { relationship in
      guard case .join(let side) = storage(of: relationship), side.writesLinks else { return nil }
      return (relationship, side)
    }
  }
}
