import Testing

@testable import Migration

// Models whose objects are more than the columns of their rows, or that want some values once.

extension EarlyRowsTests {
  private static func number(of event: ManagedObject) -> Int {
    Int((event.value(forKey: "name") as? String ?? "").dropFirst()) ?? 0
  }

  /// They are nowhere but in their objects.
  @Test func transientValuesAgree() throws {
    try expectAgreement { policy, notes in
      policy.create = { source, event, manager in
        try Self.split(source, event, manager)
        let number = Self.number(of: event)
        if number % 3 == 0 { event.setValue("mark \(number)", forKey: "mark") }
        if number % 4 == 0 { event.setValue(Double(number), forKey: "weight") }
      }
      policy.relate = { event, _ in
        let (mark, weight) = (event.value(forKey: "mark"), event.value(forKey: "weight"))
        notes.note("\(Self.names([event])) \(mark ?? "-") \(weight ?? "-")")
        event.setValue(Self.number(of: event), forKey: "size")
      }
    }
  }

  /// Two objects with one value are nobody's concern before the save.
  @Test func uniqueValuesMayBeExchangedOnTheWay() throws {
    try expectAgreement(unique: true) { policy, notes in
      policy.create = { source, event, manager in
        try Self.split(source, event, manager)
        event.setValue("same", forKey: "name")
        event.setValue(Int(source.objectID.primaryKey), forKey: "size")
      }
      policy.relate = { event, manager in
        notes.note("\(try Self.fetch("Event", manager, "name == %@", "same").count)")
        event.setValue("own \(event.value(forKey: "size") ?? "-")", forKey: "name")
      }
    }
  }

  @Test func duplicatesAreRefusedWithTheSameError() throws {
    try expectAgreement(unique: true) { policy, _ in
      policy.create = { source, event, manager in
        try Self.split(source, event, manager)
        if Self.number(of: event) % 5 == 0 { event.setValue("twice", forKey: "name") }
      }
    }
  }

  /// A policy may leave duplicates to the context's merge policy.
  @Test func duplicatesAreMergedAsTheContextWants() throws {
    try expectAgreement(unique: true) { policy, _ in
      policy.create = { source, event, manager in
        manager.destinationContext.mergePolicy = .mergeByPropertyObjectTrump
        let tag = EntityDescription.insertNewObject(
          forEntityName: "Tag", into: manager.destinationContext)
        tag.setValue("t\(Self.number(of: event) % 4)", forKey: "name")
        tag.mutableSetValue(forKey: "events").add(event)
      }
    }
  }
}
