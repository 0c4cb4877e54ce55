import Testing

@testable import Migration

/// New objects that are written before the save must look to a policy as if they weren't, and come to
/// the same in the end.
@Suite(.tags(.random), .tiered) struct EarlyRowsTests {
  /// What a policy sees, line by line.
  final class Notes {
    var lines: [String] = []
    func note(_ line: String) { lines.append(line) }
  }

  final class NotingPolicy: EntityMigrationPolicy {
    var create: ((ManagedObject, ManagedObject, MigrationManager) throws -> Void)?
    var relate: ((ManagedObject, MigrationManager) throws -> Void)?
    var validate: ((MigrationManager) throws -> Void)?

    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      let made = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [source])
      try create?(source, made[0], manager)
    }

    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      try super.createRelationships(
        forDestination: destination, in: mapping, manager: manager)
      try relate?(destination, manager)
    }

    override func performCustomValidation(
      forMapping mapping: EntityMapping, manager: MigrationManager
    ) throws { try validate?(manager) }
  }

  private static func old() throws -> ManagedObjectModel {
    try model("v1", entity("Event", attribute("name"), attribute("tags")))
  }

  /// - Parameter unique: Whether no two events, nor tags, may have one name.
  private static func new(unique: Bool) throws -> ManagedObjectModel {
    let constraints = unique ? [["name"]] : []
    return try model(
      "v2",
      entity(
        "Event", unique: constraints, attribute("name", required: true),
        attribute("size", .integer32),
        attribute("mark", transient: true),
        attribute("weight", .double, default: .double(2.5), transient: true),
        attribute("price", .decimal), toMany("tags", "Tag", inverse: "events"),
        toOne("next", "Event", inverse: "previous"), toOne("previous", "Event", inverse: "next"),
        toOne("group", "Group", inverse: "events")),
      entity(
        "Tag", unique: constraints, attribute("name"),
        toMany("events", "Event", inverse: "tags")),
      entity("Group", attribute("name"), toMany("events", "Event", inverse: "group")),
      entity("Band", parent: "Group"))
  }

  private static func seed(_ context: ManagedObjectContext) {
    for number in 1...12 {
      let tags = (1...3).map { "t\((number * $0) % 7)" }.joined(separator: ",")
      context.insert("Event", ["name": "e\(number)", "tags": tags])
    }
  }

  private static let tiny = [(0, 1), (1, 1), (3, 4), (100, 2), (2, 9)].map { kept, waiting in
    SpillLimits(kept: kept, waiting: waiting)
  }

  /// Content or error, and what the policy noted.
  private func outcome(
    _ backend: Backend, _ limits: SpillLimits, unique: Bool = false,
    _ configure: @escaping (NotingPolicy, Notes) -> Void
  ) throws -> (end: [String], notes: [String]) {
    let (old, new) = (try Self.old(), try Self.new(unique: unique))
    let stage = try Stage(backend, old, seed: Self.seed)
    stage.limits = limits
    let mapping = try MappingBuilder(source: old, destination: new).mappingModel([
      EntityMappingDraft(source: "Event", destination: "Event", policy: "Test.Policy")
    ])
    let notes = Notes()
    let policies = PolicyRegistry([
      "Test.Policy": {
        let policy = NotingPolicy()
        configure(policy, notes)
        return policy
      }
    ])
    var step = MigrationStep(from: old, to: new)
    step.mappings = [MappingCandidate(name: "mapping", model: mapping)]
    let (store, report) = stage.run([step], policies: policies)
    if let failure = report.failure { return (Self.lines(of: failure), notes.lines) }
    let made = try #require(store)
    let origins = try Self.origins(report, of: made)
    return (try dump(made) + origins, notes.lines)
  }

  /// Where each event comes from, by name.
  private static func origins(
    _ report: ChainReport, of store: PersistentStore
  ) throws -> [String] {
    let request = FetchRequest<ManagedObject>(entityName: "Event")
    request.sortDescriptors = [SortDescriptor(key: "name", ascending: true)]
    return try ManagedObjectContext(on: store).fetch(request).map { event in
      let sources = report.sources(of: .init(event.objectID)).map(\.primaryKey)
      return "\(event.value(forKey: "name") ?? "?") from \(sources)"
    }
  }

  /// An error with all its details, without the keys of identifiers.
  private static func lines(of failure: ChainFailure) -> [String] {
    let error = failure.error as? CoreDataError
    let all = error.map { [$0] + $0.details } ?? []
    let place = failure.place
    let head = "\(place.pass ?? "-") \(place.entityMapping ?? "-") \(place.sourceObject != nil)"
    let details = all.map { detail -> String in
      let source = detail.place.sourceObject?.split(separator: "/").last.map(String.init) ?? "-"
      let property = detail.place.property ?? "-"
      return "\(detail.code.rawValue) \(property) \(detail.value ?? "-") from \(source)"
    }
    return [head, error == nil ? "\(failure.error)" : ""] + details
  }

  /// Plays a policy keeping all, and with tiny limits, in files and in memory.
  func expectAgreement(
    isAboutColumns: Bool = false, unique: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ configure: @escaping (NotingPolicy, Notes) -> Void
  ) throws {
    let kept = try outcome(.sqlite, .never, unique: unique, configure)
    let memory = try outcome(.memory, .never, unique: unique, configure)
    #expect(!kept.end.isEmpty, sourceLocation: sourceLocation)
    if !isAboutColumns {
      #expect(memory.end == kept.end, sourceLocation: sourceLocation)
      #expect(memory.notes == kept.notes, sourceLocation: sourceLocation)
    }
    for (backend, kept) in [(Backend.sqlite, kept), (.memory, memory)] {
      for limits in Self.tiny {
        let early = try outcome(backend, limits, unique: unique, configure)
        let place: Comment = "\(backend), \(limits)"
        #expect(early.end == kept.end, place, sourceLocation: sourceLocation)
        #expect(early.notes == kept.notes, place, sourceLocation: sourceLocation)
      }
    }
  }

  static func fetch(
    _ entity: String, _ manager: MigrationManager, _ format: String? = nil,
    _ arguments: Any?..., sort: String? = nil, limit: Int = 0
  ) throws -> [ManagedObject] {
    let request = FetchRequest<ManagedObject>(entityName: entity)
    request.predicate = format.map { Predicate(format: $0, argumentArray: arguments) }
    request.fetchLimit = limit
    if let sort { request.sortDescriptors = [SortDescriptor(key: sort, ascending: false)] }
    return try manager.destinationContext.fetch(request)
  }

  private static func first(of objects: NSSet) -> ManagedObject? {
    objects.allObjects.compactMap { $0 as? ManagedObject }.min { names([$0]) < names([$1]) }
  }

  static func names(_ objects: [ManagedObject]) -> String {
    objects.map { $0.value(forKey: "name") as? String ?? "nil" }.joined(separator: " ")
  }

  /// Finds or makes the tags of an event.
  static func split(
    _ source: ManagedObject, _ event: ManagedObject, _ manager: MigrationManager
  ) throws {
    for part in (source.value(forKey: "tags") as? String ?? "").split(separator: ",") {
      let found = try fetch("Tag", manager, "name LIKE %@", String(part))
      let tag =
        found.first
        ?? EntityDescription.insertNewObject(forEntityName: "Tag", into: manager.destinationContext)
      if found.isEmpty { tag.setValue(String(part), forKey: "name") }
      tag.mutableSetValue(forKey: "events").add(event)
    }
  }

  // MARK: Content

  @Test func splitTagsAgree() throws {
    try expectAgreement { policy, _ in policy.create = Self.split }
  }

  @Test func linksOfWrittenObjectsAgree() throws {
    try expectAgreement { policy, notes in
      policy.create = Self.split
      policy.relate = { event, manager in
        let name = event.value(forKey: "name") as? String ?? ""
        let number = Int(name.dropFirst()) ?? 0
        let next = try Self.fetch("Event", manager, "name == %@", "e\(number % 12 + 1)", limit: 1)
        event.setValue(next.first, forKey: "next")
        event.setValue(number, forKey: "size")
        let tags = event.mutableSetValue(forKey: "tags")
        if number % 3 == 0, let tag = Self.first(of: tags) { tags.remove(tag) }
        notes.note("\(name) \(tags.count > 1) \(event.value(forKeyPath: "next.name") ?? "-")")
        notes.note("before: \((event.value(forKeyPath: "previous.name") as? String) ?? "-")")
      }
    }
  }

  /// Tags that were written learn of new events when they are asked.
  @Test(arguments: 0..<5) func linksWithNewObjectsAgree(way: Int) throws {
    try expectAgreement { policy, notes in
      policy.create = { source, event, manager in
        try Self.split(source, event, manager)
        let name = source.value(forKey: "name") as? String ?? ""
        guard let tag = Self.first(of: event.mutableSetValue(forKey: "tags")) else { return }
        let events = tag.mutableSetValue(forKey: "events")
        switch way {
        case 0: events.remove(event)
        case 1: event.mutableSetValue(forKey: "tags").remove(tag)
        case 2:
          for case let other as ManagedObject in events.allObjects {
            other.setValue(events.count, forKey: "size")
          }
          events.add(event)
        case 3:
          let found = try Self.fetch("Tag", manager, "ANY events.name == %@", name)
          notes.note("\(found.count) \(try Self.fetch("Tag", manager, "events.@count > 1").count)")
        default: if name == "e7" { manager.destinationContext.delete(tag) }
        }
        notes.note("\(name) \(events.count) \(events.contains(event))")
        notes.note("\(tag.changedValues().keys.sorted()) \(tag.isUpdated)")
        let tags = event.mutableSetValue(forKey: "tags").allObjects
        notes.note("\(tags.map { Self.names([$0 as? ManagedObject].compactMap { $0 }) }.sorted())")
      }
    }
  }

  /// Nobody asks the tags before they are written, or changed, or all is read back.
  @Test(arguments: [true, false]) func linksThatNobodyAsksForAgree(isReadBack: Bool) throws {
    try expectAgreement { policy, notes in
      policy.create = { source, event, manager in
        try Self.split(source, event, manager)
        let name = source.value(forKey: "name") as? String
        let tag = try Self.fetch("Tag", manager, "name == %@", "t2").first
        if name == "e5" { tag?.setValue("two", forKey: "name") }
        if isReadBack, name == "e8" { try manager.destinationContext.keepNewObjects() }
      }
      policy.relate = { event, _ in
        notes.note("\(event.mutableSetValue(forKey: "tags").count)")
        let tags = event.mutableSetValue(forKey: "tags").allObjects.compactMap {
          $0 as? ManagedObject
        }
        notes.note("\(tags.map { $0.mutableSetValue(forKey: "events").count }.sorted())")
      }
    }
  }

  @Test func membersOfALargeGroupAgree() throws {
    try expectAgreement { policy, notes in
      policy.create = { _, event, manager in
        let group =
          try Self.fetch("Group", manager, limit: 1).first
          ?? EntityDescription.insertNewObject(
            forEntityName: "Group", into: manager.destinationContext)
        group.setValue("all", forKey: "name")
        event.setValue(group, forKey: "group")
        event.setValue(group, forKey: "group")
        notes.note("\(group.mutableSetValue(forKey: "events").count)")
      }
      policy.relate = { event, manager in
        guard let group = event.value(forKey: "group") as? ManagedObject else { return }
        group.mutableSetValue(forKey: "events").add(event)
        notes.note("\((group.value(forKey: "events") as? NSSet)?.count ?? 0)")
        if event.value(forKey: "name") as? String == "e5" { event.setValue(nil, forKey: "group") }
      }
    }
  }

  @Test func valuesThatColumnsRoundAgree() throws {
    try expectAgreement(isAboutColumns: true) { policy, notes in
      let exact = NSDecimalNumber(string: "0.12345678901234567890123456789012345")
      policy.create = { _, event, _ in event.setValue(exact, forKey: "price") }
      policy.relate = { event, _ in
        notes.note("\((event.value(forKey: "price") as? NSDecimalNumber) == exact)")
      }
    }
  }

  // MARK: What policies see

  @Test func newObjectsLookNew() throws {
    try expectAgreement { policy, notes in
      policy.create = Self.split
      policy.relate = { event, manager in
        let id = event.objectID
        notes.note("\(id.isTemporaryID) \(event.isInserted) \(event.isUpdated) \(event.hasChanges)")
        notes.note("\(id.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Event/t"))")
        notes.note("\(event.changedValues().keys.sorted())")
        notes.note("\(event.committedValues(forKeys: ["name"]).isEmpty)")
        let again = manager.destinationContext.object(with: id)
        notes.note("\(again === event) \(manager.destinationContext.hasChanges)")
        let sources = manager.sourceInstances(
          forEntityMappingName: "EventToEvent", destinationInstances: [event])
        notes.note(Self.names(sources))
      }
    }
  }

  @Test func fetchesAgree() throws {
    try expectAgreement { policy, notes in
      policy.create = Self.split
      policy.relate = { event, manager in
        let name = event.value(forKey: "name") as? String ?? ""
        event.setValue(name.utf8.count * 10, forKey: "size")
        if name == "e4" { event.setValue("renamed", forKey: "name") }
        let fetch = { (format: String, argument: Any?) in
          try Self.fetch("Event", manager, format, argument)
        }
        notes.note(Self.names(try fetch("name == %@", "e4")))
        notes.note(Self.names(try fetch("name == %@ AND size == nil", "e7")))
        notes.note(Self.names(try fetch("size == %@", 20)))
        notes.note(Self.names(try fetch("size > %@", 10)))
        notes.note(Self.names(try fetch("ANY tags.name == %@", "t3")))
        notes.note(Self.names(try fetch("tags CONTAINS %@", try Self.fetch("Tag", manager).first)))
        notes.note(Self.names(try fetch("SELF == %@", event)))
        notes.note(Self.names(try Self.fetch("Event", manager, sort: "name", limit: 3)))
        notes.note(Self.names(try Self.fetch("Tag", manager, "ANY events.name == %@", "e1")))
        let request = FetchRequest<ManagedObject>(entityName: "Event")
        notes.note("\(try manager.destinationContext.count(for: request))")
      }
    }
  }

  /// Rows are read before they are asked for, in order, and change meanwhile.
  @Test(arguments: [SecondThread.never, .always])
  func changesOfObjectsFurtherOnAgree(_ thread: SecondThread) throws {
    try SecondThread.$current.withValue(thread) {
      try expectAgreement { policy, notes in
        policy.create = { _, event, _ in event.setValue(7, forKey: "size") }
        policy.relate = { event, manager in
          let name = event.value(forKey: "name") as? String ?? ""
          notes.note("\(name) \(event.value(forKey: "size") ?? "nil")")
          let number = Int(name.drop { $0 != "e" }.dropFirst()) ?? 0
          for distance in [1, 3, 6] {
            let further = try Self.fetch("Event", manager, "name == %@", "e\(number + distance)")
            further.first?.setValue(number * 100 + distance, forKey: "size")
            if distance == 6 { further.first?.setValue("late e\(number + 6)", forKey: "name") }
          }
          let gone = try Self.fetch("Event", manager, "name == %@", "e\(number + 6)")
          let late = try Self.fetch("Event", manager, "name == %@", "late e\(number + 6)")
          notes.note(
            "\(gone.count) \(late.count) \(try Self.fetch("Event", manager, "size == %@", 7).count)"
          )
        }
      }
    }
  }

  @Test func lookUpsOfEqualValuesAgree() throws {
    try expectAgreement { policy, notes in
      policy.create = { source, event, manager in
        let name = source.value(forKey: "name") as? String ?? ""
        event.setValue(name.utf8.count == 3 ? "same" : name, forKey: "name")
        event.setValue(name.utf8.count, forKey: "size")
        let found = try Self.fetch("Event", manager, "name == %@", "same")
        notes.note("\(found.count) \(found.first === event)")
      }
      policy.relate = { event, manager in
        let same = try Self.fetch("Event", manager, "name == %@", "same")
        notes.note("\(same.map { $0 === event }) \(same.count)")
        let page = try Self.fetch("Event", manager, "size == %@", 2, limit: 4)
        notes.note(Self.names(page))
        notes.note("\(try Self.fetch("Event", manager, "name == %@", "none").count)")
        notes.note(Self.names(try Self.fetch("Event", manager, "price == nil AND size == %@", 3)))
        if let last = same.last { event.setValue(last, forKey: "next") }
      }
    }
  }

  @Test func storesSeemEmptyUntilTheSave() throws {
    try expectAgreement { policy, notes in
      policy.create = Self.split
      policy.validate = { manager in
        let context = manager.destinationContext
        let stored = FetchRequest<ManagedObject>(entityName: "Event")
        stored.includesPendingChanges = false
        notes.note("\(try context.fetch(stored).count)")
        let other = ManagedObjectContext(coordinator: context.persistentStoreCoordinator)
        notes.note("\(try other.fetch(FetchRequest<ManagedObject>(entityName: "Event")).count)")
        notes.note("\(context.insertedObjects.count) \(context.registeredObjects.count)")
      }
    }
  }

  /// Several destinations of one source, several sources of one destination, in no order.
  @Test func associationsOutOfOrderAgree() throws {
    try expectAgreement { policy, notes in
      var made: [ManagedObjectID] = []
      policy.create = { source, event, manager in
        let mapping = manager.currentEntityMapping
        made.append(event.objectID)
        for id in made.reversed().prefix(3) {
          let earlier = manager.destinationContext.object(with: id)
          manager.associate(
            sourceInstance: source, withDestinationInstance: earlier, for: mapping)
        }
        let found = manager.destinationInstances(
          forEntityMappingName: mapping.name, sourceInstances: [source])
        notes.note(Self.names(found))
      }
      policy.relate = { event, manager in
        let sources = manager.sourceInstances(
          forEntityMappingName: "EventToEvent", destinationInstances: [event])
        notes.note("\(Self.names([event])) of \(Self.names(sources))")
      }
      policy.validate = { manager in
        let all = manager.destinationInstances(
          forEntityMappingName: "EventToEvent", sourceInstances: nil)
        notes.note(Self.names(all))
      }
    }
  }

  // MARK: Giving up early writing

  @Test func deletionsAgree() throws {
    try expectAgreement { policy, notes in
      policy.create = { source, event, manager in
        try Self.split(source, event, manager)
        if source.value(forKey: "name") as? String == "e9" {
          for tag in try Self.fetch("Tag", manager, "name == %@", "t2") {
            manager.destinationContext.delete(tag)
          }
          let first = try Self.fetch("Event", manager, "name == %@", "e1")
          first.forEach(manager.destinationContext.delete)
        }
      }
      policy.relate = { event, _ in notes.note(Self.names([event])) }
    }
  }

  @Test func savesInBetweenAgree() throws {
    try expectAgreement { policy, notes in
      policy.create = { source, event, manager in
        try Self.split(source, event, manager)
        let name = source.value(forKey: "name") as? String
        if name == "e3" || name == "e8" { try manager.destinationContext.save() }
        notes.note("\(event.objectID.isTemporaryID) \(event.isInserted)")
      }
      policy.relate = { event, _ in notes.note(Self.names([event])) }
    }
  }

  // MARK: Failures

  @Test func validationErrorsAgree() throws {
    try expectAgreement { policy, _ in
      policy.create = { source, event, manager in
        try Self.split(source, event, manager)
        let name = source.value(forKey: "name") as? String
        if name == "e4" || name == "e11" { event.setValue(nil, forKey: "name") }
      }
    }
  }

  @Test(arguments: [1, 2]) func failuresOfHooksAgree(pass: Int) throws {
    struct Refusal: Error {}
    try expectAgreement { policy, _ in
      policy.create = { source, _, _ in
        if pass == 1, source.value(forKey: "name") as? String == "e6" { throw Refusal() }
      }
      policy.relate = { event, _ in
        if pass == 2, event.value(forKey: "name") as? String == "e6" { throw Refusal() }
      }
    }
  }

  /// Objects are used again for other rows, but none that a policy would see become another one.
  @Test(arguments: Backend.allCases, tiny)
  func weakReferencesNeverComeToMeanAnotherObject(
    _ backend: Backend, _ limits: SpillLimits
  ) throws {
    let watch = WeakWatch()
    let (end, _) = try outcome(backend, limits) { policy, _ in
      policy.create = { source, made, _ in
        watch.check()
        watch.add(source)
        watch.add(made)
      }
      policy.relate = { made, _ in
        watch.check()
        made.setValue(7, forKey: "size")
        watch.add(made)
      }
    }
    #expect(end.contains { $0.hasPrefix("Event(") && $0.contains("size: 7") })
    #expect(watch.count == 36)
    #expect(watch.mistaken.isEmpty)
  }

  /// Objects with the identifiers that they had, held weakly.
  private final class WeakWatch {
    private struct Reference {
      weak var object: ManagedObject?
      let id: ManagedObjectID
      let uri: URL
    }
    private var references: [Reference] = []
    private(set) var mistaken: [String] = []
    var count: Int { references.count }

    func add(_ object: ManagedObject) {
      let id = object.objectID
      references.append(Reference(object: object, id: id, uri: id.uriRepresentation()))
    }

    func check() {
      for reference in references {
        guard let object = reference.object, object.objectID != reference.id else { continue }
        mistaken.append("\(reference.uri) is \(object.objectID.uriRepresentation())")
      }
    }
  }
}
