import CoreData

final class ErrorsPolicy: NSEntityMigrationPolicy {
  private enum Refusal: Error { case refused }

  @objc func answer(_ question: String) -> String {
    switch question {
    case "let":
      do { try open() } catch let error as CocoaError {
        return "\(error.code.rawValue)"
      } catch { return "other" }
    case "let where":
      do { try open() } catch let error as CocoaError where error.code == .coreData {
        return "core data"
      } catch let error as CocoaError where error.code == .persistentStoreOpen {
        return "open"
      } catch { return "other" }
    case "code":
      do { try open() } catch CocoaError.validationMissingMandatoryProperty {
        return "missing"
      } catch CocoaError.persistentStoreOpen { return "open" } catch { return "other" }
    case "is":
      do { try open() } catch is CocoaError { return "cocoa" } catch { return "other" }
    case "file":
      do {
        _ = try Data(contentsOf: URL(fileURLWithPath: "/nothing/there"))
      } catch CocoaError.fileReadNoSuchFile { return "no such file" } catch { return "\(error)" }
    case "cast":
      do { try open() } catch {
        let code = (error as? CocoaError)?.code.rawValue ?? 0
        if let error = error as? CocoaError, error.code == .persistentStoreOpen {
          return "\(code) \(error.errorCode)"
        }
      }
    case "forced cast":
      do { try open() } catch { return "\((error as! CocoaError).code.rawValue)" }
    case "NSError":
      do { try open() } catch {
        guard let error = error as? NSError else { return "none" }
        return "\(error.code) \(error.domain)"
      }
    case "other":
      do { throw Refusal.refused } catch is CocoaError {
        return "cocoa"
      } catch let error as CocoaError {
        return "\(error)"
      } catch { return (error as? CocoaError) == nil ? "other" : "cocoa" }
    case "validation": return validation()
    default: break
    }
    return "what is \(question)?"
  }

  /// A folder can't be opened as a store.
  private func open() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Books.model)
    _ = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil,
      at: URL(fileURLWithPath: NSTemporaryDirectory()))
  }

  private func validation() -> String {
    let model = Books.model.copy() as! NSManagedObjectModel
    model.entitiesByName["Book"]?.attributesByName["title"]?.isOptional = false
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context.performAndWait {
      do {
        _ = try coordinator.addPersistentStore(
          ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        _ = Book(context: context)
        try context.save()
        return "saved"
      } catch let error as CocoaError where error.code == .validationMissingMandatoryProperty {
        return "\(error.userInfo[NSValidationKeyErrorKey] ?? "none") is missing"
      } catch { return "\(error)" }
    }
  }
}
