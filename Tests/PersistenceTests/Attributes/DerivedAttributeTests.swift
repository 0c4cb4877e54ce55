import TestSupport
import Testing

@testable import Persistence

@Suite("Derived attributes")
struct DerivedAttributeTests {
  private static func model(_ extra: KeyValuePairs<String, String> = [:]) throws
    -> ManagedObjectModel
  {
    let shelf = try ModelNotation.entity(
      "Shelf",
      properties: [
        "name": "string?", "items": "[Item] <-> shelf",
        "count": "int32? derived(items.@count)",
        "total": "int64? derived(items.price.@sum)",
        "weight": "double? derived(sum:(items.weight))",
        "dearest": "int64? derived(items.price.@max)",
        "searchName": "string? derived(canonical:(name))",
        "changed": "date? derived(now())",
      ])
    shelf.ownProperties += try extra.map { try ModelNotation.property(named: $0.key, $0.value) }
    shelf.ownProperties += try Self.filtered()
    let item = try ModelNotation.entity(
      "Item",
      properties: [
        "price": "int64?", "weight": "double?", "shelf": "Shelf? <-> items",
        "tags": "[Tag] <-> items",
        "shelfName": "string? derived(uppercase:(shelf.name))",
        "neighbours": "int32? derived(shelf.count)",
        "tagCount": "int16? derived(count:(tags))",
      ])
    let book = try ModelNotation.entity("Book: Item", properties: ["title": "string?"])
    let tag = try ModelNotation.entity(
      "Tag",
      properties: [
        "name": "string?", "items": "[Item] <-> tags", "lowest": "int64? derived(items.price.@min)",
      ])
    return try ManagedObjectModel(entities: [shelf, item, book, tag])
  }

  /// Derived attributes for which only some objects count.
  private static func filtered() throws -> [PropertyDescription] {
    let filters: KeyValuePairs = [
      "cheap": ("int32? derived(items.@count)", "price < 5"),
      "tagged": ("int64? derived(items.price.@sum)", "ANY tags.name == 'x' OR tags.@count > 1"),
      "manySold": ("string? derived(name)", "count > 2"),
      "ownName": ("string? derived(uppercase:(name))", "name BEGINSWITH 's1'"),
    ]
    return try filters.map { name, rule in
      let property = try ModelNotation.property(named: name, rule.0)
      (property as? AttributeDescription)?.filterPredicate = rule.1
      return property
    }
  }

  @Test(arguments: Backend.allCases)
  func countOnlyWhatTheirFilterLetsThrough(_ backend: Backend) throws {
    let stack = try Stack(backend, try Self.model())
    let shelf = stack.insert("Shelf", ["name": "s1"])
    let items = [3, 4, 9].map { stack.insert("Item", ["price": $0, "shelf": shelf]) }
    try stack.context.save()
    try expect(shelf, "cheap", .integer(2), stack)
    try expect(shelf, "tagged", .integer(0), stack)
    try expect(shelf, "manySold", .string("s1"), stack)
    try expect(shelf, "ownName", .string("S1"), stack)
    let tag = stack.insert("Tag", ["name": "x", "items": NSSet(object: items[2])])
    items[0].setValue(7, forKey: "price")
    shelf.setValue("t", forKey: "name")
    try stack.context.save()
    try expect(shelf, "cheap", .integer(1), stack)
    try expect(shelf, "tagged", .integer(9), stack)
    try expect(shelf, "ownName", .null, stack)
    tag.setValue("y", forKey: "name")
    stack.context.delete(items[1])
    try stack.context.save()
    try expect(shelf, "cheap", .integer(0), stack)
    try expect(shelf, "tagged", .integer(0), stack)
    try expect(shelf, "manySold", .null, stack)
  }

  @Test(arguments: [
    ("items.@count", "colour == 1", "'Item' has no property 'colour'"),
    ("items.@count", "price >", "'price >' is no expression"),
    ("items.@count", "SUBQUERY(tags, $t, $t.name == 'x').@count > 0", "can't be derived"),
    ("now()", "name == 'a'", "'now() with a filter' can't be derived"),
  ])
  func refuseFiltersThatNoStoreCanKeepUpWith(expression: String, filter: String, problem: String)
    throws
  {
    let attribute = AttributeDescription(
      name: "derived", type: expression == "now()" ? .date : .integer32)
    (attribute.derivationExpression, attribute.filterPredicate) = (expression, filter)
    let model = try Self.model()
    let shelf = try #require(model.entity(named: "Shelf")).copyForTest()
    shelf.ownProperties.append(attribute)
    let others = try ["Item", "Book", "Tag"].map {
      try #require(model.entity(named: $0)).copyForTest()
    }
    let changed = try ManagedObjectModel(entities: [shelf] + others)
    let text = changed.entity(named: "Shelf")?.attribute(named: "derived")?.derivationError
    #expect(text?.problem.contains(problem) == true, "\(text?.problem ?? "no problem")")
  }

  private func value(_ object: ManagedObject, _ key: String) throws -> Value {
    try object.typedValue(forKey: key)
  }

  /// What the object shows, and what the store holds.
  private func expect(
    _ object: ManagedObject, _ key: String, _ expected: Value, _ stack: Stack,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try value(object, key) == expected, sourceLocation: sourceLocation)
    let slot = try #require(object.entity.attribute(named: key)).slot
    let stored = try #require(try stack.store.row(for: object.objectID)).values[slot]
    #expect(stored == expected, "in the store", sourceLocation: sourceLocation)
  }

  @Test(arguments: Backend.allCases)
  func areComputedWithEachSave(_ backend: Backend) throws {
    let stack = try Stack(backend, try Self.model())
    let shelf = stack.insert("Shelf", ["name": "Émile"])
    let book = stack.insert("Book", ["price": 7, "weight": 0.5, "shelf": shelf])
    let tag = stack.insert("Tag", ["items": NSSet(object: book)])
    #expect(try value(shelf, "count") == .null, "nothing is derived before a save")
    try stack.context.save()
    try expect(shelf, "count", .integer(1), stack)
    try expect(shelf, "total", .integer(7), stack)
    try expect(shelf, "weight", .double(0.5), stack)
    try expect(shelf, "searchName", .string("emile"), stack)
    try expect(book, "shelfName", .string("ÉMILE"), stack)
    try expect(book, "neighbours", .integer(1), stack)
    try expect(book, "tagCount", .integer(1), stack)
    try expect(tag, "lowest", .integer(7), stack)
    #expect(!stack.context.hasChanges)

    let second = stack.insert("Item", ["price": 9, "weight": 0.25, "shelf": shelf])
    try stack.context.save()
    try expect(shelf, "count", .integer(2), stack)
    try expect(shelf, "total", .integer(16), stack)
    try expect(shelf, "weight", .double(0.75), stack)
    try expect(shelf, "dearest", .integer(9), stack)
    try expect(book, "neighbours", .integer(2), stack)

    second.setValue(3, forKey: "price")
    book.setValue(5, forKey: "price")
    try stack.context.save()
    try expect(shelf, "total", .integer(8), stack)
    try expect(tag, "lowest", .integer(5), stack)

    shelf.setValue("Ωmega", forKey: "name")
    try stack.context.save()
    try expect(book, "shelfName", .string("ΩMEGA"), stack)

    stack.context.delete(second)
    try stack.context.save()
    try expect(shelf, "count", .integer(1), stack)
    try expect(shelf, "total", .integer(5), stack)
    try expect(book, "neighbours", .integer(1), stack)
  }

  /// As a file that is opened with another model of the same version.
  @Test(arguments: Backend.allCases)
  func areCopiedIntoMemoryAsTheyAre(_ backend: Backend) throws {
    let stack = try Stack(backend, try Self.model())
    let shelf = stack.insert("Shelf", ["name": "s1"])
    stack.insert("Item", ["price": 3, "shelf": shelf])
    try stack.context.save()
    let copy = try InMemoryStore.copying(stack.store, model: try Self.model())
    let row = try #require(try stack.store.row(for: shelf.objectID))
    let entity = try #require(copy.model.entity(named: "Shelf"))
    let id = ManagedObjectID(entity: entity, primaryKey: shelf.objectID.primaryKey, store: copy)
    let copied = try #require(copy.row(for: id))
    for attribute in entity.attributes {
      let source = try #require(shelf.entity.attribute(named: attribute.name))
      #expect(copied.values[attribute.slot] == row.values[source.slot], "\(attribute.name)")
    }
  }

  @Test(arguments: Backend.allCases)
  func haveNoValueWhereASumTakesMoreThan64Bits(_ backend: Backend) throws {
    let stack = try Stack(backend, try Self.model())
    let shelf = stack.insert("Shelf")
    let items = (0..<2).map { _ in stack.insert("Item", ["price": Int64.max, "shelf": shelf]) }
    try stack.context.save()
    try expect(shelf, "total", .null, stack)
    items[0].setValue(Int64.min, forKey: "price")
    try stack.context.save()
    try expect(shelf, "total", .integer(-1), stack)
  }

  @Test(arguments: Backend.allCases)
  func followObjectsThatMove(_ backend: Backend) throws {
    let stack = try Stack(backend, try Self.model())
    let (a, b) = (stack.insert("Shelf", ["name": "a"]), stack.insert("Shelf", ["name": "b"]))
    let item = stack.insert("Item", ["price": 4, "shelf": a])
    try stack.context.save()
    item.setValue(b, forKey: "shelf")
    try stack.context.save()
    try expect(a, "count", .integer(0), stack)
    try expect(b, "total", .integer(4), stack)
    try expect(item, "shelfName", .string("B"), stack)
    item.setValue(nil, forKey: "shelf")
    try stack.context.save()
    try expect(b, "count", .integer(0), stack)
    try expect(b, "dearest", .null, stack)
    try expect(item, "shelfName", .null, stack)
    try expect(item, "neighbours", .null, stack)
  }

  @Test(arguments: Backend.allCases)
  func tellWhenAnObjectWasSavedLast(_ backend: Backend) throws {
    let stack = try Stack(backend, try Self.model())
    let shelf = stack.insert("Shelf", ["changed": Date(timeIntervalSinceReferenceDate: 1)])
    let before = Date()
    try stack.context.save()
    guard case .date(let first) = try value(shelf, "changed") else {
      Issue.record("no time")
      return
    }
    #expect(first >= before && first <= Date(), "what was set is overwritten")
    shelf.setValue("n", forKey: "name")
    try stack.context.save()
    guard case .date(let second) = try value(shelf, "changed") else {
      Issue.record("no time")
      return
    }
    #expect(second > first)
  }

  @Test(arguments: Backend.allCases)
  func areKnownToPredicatesOrderAndConstraints(_ backend: Backend) throws {
    let model = try Self.model()
    let stack = try Stack(backend, model)
    for (name, count) in [("x", 2), ("y", 0), ("z", 1)] {
      let shelf = stack.insert("Shelf", ["name": name])
      for _ in 0..<count { stack.insert("Item", ["shelf": shelf]) }
    }
    try stack.context.save()
    let request = FetchRequest<ManagedObject>(entityName: "Shelf")
    request.predicate = try Predicate.parse("count < 2")
    request.sortDescriptors = [SortDescriptor(key: "count", ascending: false)]
    let names = try stack.context.fetch(request).map { $0.value(forKey: "name") as? String }
    #expect(names == ["z", "y"])
  }

  @Test(arguments: Backend.allCases)
  func followBatches(_ backend: Backend) throws {
    let stack = try Stack(backend, try Self.model())
    let shelf = stack.insert("Shelf", ["name": "a"])
    try stack.context.save()
    let rows = (1...3).map { ["price": $0, "shelf": shelf] as [String: Any] }
    try stack.context.execute(BatchInsertRequest(entityName: "Item", objects: rows))
    let context = stack.freshContext()
    func total() throws -> Value {
      context.refreshAllObjects()
      return try context.existingObject(with: shelf.objectID).typedValue(forKey: "total")
    }
    #expect(try total() == .integer(6))
    let update = BatchUpdateRequest(entityName: "Item")
    update.propertiesToUpdate = ["price": Expression(format: "price * 10")]
    try context.execute(update)
    #expect(try total() == .integer(60))
    let fetch = FetchRequest<any FetchRequestResult>(entityName: "Item")
    fetch.predicate = try Predicate.parse("price > 10")
    try context.execute(BatchDeleteRequest(fetchRequest: fetch))
    #expect(try total() == .integer(10))
  }

  @Test(arguments: Backend.allCases)
  func whatIsRequiredNeedsAValueToBeSaved(_ backend: Backend) throws {
    let model = try Self.model(["must": "int32 derived(items.@count)"])
    let stack = try Stack(backend, model)
    let shelf = stack.insert("Shelf")
    let error = #expect(throws: CoreDataError.self) { try stack.context.save() }
    #expect(error?.code == .validationMissingMandatoryProperty)
    shelf.setPrimitiveValue(7, forKey: "must")
    try stack.context.save()
    try expect(shelf, "must", .integer(0), stack)
  }

  @Test(arguments: [
    ("", "it has no derivation expression"),
    ("items.", "'items.' is no expression"),
    ("nothing", "'Shelf' has no property 'nothing'"),
    ("items.price", "'items' leads to several objects"),
    ("items", "'items' leads to objects, not to a value"),
    ("name.@count", "'name' doesn't go through one to-many relationship"),
    ("items.tags.@count", "'items.tags' doesn't go through one to-many relationship"),
    ("items.@avg", "'items' leads to objects, not to a value"),
    ("items.price.@count", "objects are counted, not the values of an attribute"),
    ("items.shelf.@sum", "'items.shelf' doesn't go through one to-many relationship"),
    ("canonical:(items)", "'items' leads to objects, not to a value"),
    ("FUNCTION(name, 'length')", "'length' can't be derived"),
    ("items.@sum.price", "in 'items.@sum.price' the operator isn't at the end"),
    ("items.@unionOfObjects.price", "'@unionOfObjects' can't be derived"),
    ("name", "it is Integer 32, and its values are String"),
    ("now()", "it is Integer 32, and its values are Date"),
    ("bad", "it is derived from itself"),
    ("count + 1", "'add:to:' can't be derived"),
  ])
  func anExpressionThatCanNotBeDerivedIsRefused(_ expression: String, _ problem: String) throws {
    let model = try Self.model(["bad": "int32?"])
    let attribute = AttributeDescription(name: "bad", type: .integer32)
    attribute.derivationExpression = expression
    let changed = try ManagedObjectModel(
      entities: model.entities.map { entity in
        let copy = entity.copyForTest()
        if copy.name == "Shelf" {
          copy.ownProperties.removeAll { $0.name == "bad" }
          copy.ownProperties.append(attribute)
        }
        return copy
      })
    let coordinator = PersistentStoreCoordinator(managedObjectModel: changed)
    let error = #expect(throws: CoreDataError.self) {
      try ExceptionTrap.catching { coordinator.add(InMemoryStore(model: changed)) }
    }
    #expect(error?.code == .persistentStoreIncompatibleSchema)
    #expect(error?.place.property == "bad")
    let reason = error?.reason ?? ""
    let start = "The store doesn't support a derived attribute of its model: "
    #expect(reason.hasPrefix(start + problem), "\(reason)")
    #expect(error?.advice?.isEmpty == false)
  }

  @Test func theRightSpellingOfAnOperatorIsAdvised() throws {
    let model = try Self.model(["bad": "int64? derived(items.@sum.price)"])
    let attribute = model.entity(named: "Shelf")?.attribute(named: "bad")
    #expect(attribute?.derivationError?.advice == "Write items.price.@sum.")
  }

  @Test func appsStoresInMemoryRefuseThem() throws {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: try Self.model())
    let error = #expect(throws: CoreDataError.self) {
      try coordinator.addPersistentStore(type: .inMemory, at: nil)
    }
    #expect(error?.code == .persistentStoreIncompatibleSchema)
    #expect(error?.place.entity != nil && error?.place.property != nil)
    #expect(coordinator.persistentStores.isEmpty)
  }

  /// Core Data's triggers call functions that only it has; other programs' may do anything.
  @Test func triggersInTheFilePlayNoPart() throws {
    let place = try StorePlace()
    let url = place.url
    let model = try Self.model()
    try SQLiteStore.create(at: url, model: model).close()
    do {
      let database = try Database(at: url, access: .readWrite)
      try database.execute(
        """
        CREATE TRIGGER Z_DA_ZSHELF_Shelf_changed_UPDATE AFTER UPDATE OF Z_OPT ON ZSHELF BEGIN
          UPDATE ZSHELF SET ZCHANGED = NSCoreDataNow() WHERE Z_PK = NEW.Z_PK;
        END
        """)
    }
    let store = try SQLiteStore.open(at: url, model: model)
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    coordinator.add(store)
    let context = ManagedObjectContext(coordinator: coordinator)
    let shelf = EntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
    try context.save()
    shelf.setValue("a", forKey: "name")
    try context.save()
    #expect(try value(shelf, "searchName") == .string("a"))
    let names = try store.database.texts("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    #expect(names == ["Z_DA_ZSHELF_Shelf_changed_UPDATE"], "the trigger stays for Core Data")
  }

  /// Random objects, random changes: after each save every derived value is what its expression
  /// gives, in both stores.
  @Test func agreeWithTheirExpressionsWhateverChanges() throws {
    let first = ProcessInfo.processInfo.environment["HEAVYWEIGHT_SEED"].flatMap(UInt64.init)
    let seed = first ?? UInt64.random(in: .min ... .max)
    for backend in Backend.allCases {
      var random = RandomSource(seed: seed)
      let stack = try Stack(backend, try Self.model())
      for round in 0..<60 {
        try Self.change(stack, &random)
        try stack.context.save()
        for object in try stack.freshContext().all("Shelf") + stack.context.all("Item")
          + stack.freshContext().all("Tag")
        {
          try check(object, "seed \(seed), \(backend), round \(round)")
        }
      }
    }
  }

  private static func change(_ stack: Stack, _ random: inout RandomSource) throws {
    let context = stack.context
    switch Int.random(in: 0..<6, using: &random) {
    case 0: stack.insert("Shelf", ["name": "s\(Int.random(in: 0..<9, using: &random))É"])
    case 1:
      let item = stack.insert(
        Bool.random(using: &random) ? "Book" : "Item",
        ["price": Int.random(in: 0..<9, using: &random), "weight": 0.5])
      item.setValue(try context.all("Shelf").randomElement(using: &random), forKey: "shelf")
    case 2:
      let tags = try context.all("Item").filter { _ in Bool.random(using: &random) }
      let name = ["x", "y"].randomElement(using: &random) ?? "x"
      stack.insert("Tag", ["items": NSSet(array: tags), "name": name])
    case 3:
      let shelf = try context.all("Shelf").randomElement(using: &random)
      try context.all("Item").randomElement(using: &random)?.setValue(shelf, forKey: "shelf")
    case 4:
      let price = Int.random(in: 0..<9, using: &random)
      try context.all("Item").randomElement(using: &random)?.setValue(price, forKey: "price")
    default:
      let entity = ["Shelf", "Item", "Tag"].randomElement(using: &random) ?? "Tag"
      if let object = try context.all(entity).randomElement(using: &random) {
        context.delete(object)
      }
    }
  }

  private func check(_ object: ManagedObject, _ label: String) throws {
    for attribute in object.entity.attributes where attribute.isDerived {
      let derivation = try Derivation(of: attribute)
      if derivation.isTime { continue }
      #expect(
        try object.typedValue(forKey: attribute.name) == derivation.value(for: object, at: Date()),
        "\(label): \(object.entity.name).\(attribute.name)")
    }
  }
}

extension EntityDescription {
  /// The same entity, not in use yet.
  fileprivate func copyForTest() -> EntityDescription {
    let copy = EntityDescription(name: name)
    copy.superentityName = superentityName
    copy.ownProperties = ownProperties.map { property in
      if let relationship = property as? RelationshipDescription {
        let other = RelationshipDescription(
          name: relationship.name, destinationEntityName: relationship.destinationEntityName,
          toMany: relationship.isToMany)
        other.inverseName = relationship.inverseName
        return other
      }
      let attribute = property as? AttributeDescription
      let other = AttributeDescription(
        name: property.name, type: attribute?.attributeType ?? .undefined)
      other.derivationExpression = attribute?.derivationExpression
      return other
    }
    return copy
  }
}
