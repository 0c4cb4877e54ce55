internal import CoreData
@_exported import SharedKit
import OSLog

#if os(iOS)
  let platform = "phone"
#else
  let platform = "other"
#endif

@objc protocol Answering {
  func byProtocol(_ value: String) -> String
}

/// What a device makes of values on their way through a policy, one answer for each name.
final class ValuesPolicy: NSEntityMigrationPolicy, Answering {
  @objc func any(_ value: Any) -> String { "\(value)" }
  @objc func same(_ value: Any?) -> Any? { value }
  @objc func number(_ value: Any) -> Any { (value as! String).count }
  @objc func none(_ value: Any) -> Any? { nil }
  func byProtocol(_ value: String) -> String { value }
  @objc private func secret(_ value: String) -> String { value }

  @objc func answer(_ name: String) -> String {
    switch name {
    case "platform": return platform
    case "equal entities": return equalEntities()
    case "destroyed": return destroyed()
    case "accessor": return accessor()
    case "nil into a number": return nilIntoNumber()
    case "ordered proxy": return orderedProxy()
    case "entity": return entityOfClass()
    case "key paths": return keyPaths()
    case "observer": return observer()
    case "copies": return copies()
    default: return "?"
    }
  }

  private func equalEntities() -> String {
    func fresh() -> NSManagedObjectModel {
      let model = NSManagedObjectModel()
      model.entities = [small(nil)]
      return model
    }
    let (a, b) = (fresh(), fresh())
    let other = fresh()
    other.entities[0].attributesByName["note"]?.isOptional = false
    return "\(a == b) \(a.entitiesByName == b.entitiesByName) \(a.entities[0] == b.entities[0]) "
      + "\(a.entities[0] == other.entities[0])"
  }

  private func destroyed() -> String {
    let url = URL(fileURLWithPath: NSTemporaryDirectory())
      .appendingPathComponent(UUID().uuidString + ".sqlite")
    let kept = context(Plain.self, at: url)
    kept.performAndWait {
      _ = Plain(context: kept)
      try! kept.save()
    }
    let coordinator = kept.persistentStoreCoordinator!
    for store in coordinator.persistentStores {
      try! coordinator.destroyPersistentStore(at: store.url!, ofType: store.type, options: nil)
    }
    let metadata = try! NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: url)
    try! coordinator.destroyPersistentStore(
      at: url.appendingPathExtension("none"), ofType: NSSQLiteStoreType)
    try! coordinator.destroyPersistentStore(at: url, ofType: NSInMemoryStoreType)
    let again = context(Plain.self, at: url)
    let count = try! again.count(for: NSFetchRequest<Plain>(entityName: "Small"))
    return "\(count) \(metadata[NSStoreTypeKey] ?? "?")"
  }

  private func accessor() -> String {
    let kept = context(Own.self)
    defer { withExtendedLifetime(kept) {} }
    let own = Own(context: kept)
    try! kept.save()
    own.setValue("x", forKey: "note")
    let predicate = NSPredicate(format: "note == %@", "<[x]>")
    return "\(own.value(forKey: "note")!) \(predicate.evaluate(with: own)) \(own.changedValues())"
  }

  private func nilIntoNumber() -> String {
    let kept = context(Plain.self)
    defer { withExtendedLifetime(kept) {} }
    let plain = Plain(context: kept)
    plain.rank = 5
    plain.setValue(nil, forKey: "rank")
    plain.setValue(CGSize(width: 12.5, height: 8).width, forKey: "ratio")
    let width = plain.value(forKey: "ratio") as? CGFloat
    plain.ratio = 3
    return "\(plain.rank) \(width ?? 0) \(plain.value(forKey: "ratio")!)"
  }

  private func orderedProxy() -> String {
    let kept = context(Plain.self)
    let album = Plain(context: kept)
    let songs = (0..<5).map { rank -> Plain in
      let song = Plain(context: kept)
      song.rank = Int16(rank)
      return song
    }
    album.parts = NSOrderedSet(array: songs)
    try! kept.save()
    kept.refresh(album, mergeChanges: false)
    let live = album.mutableOrderedSetValue(forKey: "parts")
    songs[0].whole = nil
    let ranks = (live.array as! [Plain]).map { "\($0.rank)" }.joined()
    live.insert(songs[0], at: live.count)
    return "\(ranks) \(album.parts!.count)"
  }

  private func entityOfClass() -> String {
    let kept = context(Plain.self)
    let entity = Plain.entity()
    let made = Plain(entity: Plain.entity(), insertInto: kept)
    made.note = "made"
    try! kept.save()
    _ = NSManagedObject.entity()
    let found = try! kept.fetch(NSFetchRequest<Plain>(entityName: "Small"))
    return "\(entity.name ?? "?") \(entity.attributesByName.count) \(found.map { $0.note ?? "?" })"
  }

  private func keyPaths() -> String {
    let sort = NSSortDescriptor(keyPath: \Plain.whole?.note, ascending: true)
    let expression = NSExpression(forKeyPath: \Plain.whole?.rank)
    return "\(sort.key ?? "?") \(expression.keyPath) \(#keyPath(Plain.whole.note))"
  }

  private func observer() -> String {
    let listener = Listener()
    let center = NotificationCenter.default
    let name = Notification.Name("Values")
    center.addObserver(listener, selector: #selector(Listener.heard(_:)), name: name, object: nil)
    center.addObserver(listener, selector: #selector(Listener.plain), name: name, object: nil)
    center.post(name: name, object: nil, userInfo: ["text": "a"])
    center.removeObserver(listener)
    center.post(name: name, object: nil, userInfo: ["text": "b"])
    return listener.texts.sorted().joined(separator: " ")
  }

  private func copies() -> String {
    let store = NSPersistentStoreDescription()
    let copy = store.copy() as! NSPersistentStoreDescription
    let isEqual = copy == store
    copy.isReadOnly = true
    let derived = NSDerivedAttributeDescription()
    derived.name = "d"
    return "\(store.url!.path) \(isEqual) \(store.isReadOnly) \(copy == store) "
      + "\(type(of: derived.copy()) == NSDerivedAttributeDescription.self)"
  }
}

final class Listener: NSObject {
  var texts: [String] = []
  @objc func heard(_ notification: Notification) {
    texts.append(notification.userInfo?["text"] as? String ?? "?")
  }
  @objc func plain() { texts.append("called") }
}

func small(_ type: AnyClass?) -> NSEntityDescription {
  func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
    return attribute
  }
  let entity = NSEntityDescription()
  entity.name = "Small"
  if let type { entity.managedObjectClassName = NSStringFromClass(type) }
  let parts = NSRelationshipDescription()
  (parts.name, parts.minCount, parts.maxCount, parts.isOrdered) = ("parts", 0, 0, true)
  let whole = NSRelationshipDescription()
  (whole.name, whole.minCount, whole.maxCount) = ("whole", 0, 1)
  (parts.destinationEntity, whole.destinationEntity) = (entity, entity)
  (parts.inverseRelationship, whole.inverseRelationship) = (whole, parts)
  entity.properties = [
    attribute("note", .stringAttributeType), attribute("rank", .integer16AttributeType),
    attribute("ratio", .doubleAttributeType), parts, whole,
  ]
  return entity
}

func context(_ type: AnyClass, at url: URL? = nil) -> NSManagedObjectContext {
  let model = NSManagedObjectModel()
  model.entities = [small(type)]
  let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
  _ = try! coordinator.addPersistentStore(
    ofType: url == nil ? NSInMemoryStoreType : NSSQLiteStoreType, configurationName: nil, at: url)
  let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  context.persistentStoreCoordinator = coordinator
  return context
}

@objc(Plain) public class Plain: NSManagedObject {
  @NSManaged public var note: String?
  @NSManaged public var rank: Int16
  @NSManaged public var ratio: Double
  @NSManaged public var parts: NSOrderedSet?
  @NSManaged public var whole: Plain?

  public override func setNilValueForKey(_ key: String) { setValue(-1, forKey: key) }
}

@objc(Own) final class Own: NSManagedObject {
  override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    super.init(entity: entity, insertInto: context)
  }

  @objc var note: String? {
    get { (primitiveValue(forKey: "note") as? String).map { "<\($0)>" } }
    set { setPrimitiveValue(newValue.map { "[\($0)]" }, forKey: "note") }
  }
}
