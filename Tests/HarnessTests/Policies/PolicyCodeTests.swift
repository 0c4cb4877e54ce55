import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What policies do with objects, values and fetches, as they do it on a device.
@Suite(.tags(.compiles), .tiered)
struct PolicyCodeTests {
  private func eventModel() throws -> PolicyMigration {
    let old = EntityDescription(
      "Event", [.attribute("timestamp", .date), .attribute("tags", .string)])
    let new = EntityDescription(
      "Event",
      [
        .attribute("timestamp", .date),
        .relationship("tags", to: "Tag", toMany: true, inverse: "events"),
      ])
    let tag = EntityDescription(
      "Tag",
      [
        .attribute("name", .string),
        .relationship("events", to: "Event", toMany: true, inverse: "tags"),
      ])
    return try PolicyMigration(from: [old], to: [new, tag])
  }

  /// "iOS Core Data: custom migration policy to split tags", put into Swift line by line.
  private let tagsPolicy = """
    import CoreData

    class TagsMigrationPolicy: NSEntityMigrationPolicy {
      override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
      ) throws {
        guard sInstance.entity.name == "Event" else {
          NSLog("Unexpected source class: %@", sInstance.entity.name!)
          try super.createDestinationInstances(
            forSource: sInstance, in: mapping, manager: manager)
          return
        }
        let destMOC = manager.destinationContext
        var tags = [NSManagedObject]()
        if let tagsString = sInstance.value(forKey: "tags") as? String, !tagsString.isEmpty {
          for tag in tagsString.components(separatedBy: ",") {
            let trimmedTag = tag.trimmingCharacters(in: .whitespacesAndNewlines)
            guard !trimmedTag.isEmpty else { continue }
            // don't duplicate tags!
            let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
            request.predicate = NSPredicate(format: "name LIKE %@", trimmedTag)
            let retTags = try destMOC.fetch(request)
            if retTags.isEmpty {
              let newTag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: destMOC)
              newTag.setValue(trimmedTag, forKey: "name")
              tags.append(newTag)
            } else {
              tags += retTags
            }
          }
        }
        let dst = NSEntityDescription.insertNewObject(forEntityName: "Event", into: destMOC)
        var values = sInstance.dictionaryWithValues(
          forKeys: Array(sInstance.entity.attributesByName.keys))
        values["tags"] = nil
        dst.setValuesForKeys(values)
        for tag in tags {
          tag.mutableSetValue(forKey: "events").add(dst)
        }
        manager.associate(sourceInstance: sInstance, withDestinationInstance: dst, for: mapping)
      }
    }
    """

  @Test func splitsTagsWithFetchesOfUnsavedObjects() async throws {
    let policies = try await PolicyFolder(module: "Locations").library(tagsPolicy)
    let migration = try eventModel()
    try migration.seed("Event", ["tags": "food, friends , food,,"])
    try migration.seed("Event", ["tags": "friends"])
    try migration.seed("Event", [:])
    let mapping = try EntityMapping("Event", "Event", policy: "Locations.TagsMigrationPolicy")
    try migration.run([mapping], policies)
    #expect(try migration.dump("Event", ["tags"]) == ["[]", "[food,friends]", "[friends]"])
    #expect(try migration.dump("Tag", ["name"]) == ["food", "friends"])
  }

  @Test func bindsTheSixVariables() async throws {
    let policies = try await PolicyFolder(module: "App").library(
      """
      import CoreData

      class Policy: NSEntityMigrationPolicy {
        @objc func facts(
          manager: NSMigrationManager, source: NSManagedObject, destination: NSManagedObject,
          mapping: NSEntityMapping, property: NSPropertyMapping, policy: NSEntityMigrationPolicy
        ) -> String {
          [
            "\\(manager.sourceModel.entities.count)", source.entity.name!, destination.entity.name!,
            mapping.name, property.name!, "\\(policy === self)",
          ].joined(separator: " ")
        }
      }
      """)
    let migration = try PolicyMigration(
      from: [EntityDescription("Old", [])],
      to: [EntityDescription("New", [.attribute("name", .string)])])
    try migration.seed("Old", [:])
    let expression =
      #"FUNCTION($entityPolicy, "factsWithManager:source:destination:mapping:property:policy:", "#
      + "$manager, $source, $destination, $entityMapping, $propertyMapping, $entityPolicy)"
    let mapping = try EntityMapping(
      "Old", "New", policy: "App.Policy", attributes: ["name": expression])
    try migration.run([mapping], policies)
    #expect(try migration.dump("New", ["name"]) == ["1 Old New OldToNew name true"])
  }

  private static let reportSource = """
    import Foundation
    import CoreData

    class Policy: NSEntityMigrationPolicy {
      @objc func castsValuesAsADeviceDoes(_ book: NSManagedObject) throws -> String {
        let pages = book.value(forKey: "pages")
        let read = book.value(forKey: "isRead")
        let parts: [Any?] = [
          pages as? Int, pages as? Int16, pages as? NSNumber, pages as? String,
          read as? Bool, (read as? NSNumber)?.boolValue,
          book.value(forKey: "price") as? Double,
          book.value(forKey: "name") as? NSString,
          (book.value(forKey: "added") as? NSDate)?.timeIntervalSince1970,
          (book.value(forKey: "added") as! Date).timeIntervalSince1970,
        ]
        return parts.map { $0.map { "\\($0)" } ?? "nil" }.joined(separator: " ")
      }

      @objc func readsRelationshipsAsSets(_ book: NSManagedObject) throws -> String {
        let tags = book.value(forKey: "tags") as! Set<NSManagedObject>
        let same = book.value(forKey: "tags") as! NSSet
        let names = tags.compactMap { $0.value(forKey: "name") as? String }.sorted()
        let any = same.anyObject() as? NSManagedObject
        let byKey = (same.value(forKey: "name") as! Set<String>).sorted().joined(separator: "+")
        let count = book.value(forKeyPath: "tags.@count") as! Int
        NSLog("%@ has %d tags: %@", book, count, same)
        return names.joined() + " \\(same.count) \\(tags.contains(any!)) \\(byKey) \\(count)"
      }

      @objc func fetchesInEveryWayOfWritingARequest(_ book: NSManagedObject) throws -> String {
        let context = book.managedObjectContext!
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Tag")
        request.sortDescriptors = [NSSortDescriptor(key: #keyPath(Tag.name), ascending: false)]
        let tags = try context.fetch(request) as! [NSManagedObject]
        let typed: NSFetchRequest<NSManagedObject> = NSFetchRequest(entityName: "Tag")
        typed.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
          NSPredicate(format: "%K == %@", #keyPath(Tag.name), "a"),
          NSPredicate(format: "book == %@", book),
        ])
        typed.fetchLimit = 1
        let count = try context.count(for: typed)
        let coordinator = context.persistentStoreCoordinator?.persistentStores.count ?? 0
        let new = NSManagedObject(
          entity: NSEntityDescription.entity(forEntityName: "Tag", in: context)!, insertInto: context)
        new.setValue("c", forKey: "name")
        let all = try ObjectiveC.autoreleasepool { try context.count(for: request) }
        typed.affectedStores = context.persistentStoreCoordinator?.persistentStores
        let same = unsafeBitCast(request, to: NSFetchRequest<NSManagedObject>.self)
        same.fetchLimit = 2
        let first = try context.fetch(same).map { $0.value(forKey: "name") as! String }.joined()
        typed.resultType = .managedObjectIDResultType
        let ids = typed as! NSFetchRequest<NSManagedObjectID>
        guard ids === typed, ids == typed, ids !== request else { return "another request" }
        ids.affectedStores = []
        let found = try context.fetch(ids).count
        typed.affectedStores = nil
        let entity = try context.fetch(ids).map { $0.entity.name! }.joined()
        return tags.map { $0.value(forKey: "name") as! String }.joined()
          + " \\(count) \\(coordinator) \\(all) \\(first) \\(request.fetchLimit) \\(found) \\(entity)"
      }

      @objc func refusesAFetchOfASubclass(_ book: NSManagedObject) throws -> String {
        let request = NSFetchRequest<Book>(entityName: "Book")
        _ = try book.managedObjectContext!.fetch(request as! NSFetchRequest<NSManagedObject>)
        return "\\(try book.managedObjectContext!.fetch(request).count)"
      }

      @objc func knowsApplesConstants(_ book: NSManagedObject) throws -> String {
        do {
          book.setValue(nil, forKey: "name")
          let error = NSError(
            domain: NSCocoaErrorDomain, code: NSValidationMissingMandatoryPropertyError,
            userInfo: [NSValidationKeyErrorKey: "name"])
          throw error
        } catch let error as CocoaError where error.code == .validationMissingMandatoryProperty {
          return "caught \\(error.userInfo[NSValidationKeyErrorKey]!) \\(NSMigrationManagerKey)"
        }
      }
    }

    class Book: NSManagedObject {}

    let told = Notification.Name("Told")

    class Hearer<Element>: NSObject {
      var heard = ""
      override init() {
        super.init()
        NotificationCenter.default.addObserver(
          self, selector: #selector(hear(_:)), name: told, object: nil)
      }
      @objc func hear(_ notification: Notification) { heard += "\\(Element.self) " }
    }

    final class LoudHearer<Element: Comparable>: Hearer<[Element]> {
      override init() {
        super.init()
        NotificationCenter.default.addObserver(
          self, selector: #selector(hearTwice), name: told, object: nil)
      }
      @objc private func hearTwice() { heard += "\\(Element.self) \\(Element.self) " }
    }

    nonisolated(unsafe) private var noteKey: UInt8 = 0

    extension NSManagedObject {
      fileprivate var note: String? {
        get { objc_getAssociatedObject(self, &noteKey) as? String }
        set { objc_setAssociatedObject(self, &noteKey, newValue, .OBJC_ASSOCIATION_RETAIN_NONATOMIC) }
      }
    }

    extension Policy {
      @objc func hearsInGenericClasses(_ book: NSManagedObject) throws -> String {
        let (quiet, loud) = (Hearer<Book>(), LoudHearer<Int>())
        NotificationCenter.default.post(name: told, object: nil)
        NotificationCenter.default.removeObserver(quiet)
        NotificationCenter.default.post(name: told, object: nil)
        // Of an object's methods nothing says which is called first.
        return quiet.heard + loud.heard.split(separator: " ").sorted().joined(separator: " ")
      }

      private func count<Result: NSFetchRequestResult>(_ request: NSFetchRequest<Result>, in context: NSManagedObjectContext)
      throws -> Int where Result: NSFetchRequestResult {
        try context.count(for: request)
      }

      @objc func handsUntypedRequestsToGenericFunctions(_ book: NSManagedObject) throws -> String {
        let context = book.managedObjectContext!
        let untyped = NSFetchRequest<NSFetchRequestResult>(entityName: "Tag")
        let typed = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        return "\\(try count(untyped, in: context)) \\(try count(typed, in: context))"
      }

      @objc func keepsMoreWithObjects(_ book: NSManagedObject) throws -> String {
        var parts = [book.note ?? "nil"]
        book.note = "read twice"
        parts.append(book.note ?? "nil")
        objc_removeAssociatedObjects(book)
        parts.append(book.note ?? "nil")
        let table = NSMapTable<NSString, NSManagedObject>.strongToWeakObjects()
        table.setObject(book, forKey: "Emma" as NSString)
        parts.append(table.object(forKey: NSString(string: "Em" + "ma")) === book ? "found" : "lost")
        let notes = NSMapTable<AnyObject, NSString>.weakToStrongObjects()
        weak var first: NSString?
        for index in 0..<1000 {
          let value = NSString(string: "a value that no pointer holds \\(index)")
          if index == 0 { first = value }
          notes.setObject(value, forKey: NSObject())
        }
        parts.append("\\(notes.count) \\(first == nil)")
        do {
          let owner = NSObject()
          objc_setAssociatedObject(book, &noteKey, owner, .OBJC_ASSOCIATION_ASSIGN)
          parts.append("\\(objc_getAssociatedObject(book, &noteKey) as? NSObject === owner)")
        }
        parts.append("\\(objc_getAssociatedObject(book, &noteKey) == nil)")
        return parts.joined(separator: ", ")
      }
    }
    """

  /// Compiled once for the tests below.
  private static let library = SharedLibrary(module: "App", ["Policy.swift": reportSource])

  /// What the method `name` says about a book with a value of each kind and two tags.
  private func report(_ name: String) async throws -> String {
    let policy = try await Self.library.value.policy("App.Policy")
    let context = try bookContext()
    let book = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
    book.setValuesForKeys([
      "pages": 300, "isRead": true, "price": 9.5, "name": "Emma",
      "added": Date(timeIntervalSince1970: 0),
    ])
    for name in ["b", "a"] {
      let tag = EntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValuesForKeys(["name": name, "book": book])
    }
    let result = try ExceptionTrap.catching {
      try policy.callFunction(selector: "\(name):error:", arguments: [.object(book), .null])
    }
    guard case .string(let text) = result else { return "\(result)" }
    return text
  }

  private func bookContext() throws -> ManagedObjectContext {
    let book = EntityDescription(
      "Book",
      [
        .attribute("pages", .integer16), .attribute("isRead", .boolean),
        .attribute("price", .double), .attribute("name", .string), .attribute("added", .date),
        .relationship("tags", to: "Tag", toMany: true, inverse: "book"),
      ])
    let tag = EntityDescription(
      "Tag", [.attribute("name", .string), .relationship("book", to: "Book", inverse: "tags")])
    let model = try ManagedObjectModel(entities: [book, tag])
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    coordinator.add(InMemoryStore(model: model))
    return ManagedObjectContext(coordinator: coordinator)
  }

  @Test func castsValuesAsADeviceDoes() async throws {
    let text = try await report("castsValuesAsADeviceDoes")
    #expect(text == "300 300 300 nil true true 9.5 Emma 0.0 0.0")
  }

  @Test func readsRelationshipsAsSets() async throws {
    let text = try await report("readsRelationshipsAsSets")
    #expect(text == "ab 2 true a+b 2")
  }

  @Test func fetchesInEveryWayOfWritingARequest() async throws {
    let text = try await report("fetchesInEveryWayOfWritingARequest")
    #expect(text == "ba 1 1 3 cb 2 0 Tag")
  }

  @Test func refusesAFetchOfASubclass() async throws {
    let error = await #expect(throws: CoreDataError.self) {
      try await report("refusesAFetchOfASubclass")
    }
    #expect(error?.reason == "Could not cast value of type 'NSManagedObject_Book_' to 'App.Book'.")
  }

  @Test func callsMethodsOfGenericClassesForNotifications() async throws {
    #expect(
      try await report("hearsInGenericClasses")
        == "Book Array<Int> Array<Int> Int Int Int Int")
  }

  @Test func takesUntypedRequestsWhereResultsAreRequired() async throws {
    #expect(try await report("handsUntypedRequestsToGenericFunctions") == "2 2")
  }

  @Test func associatesValuesWithObjects() async throws {
    #expect(
      try await report("keepsMoreWithObjects")
        == "nil, read twice, nil, found, 0 true, true, true")
  }

  @Test func knowsApplesConstants() async throws {
    let text = try await report("knowsApplesConstants")
    #expect(text == "caught name manager")
  }
}
