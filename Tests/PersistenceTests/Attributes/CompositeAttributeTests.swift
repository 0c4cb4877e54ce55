import TestSupport
import Testing

@testable import Persistence

@Suite("Composite attributes")
struct CompositeAttributeTests {
  private static func model() throws -> ManagedObjectModel {
    let person = try ModelNotation.entity(
      "Person",
      properties: [
        "name": "string?",
        "home":
          "composite(city: string?, zip: int32(1...)? = 7, geo: composite(lat: double?, lon: double)?)?",
        "work": "composite(city: string?(...4), at: date?)?",
        "friend": "Person?",
        "town": "string? derived(uppercase:(home.city))",
      ])
    return try ManagedObjectModel(entities: [person])
  }

  private let home: [String: Any] = [
    "city": "Oslo", "zip": 150, "geo": ["lat": 59.9, "lon": 10.75],
  ]

  private func stored(_ object: ManagedObject, _ stack: Stack) throws -> [String: Any]? {
    let copy = stack.freshContext().object(with: object.objectID)
    return copy.value(forKey: "home") as? [String: Any]
  }

  @Test(arguments: Backend.allCases)
  func areDictionariesByKeyAndValuesByKeyPath(_ backend: Backend) throws {
    let stack = try Stack(backend, try Self.model())
    let person = stack.insert("Person", ["home": home])
    try stack.context.save()
    let copy = stack.freshContext().object(with: person.objectID)
    #expect(copy.value(forKeyPath: "home.city") as? String == "Oslo")
    #expect(copy.value(forKeyPath: "home.geo.lat") as? Double == 59.9)
    #expect(copy.value(forKeyPath: "home.zip") as? Int32 == 150)
    let dictionary = try #require(copy.value(forKey: "home") as? [String: Any])
    #expect(dictionary.keys.sorted() == ["city", "geo", "zip"])
    #expect((dictionary["geo"] as? [String: Any])?["lon"] as? Double == 10.75)
    #expect(copy.value(forKey: "work") == nil)
    #expect(copy.value(forKey: "town") as? String == "OSLO")
  }

  @Test(arguments: Backend.allCases)
  func areSetWholeOrElementByElement(_ backend: Backend) throws {
    let stack = try Stack(backend, try Self.model())
    let person = stack.insert("Person")
    #expect(person.value(forKeyPath: "home.zip") as? Int == 7, "an element's default")
    person.setValue(1.5, forKeyPath: "home.geo.lon")
    person.setValue("Rome", forKeyPath: "home.city")
    try stack.context.save()
    var home = try #require(try stored(person, stack))
    #expect(home["city"] as? String == "Rome")
    #expect(home["zip"] as? Int == 7)
    #expect(home["geo"] as? [String: Double] == ["lon": 1.5])
    person.setValue(["city": "Bern"], forKey: "home")
    try stack.context.save()
    home = try #require(try stored(person, stack))
    #expect(home.keys.sorted() == ["city"], "setting the whole leaves nothing behind")
    person.setValue(nil, forKeyPath: "home.city")
    try stack.context.save()
    #expect(try stored(person, stack) == nil, "nothing but nil is nil")
  }

  @Test(arguments: Backend.allCases)
  func refuseWhatIsNoElement(_ backend: Backend) throws {
    let stack = try Stack(backend, try Self.model())
    let person = stack.insert("Person")
    func failure(_ body: () -> Void) -> CoreDataError? {
      #expect(throws: CoreDataError.self) { try ExceptionTrap.catching(body) }
    }
    let unknown = failure { person.setValue(["street": "x"], forKey: "home") }
    #expect(unknown?.reason == "composite attribute 'home' has no element 'street'")
    let path = failure { person.setValue(1, forKeyPath: "home.geo.height") }
    #expect(path?.reason == "composite attribute 'geo' has no element 'height'")
    _ = failure { person.setValue(["zip": "x"], forKey: "home") }
    _ = failure { person.setValue("x", forKey: "home") }
    #expect(person.value(forKeyPath: "home.zip") as? Int == 7, "nothing was changed")
  }

  @Test(arguments: Backend.allCases)
  func areValidatedElementByElement(_ backend: Backend) throws {
    let stack = try Stack(backend, try Self.model())
    let person = stack.insert("Person", ["home": ["zip": 0]])
    func code() -> CoreDataErrorCode? {
      let error = #expect(throws: CoreDataError.self) { try stack.context.save() }
      return error?.code
    }
    #expect(code() == .validationNumberTooSmall)
    person.setValue(["geo": ["lat": 1.0]], forKey: "home")
    #expect(code() == .validationMissingMandatoryProperty, "geo.lon is required")
    person.setValue(nil, forKey: "home")
    person.setValue(["city": "Paris"], forKey: "work")
    #expect(code() == .validationStringTooLong)
    person.setValue(["city": "Oslo"], forKey: "work")
    try stack.context.save()
  }

  @Test(arguments: Backend.allCases)
  func areKnownToPredicatesAndOrder(_ backend: Backend) throws {
    let stack = try Stack(backend, try Self.model())
    let places: [(String, Double)] = [("Oslo", 59.9), ("Rome", 41.9), ("Bern", 46.9)]
    var last: ManagedObject?
    for (city, latitude) in places {
      let person = stack.insert("Person", ["name": city])
      person.setValue(["city": city, "geo": ["lat": latitude, "lon": 0.0]], forKey: "home")
      person.setValue(last, forKey: "friend")
      last = person
    }
    stack.insert("Person", ["name": "nowhere"]).setValue(nil, forKey: "home")
    try stack.context.save()
    let context = stack.freshContext()
    func names(_ format: String, _ key: String = "home.geo.lat") throws -> [String] {
      let request = FetchRequest<ManagedObject>(entityName: "Person")
      request.predicate = try Predicate.parse(format)
      request.sortDescriptors = [SortDescriptor(key: key, ascending: true)]
      return try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
    }
    #expect(try names("home.geo.lat > 42") == ["Bern", "Oslo"])
    #expect(try names("home.city BEGINSWITH[c] 'r'") == ["Rome"])
    #expect(try names("home.city == nil") == ["nowhere"])
    #expect(try names("TRUEPREDICATE") == ["nowhere", "Rome", "Bern", "Oslo"])
    #expect(try names("friend.home.city == 'Oslo'") == ["Rome"])
    #expect(try names("friend != nil", "friend.home.city") == ["Rome", "Bern"])
    let error = #expect(throws: CoreDataError.self) { try names("home.street == 'x'") }
    #expect(error?.reason == "keypath home.street not found in entity Person")
    #expect(throws: CoreDataError.self) { try names("TRUEPREDICATE", "home.street") }
  }

  @Test(arguments: Backend.allCases)
  func areFetchedGroupedAndChangedInBatches(_ backend: Backend) throws {
    let stack = try Stack(backend, try Self.model())
    for (city, zip) in [("Oslo", 1), ("Rome", 2), ("Oslo", 3)] {
      stack.insert("Person", ["home": ["city": city, "zip": zip]])
    }
    try stack.context.save()
    let request = FetchRequest<NSDictionary>(entityName: "Person")
    request.resultType = .dictionaryResultType
    let total = ExpressionDescription()
    total.name = "total"
    total.expression = Expression(format: "sum:(home.zip)")
    total.expressionResultType = .integer64
    request.propertiesToFetch = ["home.city", total]
    request.propertiesToGroupBy = ["home.city"]
    request.sortDescriptors = [SortDescriptor(key: "home.city", ascending: true)]
    let groups = try stack.context.fetch(request)
    #expect(groups.map { $0["home.city"] as? String } == ["Oslo", "Rome"])
    #expect(groups.map { $0["total"] as? Int } == [4, 2])
    try stack.context.execute(
      BatchInsertRequest(entityName: "Person", objects: [["home": ["city": "Bern"]]]))
    #expect(try stack.freshContext().all("Person", "home.city == 'Bern'").count == 1)
  }

  @Test(arguments: Backend.allCases)
  func areChangedElementByElementInBatches(_ backend: Backend) throws {
    let stack = try Stack(backend, try Self.model())
    for (city, zip) in [("Oslo", 1), ("Rome", 2)] {
      stack.insert("Person", ["name": city, "home": ["city": city, "zip": zip]])
    }
    stack.insert("Person", ["name": "nowhere"]).setValue(nil, forKey: "home")
    try stack.context.save()
    func homes(_ changes: [AnyHashable: Any], where format: String? = nil) throws -> [String] {
      let update = BatchUpdateRequest(entityName: "Person")
      update.predicate = try format.map { try Predicate.parse($0) }
      update.propertiesToUpdate = changes
      try stack.context.execute(update)
      return try stack.freshContext().all("Person").map {
        "\(try $0.typedValue(forKey: "home").composite?.description ?? "nil")"
      }
    }
    #expect(
      try homes(["home.city": "Bern"], where: "home.zip == 1")
        == [#"{city: "Bern", zip: 1}"#, #"{city: "Rome", zip: 2}"#, "nil"])
    let next: [AnyHashable: Any] = [
      "home.zip": try Expression.parse("home.zip + 1"), "home.geo": ["lat": 1.5],
    ]
    #expect(
      try homes(next, where: "home != nil")
        == [
          #"{city: "Bern", zip: 2, geo: {lat: 1.5}}"#, #"{city: "Rome", zip: 3, geo: {lat: 1.5}}"#,
          "nil",
        ])
    #expect(
      try homes(["home.geo.lat": 2.5, "home.city": NSNull()], where: "name != 'Oslo'")
        == [
          #"{city: "Bern", zip: 2, geo: {lat: 1.5}}"#, "{zip: 3, geo: {lat: 2.5}}",
          "{geo: {lat: 2.5}}",
        ])
    #expect(
      try homes(["home": ["city": "Kiew", "zip": 9], "home.zip": 5])
        == Array(repeating: #"{city: "Kiew", zip: 5}"#, count: 3))
    #expect(try homes(["home": NSNull()]) == ["nil", "nil", "nil"])
    for key in ["home.street", "home.city.name", "friend.home"] {
      let error = #expect(throws: CoreDataError.self) { try homes([key: "x"]) }
      #expect(error?.reason == "keypath \(key) not found in entity Person")
    }
    #expect(throws: CoreDataError.self) { try homes(["home.zip": "text"]) }
  }

  @Test func elementsAreChangedByOneStatement() throws {
    let stack = try Stack(.sqlite, try Self.model())
    for number in 0..<50 { stack.insert("Person", ["home": ["zip": number + 1]]) }
    try stack.context.save()
    let store = try #require(stack.store as? SQLiteStore)
    for changes in [["home.zip": 1], ["home": ["city": "Oslo"]]] as [[String: Any]] {
      let update = BatchUpdateRequest(entityName: "Person")
      update.propertiesToUpdate = changes
      update.resultType = .count
      let before = store.database.activity.statements
      let result = try stack.context.execute(update) as? BatchUpdateResult
      #expect(result?.result as? Int == 50)
      #expect(store.database.activity.statements - before < 5)
    }
  }

  @Test(arguments: Backend.allCases)
  func mayBeUniqueElementByElement(_ backend: Backend) throws {
    let entity = try ModelNotation.entity(
      "Person", properties: ["name": "string?", "home": "composite(zip: int64?, city: string?)?"])
    entity.uniquenessConstraints = [["home.zip", "name"]]
    let stack = try Stack(backend, try ManagedObjectModel(entities: [entity]))
    let first = stack.insert("Person", ["name": "a", "home": ["zip": 1]])
    stack.insert("Person", ["name": "b", "home": ["zip": 1]])
    stack.insert("Person", ["name": "a"])
    try stack.context.save()
    let second = stack.insert("Person", ["name": "a", "home": ["zip": 1, "city": "x"]])
    let error = #expect(throws: CoreDataError.self) { try stack.context.save() }
    #expect(error?.code == .managedObjectConstraintMerge)
    second.setValue(2, forKeyPath: "home.zip")
    try stack.context.save()
    first.setValue(2, forKeyPath: "home.zip")
    #expect(throws: CoreDataError.self) { try stack.context.save() }
  }

  /// One column for each element that isn't composite, named by the element alone, in the composite's place.
  @Test func haveOneColumnForEachElement() throws {
    let place = try StorePlace()
    let url = place.url
    let model = try Self.model()
    let store = try SQLiteStore.create(at: url, model: model)
    let tables = try store.database.texts("SELECT sql FROM sqlite_master WHERE name = 'ZPERSON'")
    #expect(
      tables == [
        "CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZZIP INTEGER, ZFRIEND INTEGER, ZLAT FLOAT, ZLON FLOAT, ZAT TIMESTAMP, ZCITY VARCHAR, "
          + "ZNAME VARCHAR, ZTOWN VARCHAR, ZCITY1 VARCHAR )"
      ])
    try store.close()
    let cached = try #require(try SQLiteStore.cachedModel(at: url))
    #expect(ModelDifference(from: cached, to: model).entities == [])
    let (before, after) = (model.entity(named: "Person"), cached.entity(named: "Person"))
    #expect(before?.versionHash == after?.versionHash)
    _ = try SQLiteStore.open(at: url, model: cached)
  }
}

@Suite("Transient attributes")
struct TransientAttributeTests {
  private func stack(_ backend: Backend) throws -> Stack {
    let note = try ModelNotation.entity(
      "Note",
      properties: [
        "text": "string?", "mood": "string? = calm transient", "extent": "int32? transient",
        "parts": "composite(a: string? = x)? transient",
      ])
    return try Stack(backend, try ManagedObjectModel(entities: [note]))
  }

  @Test(arguments: Backend.allCases)
  func startAnewWhereverAnObjectComesFrom(_ backend: Backend) throws {
    let stack = try stack(backend)
    let note = stack.insert("Note", ["text": "a"])
    #expect(note.value(forKey: "mood") as? String == "calm")
    note.setValue("wild", forKey: "mood")
    note.setValue(7, forKey: "extent")
    #expect(note.hasChanges && note.changedValues().keys.sorted() == ["extent", "mood", "text"])
    try stack.context.save()
    #expect(note.value(forKey: "mood") as? String == "wild", "a save leaves the object alone")
    let copy = stack.freshContext().object(with: note.objectID)
    #expect(copy.value(forKey: "mood") as? String == "calm")
    #expect(copy.value(forKey: "extent") == nil)
    #expect(copy.value(forKeyPath: "parts.a") as? String == "x")
    note.setValue("odd", forKey: "mood")
    #expect(stack.context.hasChanges && !note.hasPersistentChangedValues)
    stack.context.refresh(note, mergeChanges: false)
    #expect(!stack.context.hasChanges)
    #expect(note.value(forKey: "mood") as? String == "calm")
  }

  @Test(arguments: Backend.allCases)
  func arePartOfNoRowAndNoFetch(_ backend: Backend) throws {
    let stack = try stack(backend)
    let note = stack.insert("Note", ["text": "a", "extent": 7])
    try stack.context.save()
    let row = try #require(try stack.store.row(for: note.objectID))
    #expect(row.values.filter { !$0.isNull } == [.string("a")])
    let request = FetchRequest<ManagedObject>(entityName: "Note")
    for format in ["mood == 'calm'", "extent == 7", "parts.a == 'x'"] {
      request.predicate = try Predicate.parse(format)
      let found = Result { try stack.context.fetch(request).count }
      if backend == .sqlite {
        #expect(throws: CoreDataError.self, "\(format)") { try found.get() }
      }
    }
    let sorted = FetchRequest<ManagedObject>(entityName: "Note")
    sorted.sortDescriptors = [SortDescriptor(key: "mood", ascending: true)]
    if backend == .sqlite {
      let error = #expect(throws: CoreDataError.self) { try stack.context.fetch(sorted) }
      #expect(error?.reason == "keypath mood not found in entity Note")
    }
  }
}

@Suite("Transformable attributes")
struct TransformableAttributeTests {
  private func stack(_ backend: Backend, _ transformer: String) throws -> Stack {
    let note = try ModelNotation.entity(
      "Note", properties: ["value": "transformable(\(transformer))?"])
    return try Stack(backend, try ManagedObjectModel(entities: [note]))
  }

  @Test(
    arguments: Backend.allCases,
    ["NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer"])
  func ofASecureTransformerKeepPropertyListsOnly(
    _ backend: Backend, _ transformer: String
  ) throws {
    let stack = try stack(backend, transformer)
    for value in [["a", "b"], ["k": 1], "text", 7, Date()] as [Any] {
      stack.insert("Note", ["value": value])
    }
    try stack.context.save()
    let values = try stack.freshContext().all("Note").map { $0.value(forKey: "value") }
    #expect(values[0] as? [String] == ["a", "b"])
    #expect(values[2] as? String == "text")
    stack.insert("Note", ["value": NSError(domain: "x", code: 1)])
    let error = #expect(throws: CoreDataError.self) { try stack.context.save() }
    #expect(error?.reason == "Object of class NSError is not among allowed top level class list")
    #expect(error?.place.property == "value")
  }

  @Test(arguments: Backend.allCases)
  func ofAnAppsOwnTransformerAreCarriedUnopened(_ backend: Backend) throws {
    let stack = try stack(backend, "AppTransformer")
    let bytes = TransformableValue(archived: Data([1, 2, 3]))
    let note = stack.insert("Note", ["value": Value.transformable(bytes)])
    try stack.context.save()
    let row = try #require(try stack.store.row(for: note.objectID))
    guard case .transformable(let stored)? = row.values.first else {
      Issue.record("no value")
      return
    }
    #expect(try stored.archived() == Data([1, 2, 3]))
  }
}

/// A text as its bytes, and nothing that makes a text of them.
private class BytesTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? {
    (value as? String).map { Data($0.utf8) }
  }
}

/// What it archives, it archives once more.
private final class ArchivingTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? { Data("\(value ?? "")".utf8) }
}

private final class OneWayTransformer: BytesTransformer {
  override class func allowsReverseTransformation() -> Bool { false }
}

private final class BothWaysTransformer: BytesTransformer {
  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension TransformableAttributeTests {
  private func savedValue(_ backend: Backend, _ transformer: ValueTransformer) throws -> String? {
    let name = "\(type(of: transformer))Of\(backend)"
    ValueTransformer.setValueTransformer(transformer, forName: ValueTransformerName(name))
    let stack = try stack(backend, name)
    stack.insert("Note", ["value": "abc"])
    try stack.context.save()
    return try stack.freshContext().all("Note").first?.value(forKey: "value") as? String
  }

  @Test(arguments: Backend.allCases)
  func areRefusedIfTheirTransformerCantReadThem(_ backend: Backend) throws {
    let transformers: [ValueTransformer] = [
      BytesTransformer(), ArchivingTransformer(), OneWayTransformer(),
    ]
    for transformer in transformers {
      let error = #expect(throws: CoreDataError.self) { try savedValue(backend, transformer) }
      #expect(
        error?.reason
          == "The value transformer \(type(of: transformer)) has no reverse transformation: a store "
          + "can write its values, and not read them back.")
      #expect(error?.place.property == "value")
    }
    #expect(try savedValue(backend, BothWaysTransformer()) == "abc")
  }
}

@Suite("Copies of fetch requests")
struct FetchRequestCopyTests {
  @Test(arguments: Backend.allCases)
  func askForTheSame(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    for number in 0..<6 { stack.insert("Book", ["title": "b\(number)", "pages": number % 3]) }
    try stack.context.save()
    let request = FetchRequest<NSDictionary>(entityName: "Item")
    request.resultType = .dictionaryResultType
    request.predicate = try Predicate.parse("pages >= 0")
    request.propertiesToFetch = ["pages"]
    request.propertiesToGroupBy = ["pages"]
    request.havingPredicate = try Predicate.parse("pages < 9")
    request.sortDescriptors = [SortDescriptor(key: "pages", ascending: false)]
    request.fetchOffset = 1
    request.fetchLimit = 1
    request.affectedStores = [stack.store]
    let copy = try #require(request.copy() as? FetchRequest<NSDictionary>)
    #expect(try stack.context.fetch(copy) == [["pages": 1]])
    copy.fetchOffset = 0
    #expect(try stack.context.fetch(request) == [["pages": 1]], "the copy is another request")
    #expect(try stack.context.fetch(copy) == [["pages": 2]])
    let entity = try #require(stack.model.entity(named: "Book"))
    let byEntity = FetchRequest<ManagedObject>()
    byEntity.entity = entity
    byEntity.fetchBatchSize = 7
    byEntity.relationshipKeyPathsForPrefetching = ["shelf"]
    byEntity.includesPropertyValues = false
    byEntity.returnsObjectsAsFaults = false
    byEntity.shouldRefreshRefetchedObjects = true
    byEntity.returnsDistinctResults = true
    let other = try #require(byEntity.copy() as? FetchRequest<ManagedObject>)
    #expect(other.entity === entity && other.entityName == "Book" && other.fetchBatchSize == 7)
    #expect(other.relationshipKeyPathsForPrefetching == ["shelf"])
    #expect(!other.includesPropertyValues && !other.returnsObjectsAsFaults)
    #expect(other.shouldRefreshRefetchedObjects && other.returnsDistinctResults)
  }

  @Test(arguments: Backend.allCases)
  func ofControllersKeepStoresAndEntities(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    stack.insert("Book", ["title": "a"])
    try stack.context.save()
    let request = FetchRequest<ManagedObject>(entityName: "Item")
    request.sortDescriptors = [SortDescriptor(key: "title", ascending: true)]
    request.affectedStores = []
    let controller = FetchedResultsController(
      fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil,
      cacheName: nil)
    try controller.performFetch()
    #expect(controller.fetchedObjects?.isEmpty == true, "no store is asked")
    request.affectedStores = [stack.store]
    try controller.performFetch()
    #expect(controller.fetchedObjects?.count == 1)
  }
}
