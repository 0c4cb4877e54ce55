import CoreData

/// What the app does with its shared context, told in a line of text.
final class SharedTests: NSEntityMigrationPolicy {
  @objc func begin(_ place: String) -> String {
    AppStore.model = Setup.model
    AppStore.url = URL(fileURLWithPath: place)
    guard let shared = NSManagedObjectContext.sharedContext, let context = newContext()
    else { return "no contexts" }
    let same = NSManagedObjectContext.sharedContext === shared ? "one" : "several"
    context.performAndWait {
      for name in ["Fair", "Dance"] {
        let event = Event.insertNewObject(into: context) as! Event
        event.name = name
        event.seats = 10
      }
      do { try context.save() } catch { print(error) }
    }
    return "\(same) shared, opened \(AppStore.openings)"
  }

  private func newContext() -> NSManagedObjectContext? {
    return NSManagedObjectContext.context(with: .privateQueueConcurrencyType)
  }

  /// On the main queue, after what was merged there.
  @objc func seen(_ argument: String) -> String {
    guard let shared = NSManagedObjectContext.sharedContext else { return "no context" }
    let events = Event.allObjects(in: shared) as? [Event] ?? []
    return events.map { "\($0.name ?? "-") \($0.seats)" }.sorted().joined(separator: ", ")
  }

  @objc func change(_ argument: String) -> String {
    guard let context = newContext() else { return "no context" }
    return context.performAndWait {
      Event.event(named: "Fair", in: context)?.seats = 20
      if let dance = Event.event(named: "Dance", in: context) { context.delete(dance) }
      let new = Event(context: context)
      new.name = "Walk"
      do {
        try context.save()
        return context.hasChanges ? "unsaved" : "saved"
      } catch let error as NSError where error.domain == NSCocoaErrorDomain {
        return "\(error.code)"
      } catch {
        return "\(error)"
      }
    }
  }
}
