import Testing

@testable import Migration

/// Links that are written early: those of rows that follow each other by one statement, others one by
/// one.
extension EarlyRowsTests {
  private static func number(of event: ManagedObject) -> Int {
    Int((event.value(forKey: "name") as? String ?? "").dropFirst()) ?? 0
  }

  /// Three groups, one of which is of a subentity, made with the first event.
  private static func makeGroups(_ event: ManagedObject, _ manager: MigrationManager) {
    if number(of: event) != 1 { return }
    for (entity, name) in [("Group", "g1"), ("Band", "b1"), ("Group", "g2")] {
      let group = EntityDescription.insertNewObject(
        forEntityName: entity, into: manager.destinationContext)
      group.setValue(name, forKey: "name")
    }
  }

  private static func group(_ name: String, _ manager: MigrationManager) throws -> ManagedObject? {
    try fetch("Group", manager, "name == %@", name, limit: 1).first
  }

  @Test(arguments: [SecondThread.never, .always])
  func linksToSeveralEntitiesAgree(_ thread: SecondThread) throws {
    try SecondThread.$current.withValue(thread) {
      try expectAgreement { policy, notes in
        policy.create = { _, event, manager in
          Self.makeGroups(event, manager)
          let first = Self.number(of: event) % 2 == 0 ? "b1" : "g2"
          event.setValue(try Self.group(first, manager), forKey: "group")
        }
        policy.relate = { event, manager in
          let names = ["g1", "b1", "b1", nil, "g2"]
          let name = names[Self.number(of: event) % names.count]
          event.setValue(try name.flatMap { try Self.group($0, manager) }, forKey: "group")
          notes.note("\(event.value(forKeyPath: "group.name") ?? "-")")
        }
      }
    }
  }

  /// Both sides are in rows of one table, some of which change twice.
  @Test(arguments: [SecondThread.never, .always], [1, 5, 11])
  func linksBetweenRowsOfOneTableAgree(_ thread: SecondThread, distance: Int) throws {
    try SecondThread.$current.withValue(thread) {
      try expectAgreement { policy, notes in
        policy.relate = { event, manager in
          let number = Self.number(of: event)
          let other = "e\((number * distance) % 12 + 1)"
          let found = try Self.fetch("Event", manager, "name == %@", other, limit: 1).first
          event.setValue(found, forKey: number % 4 == 3 ? "previous" : "next")
          if number == 9 { event.setValue(nil, forKey: "next") }
          notes.note("\(event.value(forKeyPath: "next.name") ?? "-")")
          notes.note("\(event.value(forKeyPath: "previous.name") ?? "-")")
        }
      }
    }
  }

  /// Those that follow each other come behind one that doesn't. Nobody asks for anything meanwhile, so
  /// that they are written together.
  @Test func linksOfAFurtherRowFirstAgree() throws {
    try expectAgreement { policy, notes in
      var (groups, last): ([ManagedObject], ManagedObject?) = ([], nil)
      policy.create = { _, event, manager in Self.makeGroups(event, manager) }
      policy.relate = { event, manager in
        let number = Self.number(of: event)
        if number == 1 {
          groups = try ["g1", "g2", "b1"].compactMap { try Self.group($0, manager) }
          last = try Self.fetch("Event", manager, "name == %@", "e12", limit: 1).first
        }
        if number == 4 { last?.setValue(groups[2], forKey: "group") }
        if number < 12 { event.setValue(groups[number % 2], forKey: "group") }
        notes.note("\(event.value(forKeyPath: "group.name") ?? "-")")
      }
    }
  }

  @Test func linksAndValuesTogetherAgree() throws {
    try expectAgreement { policy, notes in
      policy.create = { _, event, manager in Self.makeGroups(event, manager) }
      policy.relate = { event, manager in
        let number = Self.number(of: event)
        event.setValue(try Self.group("b1", manager), forKey: "group")
        if number % 5 == 0 { event.setValue(number, forKey: "size") }
        let earlier = try Self.fetch("Event", manager, "name == %@", "e\(number - 1)", limit: 1)
        notes.note("\(earlier.first?.value(forKeyPath: "group.name") ?? "-")")
        notes.note("\(earlier.first?.value(forKey: "size") ?? "-")")
      }
    }
  }

  // MARK: The first object

  private static func first(
    _ entity: String, _ manager: MigrationManager, _ format: String? = nil, _ argument: Any? = nil,
    _ configure: (FetchRequest<ManagedObject>) -> Void = { _ in }
  ) throws -> String {
    let request = FetchRequest<ManagedObject>(entityName: entity)
    request.predicate = format.map { Predicate(format: $0, argumentArray: [argument]) }
    request.fetchLimit = 1
    configure(request)
    return names(try manager.destinationContext.fetch(request))
  }

  @Test func firstObjectsAgree() throws {
    try expectAgreement { policy, notes in
      policy.create = { _, event, manager in
        Self.makeGroups(event, manager)
        if Self.number(of: event) > 8 { event.setValue("same", forKey: "name") }
        notes.note(try Self.first("Event", manager, "name == %@", "e1"))
      }
      policy.relate = { event, manager in
        let name = event.value(forKey: "name") as? String ?? ""
        if name == "e3" { event.setValue("late", forKey: "name") }
        if name == "e5" { event.setValue("e3", forKey: "name") }
        if name == "e6" { event.setValue("same", forKey: "name") }
        for sought in ["e1", "e3", "e4", "e5", "same", "late", "none", ""] {
          notes.note(try Self.first("Event", manager, "name == %@", sought))
          notes.note(try Self.first("Event", manager, "name LIKE %@", sought))
          notes.note(try Self.first("Event", manager, "name ==[c] %@", sought.uppercased()))
          notes.note(try Self.first("Event", manager, "name != %@", sought))
        }
        notes.note(try Self.first("Event", manager, "name == %@ AND size == nil", "e4"))
        notes.note(try Self.first("Event", manager, "name == %@", nil))
        notes.note(try Self.first("Event", manager, "name == %@", "same") { $0.fetchOffset = 1 })
        notes.note(try Self.first("Event", manager))
        let sort = SortDescriptor(key: "name", ascending: false)
        notes.note(try Self.first("Event", manager) { $0.sortDescriptors = [sort] })
        for entity in ["Group", "Band"] {
          notes.note(try Self.first(entity, manager))
          notes.note(try Self.first(entity, manager) { $0.includesSubentities = false })
          notes.note(try Self.first(entity, manager, "name == %@", "b1"))
          notes.note(
            try Self.first("Group", manager, "name == %@", "b1") { $0.includesSubentities = false })
        }
      }
    }
  }

  @Test func firstObjectsAfterDeletionsAgree() throws {
    try expectAgreement { policy, notes in
      policy.create = { _, event, manager in Self.makeGroups(event, manager) }
      policy.relate = { event, manager in
        notes.note(try Self.first("Event", manager, "name == %@", "e7"))
        notes.note(try Self.first("Group", manager))
        if Self.number(of: event) == 2, let gone = try Self.group("g1", manager) {
          manager.destinationContext.delete(gone)
        }
        notes.note(try Self.first("Group", manager))
      }
    }
  }
}
