// Which destination instances came from which source instances.

extension MigrationManager {
  /// The destination instances of one relationship's objects, over all mappings whose source is
  /// the relationship's destination entity or a subentity of it.
  final func destinationInstances(
    forSourceRelationshipNamed name: String, sourceInstances: [ManagedObject]
  ) throws -> [ManagedObject] {
    guard let run, let program = run.current else { return [] }
    guard let relationship = program.plan.source?.relationship(named: name) else {
      throw unknownRelationship(name, of: program)
    }
    return destinationInstances(of: sourceInstances, under: run.programs(reachedBy: relationship))
  }

  /// The destination instances of `sources` under several mappings, each once.
  final func destinationInstances(
    of sources: [ManagedObject], under programs: [EntityMappingProgram]
  ) -> [ManagedObject] {
    var found: [ManagedObject] = []
    for source in sources {
      for program in programs {
        program.associations.forEachDestination(of: source) { if $0.isAlive { found.append($0) } }
      }
    }
    if found.count < 2 { return found }
    var seen = Set<ObjectIdentifier>(minimumCapacity: found.count)
    return found.filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// The source instance with a key, as a fault unless it is alive already.
  final func sourceInstance(_ key: AssociationTable.SourceKey) -> ManagedObject? {
    guard let sourceStore, Int(key.entityIndex) < sourceContextModel.entities.count else {
      return nil
    }
    let entity = sourceContextModel.entities[Int(key.entityIndex)]
    return sourceContext.object(
      with: ManagedObjectID(entity: entity, primaryKey: key.primaryKey, store: sourceStore))
  }

  // MARK: Mistakes

  final func unknown(_ mappingName: String) {
    let names = run?.programs.map { $0.mapping.name ?? "" } ?? []
    let text = "there is no entity mapping named '\(mappingName)'"
    trace.warn(text, entityMapping: run?.current?.mapping.name)
    note(.unknownMapping(name: mappingName))
    guard raisesForUnknownMappingNames else { return }
    ExceptionTrap.raise(
      CoreDataError(
        .migration, text, advice: "Entity mappings here: \(names.joined(separator: ", "))."))
  }

  private func unknownRelationship(_ name: String, of program: EntityMappingProgram)
    -> CoreDataError
  {
    let entity = program.plan.source
    return CoreDataError.unknownRelationship(name, of: entity).at(
      entityMapping: program.mapping.name)
  }
}
