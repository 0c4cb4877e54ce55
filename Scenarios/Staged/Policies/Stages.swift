import CoreData

/// Version 2 has room for the parts of a name; version 3 requires them and has no whole name any more.
func splitNames(
  _ migrationManager: NSStagedMigrationManager, _ currentStage: NSCustomMigrationStage
) throws {
  guard let container = migrationManager.container else { return }
  let context = container.newBackgroundContext()
  try context.performAndWait {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.predicate = NSPredicate(format: "given == nil")
    for person in try context.fetch(request) {
      let words = (person.value(forKey: "name") as? String ?? "").split(separator: " ")
      person.setValue(words.first.map(String.init) ?? "?", forKey: "given")
      person.setValue(words.dropFirst().joined(separator: " "), forKey: "family")
    }
    try context.save()
  }
}

enum TagStages {
  /// Keeps one tag of each name, with the notes of all.
  static func mergeTags(
    migrationManager: NSStagedMigrationManager, stage: NSCustomMigrationStage
  ) throws {
    guard let context = migrationManager.container?.newBackgroundContext() else { return }
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      var kept: NSManagedObject?
      for tag in try context.fetch(request) {
        guard let first = kept, isSame(first, tag) else {
          kept = tag
          continue
        }
        let notes = tag.value(forKey: "notes") as? Set<NSManagedObject> ?? []
        first.mutableSetValue(forKey: "notes").union(notes)
        context.delete(tag)
      }
      try context.save()
    }
  }

  private static func isSame(_ a: NSManagedObject, _ b: NSManagedObject) -> Bool {
    a.value(forKey: "name") as? String == b.value(forKey: "name") as? String
  }

  /// Counts each tag's notes, after the model has got a place for the number.
  static func countNotes(
    _ migrationManager: NSStagedMigrationManager, _ stage: NSCustomMigrationStage
  ) throws {
    guard let context = migrationManager.container?.newBackgroundContext() else { return }
    try context.performAndWait {
      for tag in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")) {
        tag.setValue(tag.mutableSetValue(forKey: "notes").count, forKey: "uses")
      }
      try context.save()
    }
  }
}

struct NoSpace: LocalizedError {
  var errorDescription: String? { "no space left for the copy" }
}

/// Changes something, saves it, and then fails.
func failAfterSaving(_ manager: NSStagedMigrationManager, _ stage: NSCustomMigrationStage) throws {
  guard let context = manager.container?.newBackgroundContext() else { return }
  try context.performAndWait {
    for person in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")) {
      context.delete(person)
    }
    try context.save()
  }
  throw NoSpace()
}

/// Returns before the context has begun.
func shoutLater(_ manager: NSStagedMigrationManager, _ stage: NSCustomMigrationStage) throws {
  guard let context = manager.container?.newBackgroundContext() else { return }
  context.perform {
    for tag in (try? context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))) ?? [] {
      tag.setValue("HOME", forKey: "name")
    }
    try? context.save()
  }
}

/// Waits for a context's block, which ends shortly after saying that it is done.
func shoutAndWait(_ manager: NSStagedMigrationManager, _ stage: NSCustomMigrationStage) throws {
  guard let context = manager.container?.newBackgroundContext() else { return }
  let done = DispatchSemaphore(value: 0)
  context.perform {
    for tag in (try? context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))) ?? [] {
      tag.setValue("HOME", forKey: "name")
    }
    try? context.save()
    done.signal()
  }
  done.wait()
}
