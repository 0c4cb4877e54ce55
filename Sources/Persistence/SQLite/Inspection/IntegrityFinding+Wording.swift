// What findings say.

extension IntegrityFinding: CustomStringConvertible {
  public var description: String { "\(kind.rawValue): \(text)" }

  /// The place and what is wrong there.
  package var text: String { "\(place.map { "\($0): " } ?? "")\(message)" }

  /// `Entity.property`, an entity, or a table.
  public var place: String? {
    guard let entity else { return table }
    return property.map { "\(entity).\($0)" } ?? entity
  }

  /// What is wrong, without the place.
  public var message: String {
    let text = IntegrityWording(count: count, detail: detail ?? "")
    return switch kind {
    case .sqliteIntegrity, .unreadableTable, .unreadableLog, .metadata, .storeIdentifier,
      .modelCache, .staleModelCache, .hashesDigest, .versionUnknown, .schemaUnknown, .ignoredSchema,
      .deferredMigration, .inPlaceObstacle:
      text.detail
    case .missingTable, .missingColumn, .columnType, .extraColumn, .missingEntityNumber,
      .unknownEntityNumber, .oldEntityName, .wrongSuperentity, .staleMaximum, .missingUniqueIndex:
      text.ofSchema(kind)
    case .wrongEntity, .abstractEntity, .missingValue, .wrongType, .invalidValue, .primaryKey,
      .lockCounter,
      .duplicateValues:
      text.ofRows(kind)
    case .danglingReference, .wrongDestination, .wrongEntityColumn, .oneSidedInverse, .orphanLink,
      .wrongCount, .missingOrder, .equalOrder:
      text.ofRelationships(kind)
    case .missingExternalFile, .unknownExternalTag, .orphanExternalFile, .historyReference:
      text.ofNeighbours(kind)
    }
  }
}

private struct IntegrityWording {
  let count: Int
  let detail: String

  /// `1 row is` or `3 rows are`.
  private func some(_ noun: String, one: String, several: String) -> String {
    "\(count) \(count == 1 ? "\(noun) \(one)" : "\(noun)s \(several)")"
  }

  func ofSchema(_ kind: IntegrityFinding.Kind) -> String {
    switch kind {
    case .missingTable: "the table is missing"
    case .missingColumn: "the column \(detail) is missing"
    case .columnType: "the column \(detail)"
    case .extraColumn:
      some("column", one: "belongs", several: "belong") + " to no property: \(detail)"
    case .missingEntityNumber: "the entity has no row in Z_PRIMARYKEY"
    case .unknownEntityNumber: "it has the entity \(detail), which the model doesn't have"
    case .oldEntityName:
      "Z_PRIMARYKEY still has the old name \(detail), as after a renaming in place"
    case .wrongSuperentity: "Z_SUPER is \(detail)"
    case .staleMaximum:
      "Z_MAX is \(detail); a new object gets a key above both"
    default: "no unique index enforces the constraint (\(detail))"
    }
  }

  func ofRows(_ kind: IntegrityFinding.Kind) -> String {
    switch kind {
    case .wrongEntity:
      some("row", one: "has", several: "have")
        + " a Z_ENT of another table or of no entity at all\(detail)"
    case .abstractEntity: some("row", one: "is", several: "are") + " of an abstract entity"
    case .missingValue: some("row", one: "lacks", several: "lack") + " a required value"
    case .wrongType: some("row", one: "holds", several: "hold") + " something other than \(detail)"
    case .invalidValue:
      some("value", one: "breaks", several: "break") + " the rules of the model: \(detail)"
    case .primaryKey:
      some("row", one: "has", several: "have")
        + " a primary key (Z_PK) below 1, which Core Data never gives"
    case .lockCounter: some("row", one: "has", several: "have") + " no lock counter (Z_OPT)"
    default: some("row", one: "shares", several: "share") + " \(detail), which must be unique"
    }
  }

  func ofRelationships(_ kind: IntegrityFinding.Kind) -> String {
    switch kind {
    case .danglingReference:
      some("row", one: "leads", several: "lead") + " to no existing \(detail)"
    case .wrongDestination:
      some("row", one: "leads", several: "lead") + " to a row that isn't a \(detail)"
    case .wrongEntityColumn:
      some("row", one: "names", several: "name")
        + " an entity other than the destination's (\(detail))"
    case .oneSidedInverse:
      some("row", one: "leads", several: "lead") + " to a row whose \(detail) doesn't lead back"
    case .orphanLink: some("link", one: "leads", several: "lead") + " to no existing \(detail)"
    case .wrongCount: some("row", one: "has", several: "have") + " too few or too many: \(detail)"
    case .equalOrder:
      some("place", one: "is", several: "are")
        + " another's too in the order (\(detail)); which of them comes first isn't known"
    default:
      some("place", one: "is", several: "are")
        + " missing in the order (\(detail)); such rows come last"
    }
  }

  func ofNeighbours(_ kind: IntegrityFinding.Kind) -> String {
    switch kind {
    case .missingExternalFile:
      some("value", one: "is", several: "are") + " in files that are missing from \(detail)"
    case .unknownExternalTag:
      some("row", one: "begins", several: "begin")
        + " with neither of the bytes 1 and 2, which say where the data is"
    case .orphanExternalFile: some("file", one: "is", several: "are") + " used by no row: \(detail)"
    default: some("change", one: "leads", several: "lead") + " to \(detail)"
    }
  }
}
