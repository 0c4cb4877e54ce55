// Large values of a store that is filled from another.

extension SQLiteStore {
  /// Copies the files that the rows refer to. What can't be read in the source is nil here, as for
  /// any other reader, and a finding there.
  func adoptExternalData(of source: SQLiteStore, by plan: TransferPlan) throws {
    for entity in plan.entities {
      for attribute in entity.destination.attributes {
        guard case .attribute(let column, .externalBinary) = schema.storage(of: attribute) else {
          continue
        }
        let offset = plan.offsets.offset(from: entity.source, to: entity.destination)
        try adopt(column, of: entity, attribute, from: source, keysMovedBy: offset)
      }
    }
  }

  private func adopt(
    _ column: String, of entity: TransferEntity, _ attribute: AttributeDescription,
    from source: SQLiteStore, keysMovedBy offset: Int64
  ) throws {
    let table = schema.table(of: entity.destination)
    var lost: [Int64] = []
    try database.with(
      "SELECT Z_PK, \(column) FROM main.\(table) "
        + "WHERE Z_ENT = \(schema.numbers[entity.destination]) AND \(column) IS NOT NULL "
        + "AND substr(\(column), 1, 1) <> x'01'"
    ) { statement in
      while try statement.step() {
        let bytes = statement.data(1)
        if case .file(let name)? = ExternalData.content(of: bytes),
          try source.hasFile(name, attribute, entity, key: statement.integer(0) - offset)
        {
          try external.copy(name, from: source.external)
          bulk?.files.written.append(name)
        } else {
          lost.append(statement.integer(0))
          source.report(bytes, attribute, entity, key: statement.integer(0) - offset)
        }
      }
    }
    for key in lost {
      try database.run("UPDATE main.\(table) SET \(column) = NULL WHERE Z_PK = ?", key)
    }
  }

  /// Whether the file of a row's value is there.
  /// - Throws: `CoreDataError` with the value's place when it can't be read.
  private func hasFile(
    _ name: String, _ attribute: AttributeDescription, _ entity: TransferEntity, key: Int64
  ) throws -> Bool {
    do { return try external.has(name) } catch let error as CoreDataError {
      let id = ManagedObjectID(entity: entity.source, primaryKey: key, store: self)
      throw error.at(
        entity: entity.source.name, property: attribute.name, object: "\(id)",
        file: file.url.path)
    }
  }

  private func report(
    _ bytes: Data, _ attribute: AttributeDescription, _ entity: TransferEntity, key: Int64
  ) {
    let kind: StoreFinding.Kind
    if case .file(let name)? = ExternalData.content(of: bytes) {
      kind = .missingExternalFile(name)
    } else {
      kind = .unknownExternalTag(bytes.first)
    }
    let id = ManagedObjectID(entity: entity.source, primaryKey: key, store: self)
    report(
      StoreFinding(
        kind: kind, entity: entity.source.name, property: attribute.name, object: "\(id)"))
  }
}

extension ExternalData {
  /// Takes a copy of another store's file. A file that is here already is the same one, referred to
  /// twice.
  fileprivate func copy(_ name: String, from other: ExternalData) throws {
    let place = folder.appendingPathComponent(name)
    if FileManager.default.fileExists(atPath: place.path) { return }
    do {
      try TemporaryFiles.placing {
        try FileCalls.makeFolder(folder)
        try FileCalls.copy(other.folder.appendingPathComponent(name), to: place)
      }
    } catch {
      throw CoreDataError(
        .persistentStoreSave, "A large value can't be copied beside the new store",
        advice: "check that the store's folder is writable and has space"
      ).at(file: folder.path).with(value: nil, underlying: error)
    }
  }
}
