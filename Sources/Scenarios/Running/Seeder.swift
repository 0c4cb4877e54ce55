/// Fills a new store with the rows of a seed.
package enum Seeder {
  package enum Validation {
    /// As an app saves them.
    case whole
    /// Objects that are still to be made lead to them, too: what has too few links so far is saved, since the
    /// seed's plan has counted them all.
    case exceptTooFewLinks
    /// As bugs, imports and older versions of the app left them.
    case none
  }

  /// Inserts, links and saves all rows.
  /// - Parameter validation: What of the model's rules the rows must keep.
  /// - Returns: The objects as the origins of everything to come.
  /// - Throws: ``Diagnostic`` for a row that can't be saved, with its place; what a store throws that can't be
  ///   written.
  package static func seed(
    _ rows: [ResolvedRow], into context: ManagedObjectContext, _ validation: Validation = .whole
  ) throws -> Provenance {
    var objects: [ManagedObject] = []
    try ExceptionTrap.catching {
      objects = rows.map { insert($0, into: context) }
      try link(rows, objects, toMany: false)
      try link(rows, objects, toMany: true)
      do { try save(context, validation) } catch let error as CoreDataError {
        throw mistake(error, rows: rows, objects: objects) ?? error
      }
    }
    var provenance = Provenance()
    for (row, object) in zip(rows, objects) { provenance.add(origin(row), object.objectID) }
    return provenance
  }

  private static func save(_ context: ManagedObjectContext, _ validation: Validation) throws {
    switch validation {
    case .whole: try context.save()
    case .exceptTooFewLinks:
      do { try context.validate() } catch let error as CoreDataError {
        let errors = error.details.isEmpty ? [error] : error.details
        let others = errors.filter { $0.code != .validationRelationshipLacksMinimumCount }
        if let error = CoreDataError.combining(others) { throw error }
      }
      try context.saveWithoutValidation()
    case .none: try context.saveWithoutValidation()
    }
  }

  private static func insert(
    _ row: ResolvedRow, into context: ManagedObjectContext
  ) -> ManagedObject {
    let object = context.insertNewObject(for: row.entity)
    for (attribute, value) in row.values { object.setAttributeValue(value, at: attribute.slot) }
    return object
  }

  private static func link(
    _ rows: [ResolvedRow], _ objects: [ManagedObject], toMany: Bool
  ) throws {
    for (row, object) in zip(rows, objects) {
      for (relationship, numbers) in row.links where relationship.isToMany == toMany {
        let members = numbers.map { objects[$0] }
        if toMany {
          // Objects may have been linked from their side already; those listed come first.
          let others = object.destinations(of: relationship).filter { !members.contains($0) }
          try object.setDestinations(members + others, of: relationship)
        } else if let member = members.first {
          try object.setDestination(member, of: relationship)
        }
      }
    }
  }

  /// What is wrong with which row; nil for an error that is about none.
  private static func mistake(
    _ error: CoreDataError, rows: [ResolvedRow], objects: [ManagedObject]
  ) -> (any Error)? {
    let first = error.firstDetail
    // Of several objects that can't be together the last one came too much.
    let named = Set((first.place.object ?? "").components(separatedBy: ", "))
    let refused = objects.lastIndex { object in
      first.validated.object === object || named.contains("\(object.objectID)")
    }
    guard let row = refused.map({ rows[$0] }) else { return nil }
    return Diagnostic(
      "\(origin(row).label) can't be saved: \(first.reasonAndAdvice)", at: row.place)
  }

  private static func origin(_ row: ResolvedRow) -> Provenance.Origin {
    let label = "\(row.entity.name) \(row.name ?? "in line \(row.place.line)")"
    return Provenance.Origin(entity: row.entity.name, name: row.name, label: label)
  }
}

extension CoreDataError {
  /// What is wrong with an object of a seed. Advice about validation is for migrations.
  var reasonAndAdvice: String {
    [reason, code == .managedObjectConstraintMerge ? advice : nil].compactMap(\.self)
      .joined(separator: " ")
  }
}
