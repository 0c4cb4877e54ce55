/// Fills a new store with the rows of a seed.
package struct Seeder {
  let version: String
  let context: ManagedObjectContext
  private var objects: [(row: SeedRow, fields: SeedFields, object: ManagedObject)] = []
  private var named: [String: ManagedObject] = [:]

  init(version: String, context: ManagedObjectContext) {
    self.version = version
    self.context = context
  }

  /// Inserts, links and saves all rows.
  /// - Returns: The objects as the origins of everything to come.
  /// - Throws: What validation and saving throw; ``Diagnostic`` for a row that doesn't fit.
  package static func seed(
    _ rows: [SeedRow], version: String, into context: ManagedObjectContext
  ) throws -> Provenance {
    var seeder = Seeder(version: version, context: context)
    try ExceptionTrap.catching {
      for row in rows { try seeder.insert(row) }
      for (_, fields, object) in seeder.objects {
        try seeder.link(object, fields.properties, toMany: false)
      }
      for (_, fields, object) in seeder.objects {
        try seeder.link(object, fields.properties, toMany: true)
      }
      try context.save()
    }
    return seeder.provenance()
  }

  private mutating func insert(_ row: SeedRow) throws {
    let model = context.persistentStoreCoordinator.managedObjectModel
    let entity = try model.entity(row.entity, version: version)
    let fields = try SeedFields(row, of: entity)
    let object = context.insertNewObject(for: entity)
    for field in fields.properties {
      guard let attribute = entity.attribute(named: field.key.value) else { continue }
      object.setAttributeValue(
        try ValueReader.value(field.value, for: attribute), at: attribute.slot)
    }
    objects.append((row, fields, object))
    if let name = fields.name { named[name.value] = object }
  }

  private func link(
    _ object: ManagedObject, _ fields: [PropertyValue], toMany: Bool
  ) throws {
    for field in fields {
      guard let relationship = object.entity.relationship(named: field.key.value),
        relationship.isToMany == toMany
      else { continue }
      let members = try Members(field.value, of: relationship).references.map(resolve)
      if toMany {
        // Objects may have been linked from their side already; those listed come first.
        let others = object.destinations(of: relationship).filter { !members.contains($0) }
        try object.setDestinations(members + others, of: relationship)
      } else if let member = members.first {
        try object.setDestination(member, of: relationship)
      }
    }
  }

  private func resolve(_ reference: ObjectReference) throws -> ManagedObject {
    if case .named(_, let name) = reference, let object = named[name.value] { return object }
    throw Diagnostic("no row is named '\(reference.shown)'", at: reference.entity.place)
  }

  private func provenance() -> Provenance {
    var provenance = Provenance()
    for (row, fields, object) in objects {
      provenance.add(Self.origin(row, fields, of: object.entity), object.objectID)
    }
    return provenance
  }

  private static func origin(
    _ row: SeedRow, _ fields: SeedFields, of entity: EntityDescription
  ) -> Provenance.Origin {
    let name = fields.name?.value
    let label = "\(entity.name) \(name ?? "in line \(row.place.line)")"
    return Provenance.Origin(entity: entity.name, name: name, label: label)
  }

  /// The origins of rows that were saved before, under the keys they got then.
  /// - Returns: Nil when the rows aren't those that were saved.
  static func provenance(
    of rows: [SeedRow], version: String, in model: ManagedObjectModel,
    savedAs keys: [Provenance.Key]
  ) throws -> Provenance? {
    guard rows.count == keys.count else { return nil }
    var provenance = Provenance()
    for (row, key) in zip(rows, keys) {
      let entity = try model.entity(row.entity, version: version)
      guard entity.name == key.entity else { return nil }
      provenance.add(origin(row, try SeedFields(row, of: entity), of: entity), key)
    }
    return provenance
  }
}
