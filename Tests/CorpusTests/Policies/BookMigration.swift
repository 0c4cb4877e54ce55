import CoreData

/// What both policies do with attributes: those of equal name that have a value are copied.
extension NSEntityMigrationPolicy {
  fileprivate func insertCopy(
    of source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) -> NSManagedObject {
    let destination = NSEntityDescription.insertNewObject(
      forEntityName: mapping.destinationEntityName!, into: manager.destinationContext)
    let names = Set(destination.entity.attributesByName.keys)
      .intersection(source.entity.attributesByName.keys)
    for (key, value) in source.dictionaryWithValues(forKeys: Array(names)) where !(value is NSNull)
    {
      destination.setValue(value, forKey: key)
    }
    manager.associate(sourceInstance: source, withDestinationInstance: destination, for: mapping)
    return destination
  }

  /// The version the mapping is for, as the mapping model's editor keeps it: text.
  fileprivate func modelVersion(of mapping: NSEntityMapping) -> Int? {
    (mapping.userInfo?["modelVersion"] as? String).flatMap { Int($0) }
  }
}

/// To version 2, a book's author becomes an object; to version 3, its file becomes one per user.
@objc(MHWBookToBookPolicy)
class BookToBookPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    switch modelVersion(of: mapping) {
    case 2:
      let book = insertCopy(of: sInstance, in: mapping, manager: manager)
      guard let name = sInstance.value(forKey: "authorName") as? String else { return }
      book.mutableSetValue(forKey: "authors").add(author(named: name, manager: manager))
    case 3:
      let book = insertCopy(of: sInstance, in: mapping, manager: manager)
      try insertFiles(of: sInstance, book: book, manager: manager)
    default:
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }
  }

  /// One object per name, remembered in the manager's user info for all calls.
  private func author(named name: String, manager: NSMigrationManager) -> NSManagedObject {
    var userInfo = manager.userInfo ?? [:]
    var authors = userInfo["authors"] as? [String: NSManagedObject] ?? [:]
    if let known = authors[name] { return known }
    let author = NSEntityDescription.insertNewObject(
      forEntityName: "Author", into: manager.destinationContext)
    author.setValue(name, forKey: "name")
    authors[name] = author
    userInfo["authors"] = authors
    manager.userInfo = userInfo
    return author
  }

  private func insertFiles(
    of source: NSManagedObject, book: NSManagedObject, manager: NSMigrationManager
  ) throws {
    for user in source.value(forKey: "users") as? Set<NSManagedObject> ?? [] {
      let file = NSEntityDescription.insertNewObject(
        forEntityName: "File", into: manager.destinationContext)
      file.setValue(source.value(forKey: "fileURL"), forKey: "fileURL")
      file.setValue(book, forKey: "book")
      let request = NSFetchRequest<NSManagedObject>(entityName: "User")
      request.predicate = NSPredicate(
        format: "userId == %@", user.value(forKey: "userId") as? NSNumber ?? 0)
      file.setValue(try manager.destinationContext.fetch(request).first, forKey: "user")
    }
  }
}

/// To version 3, users are copied before the books, whose files look for them.
@objc(MHWUserToUserPolicy)
class UserToUserPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard modelVersion(of: mapping) == 3 else {
      return try super.createDestinationInstances(
        forSource: sInstance, in: mapping, manager: manager)
    }
    _ = insertCopy(of: sInstance, in: mapping, manager: manager)
  }
}
