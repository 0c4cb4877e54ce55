import CoreData
import Migration
import class Persistence.TextPolicy
import enum Persistence.Store

final class NotePolicy: TextPolicy {
  override var mark: String { Migration.mark() }

  @objc func twin(_ source: NSManagedObject) -> String {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.predicate = Store.predicate(source.value(forKey: "text") as? String ?? "")
    let found = (try? source.managedObjectContext?.count(for: request)) ?? 0
    return "\(found)"
  }
}
