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
    let detail = detail ?? ""
    return switch kind {
    case .sqliteIntegrity, .unreadableTable, .unreadableLog, .metadata, .storeIdentifier,
      .modelCache, .staleModelCache, .hashesDigest, .versionUnknown, .schemaUnknown, .ignoredSchema,
      .deferredMigration, .inPlaceObstacle:
      detail
    // Tables and entities.
    case .missingTable: "the table is missing"
    case .missingColumn: "the column \(detail) is missing"
    case .columnType: "the column \(detail)"
    case .extraColumn: some("column", "belongs", "belong") + " to no property: \(detail)"
    case .missingEntityNumber: "the entity has no row in Z_PRIMARYKEY"
    case .unknownEntityNumber: "it has the entity \(detail), which the model doesn't have"
    case .oldEntityName:
      "Z_PRIMARYKEY still has the old name \(detail), as after a renaming in place"
    case .wrongSuperentity: "Z_SUPER is \(detail)"
    case .staleMaximum: "Z_MAX is \(detail); a new object gets a key above both"
    case .missingUniqueIndex: "no unique index enforces the constraint (\(detail))"
    // Rows.
    case .wrongEntity:
      some("row", "has", "have") + " a Z_ENT of another table or of no entity at all\(detail)"
    case .abstractEntity: some("row", "is", "are") + " of an abstract entity"
    case .missingValue: some("row", "lacks", "lack") + " a required value"
    case .wrongType: some("row", "holds", "hold") + " something other than \(detail)"
    case .invalidValue: some("value", "breaks", "break") + " the rules of the model: \(detail)"
    case .primaryKey:
      some("row", "has", "have") + " a primary key (Z_PK) below 1, which Core Data never gives"
    case .lockCounter: some("row", "has", "have") + " no lock counter (Z_OPT)"
    case .duplicateValues: some("row", "shares", "share") + " \(detail), which must be unique"
    // Relationships.
    case .danglingReference: some("row", "leads", "lead") + " to no existing \(detail)"
    case .wrongDestination: some("row", "leads", "lead") + " to a row that isn't a \(detail)"
    case .wrongEntityColumn:
      some("row", "names", "name") + " an entity other than the destination's (\(detail))"
    case .oneSidedInverse:
      some("row", "leads", "lead") + " to a row whose \(detail) doesn't lead back"
    case .orphanLink: some("link", "leads", "lead") + " to no existing \(detail)"
    case .wrongCount: some("row", "has", "have") + " too few or too many: \(detail)"
    case .equalOrder:
      some("place", "is", "are")
        + " another's too in the order (\(detail)); which of them comes first isn't known"
    case .missingOrder:
      some("place", "is", "are") + " missing in the order (\(detail)); such rows come last"
    // What lies beside the rows.
    case .missingExternalFile:
      some("value", "is", "are") + " in files that are missing from \(detail)"
    case .unknownExternalTag:
      some("row", "begins", "begin")
        + " with neither of the bytes 1 and 2, which say where the data is"
    case .orphanExternalFile: some("file", "is", "are") + " used by no row: \(detail)"
    case .historyReference: some("change", "leads", "lead") + " to \(detail)"
    }
  }

  /// `1 row is` or `3 rows are`.
  private func some(_ noun: String, _ one: String, _ several: String) -> String {
    "\(count) \(count == 1 ? "\(noun) \(one)" : "\(noun)s \(several)")"
  }
}
