import Synchronization

/// The classes of an app's objects: which subclass of `ManagedObject` an entity names.
///
/// Contexts that an app makes give objects of these classes; a migration's contexts and those of
/// tools give plain objects. A class is found by its qualified name, `Module.Class`, as Foundation's
/// `NSClassFromString(_:)` finds it. A name without
/// module, as Xcode writes it for generated classes, is that of the last class of this name that the
/// program used: in a request, or to make an object.
public enum ObjectClasses {
  private static let known = Mutex<[String: ManagedObject.Type]>([:])
  /// How many classes were noted, for whoever keeps an answer.
  static let generation = Atomic<Int>(0)

  /// Takes note of a class that the program uses.
  public static func note(_ type: ManagedObject.Type) {
    if type == ManagedObject.self { return }
    note(type, as: String(describing: type))
  }

  /// Takes note of a class under the name that `@objc(Name)` gives it.
  static func note(_ type: ManagedObject.Type, as name: String) {
    known.withLock { known in
      if known[name] == type { return }
      known[name] = type
      generation.add(1, ordering: .relaxed)
    }
  }

  /// Which entity a class stands for in a model in use that names it.
  private struct Claim: Sendable {
    let entityName: String
    // Sendable unchecked: a model in use doesn't change.
    nonisolated(unsafe) weak var model: ManagedObjectModel?
  }

  /// By the class's name without module; the last one counts whose model is still there.
  private static let claims = Mutex<[String: [Claim]]>([:])

  /// Takes note of the classes that a model in use has entities for.
  public static func note(_ model: ManagedObjectModel) {
    for entity in model.entities {
      guard let path = entity.managedObjectClassName, path != "NSManagedObject",
        let name = path.split(separator: ".").last.map(String.init)
      else { continue }
      let claim = Claim(entityName: entity.name, model: model)
      claims.withLock { all in
        all[name] = (all[name] ?? []).filter { $0.model != nil && $0.model !== model } + [claim]
      }
    }
  }

  /// The entity that a class stands for: the one that a model in use has for it, the last of several; nil where none
  /// has one, be it called like the class.
  public static func entityName(ofClassNamed name: String) -> String? {
    claims.withLock { $0[name]?.last?.entityName }
  }

  /// That entity itself, as long as its model is there.
  public static func entity(ofClassNamed name: String) -> EntityDescription? {
    let all = claims.withLock { $0[name] ?? [] }
    return all.reversed().lazy.compactMap { $0.model?.entity(named: $0.entityName) }.first
  }

  /// The class for objects of an entity, if it isn't `ManagedObject`.
  static func type(for entity: EntityDescription) -> ManagedObject.Type? {
    guard let name = entity.managedObjectClassName, name != "NSManagedObject", !name.isEmpty
    else { return nil }
    let parts = name.split(separator: ".")
    // A nested class has no name for it, there as here; asked for one it would complain.
    if parts.count == 2, let type = NSClassFromString(name) as? ManagedObject.Type { return type }
    return parts.last.flatMap { last in known.withLock { $0[String(last)] } }
  }

  /// The qualified name, `Module.Class`, of the class that an app's context gives objects of an entity;
  /// nil where that is `NSManagedObject`, since the entity names no class or the program has none of
  /// the name.
  package static func className(for entity: EntityDescription) -> String? {
    type(for: entity).map { String(reflecting: $0) }
  }
}

extension ObjectClasses {
  /// The classes for objects of entities, as far as a context asked for them.
  struct Cache {
    private var generation = 0
    private var types: [ObjectIdentifier: ManagedObject.Type?] = [:]

    subscript(entity: EntityDescription) -> ManagedObject.Type? {
      mutating get {
        let current = ObjectClasses.generation.load(ordering: .relaxed)
        if current != generation { (generation, types) = (current, [:]) }
        if let known = types[ObjectIdentifier(entity)] { return known }
        let type = ObjectClasses.type(for: entity)
        types[ObjectIdentifier(entity)] = .some(type)
        return type
      }
    }
  }
}

extension ManagedObjectContext {
  /// The class for objects of an entity, if it isn't `ManagedObject`.
  private func objectClass(for entity: EntityDescription) -> ManagedObject.Type? {
    hasAppObjects ? objectClasses[entity] : nil
  }

  /// A new object of an entity, of its class, that the context doesn't know yet.
  final func makeObject(inserting entity: EntityDescription) -> ManagedObject {
    guard let type = objectClass(for: entity) else {
      return ManagedObject(inserting: entity, into: self)
    }
    if type.lacksInitializer { ExceptionTrap.raise(CoreDataError.noInitializer(of: type)) }
    let object = type.init(entity: entity, insertInto: nil)
    object.context = self
    object.state = [.inserted, .tracked]
    return object
  }

  /// An object that the store has, of its entity's class, that the context doesn't know yet.
  final func makeObject(_ id: ManagedObjectID, row: StoreRow?) -> ManagedObject {
    guard let type = objectClass(for: id.entity) else {
      return ManagedObject(id, row: row, context: self)
    }
    let object = type.init(entity: id.entity, insertInto: nil)
    object.stand(for: id, row: row, in: self)
    return object
  }
}

extension ManagedObject {
  /// Makes an object that was made without context the one for a row.
  fileprivate func stand(for id: ManagedObjectID, row: StoreRow?, in context: ManagedObjectContext)
  {
    objectID = id
    self.context = context
    values = row?.values ?? []
    version = row?.version ?? 0
    state = row == nil ? .fault : []
    if row != nil { setTransientDefaults() }
  }
}

extension ManagedObject {
  /// As models name a class, without its module.
  package class var nameOfClass: String {
    let name = ObjectiveCNames.name(of: self) ?? NSStringFromClass(self)
    return name.split(separator: ".").last.map(String.init) ?? ""
  }

  /// Raises that no model has an entity of this class.
  package class func raiseUnclaimed() {
    ExceptionTrap.raise(
      CoreDataError(
        .coreData,
        "No NSEntityDescriptions in any model claim the NSManagedObject subclass "
          + "'\(String(reflecting: self))' so +entity is confused.",
        advice:
          "Name the class at its entity in the model. An entity of the same name isn't enough."))
  }
}
