import CoreData

/// Finds the recipient of a letter, and gives up without one.
class RecipientPolicy: NSEntityMigrationPolicy {
  /// A method that an expression calls can't throw; it cancels the migration instead.
  @objc func recipient(named name: String, manager: NSMigrationManager) -> NSManagedObject? {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.predicate = NSPredicate(format: "name == %@", name)
    do {
      if let person = try manager.destinationContext.fetch(request).first { return person }
      let info = [NSLocalizedDescriptionKey: "Nobody is called \(name)."]
      throw NSError(domain: "LetterErrorDomain", code: 404, userInfo: info)
    } catch {
      manager.cancelMigrationWithError(error)
      return nil
    }
  }
}
