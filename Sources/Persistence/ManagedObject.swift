/// An object of an entity, living in a context.
///
/// A plain object in every migration: Core Data uses no subclass of `NSManagedObject` there (Apple's
/// versioning guide). In a context that an app makes it is of the class that its entity names.
/// Values are kept by slot; a fault has none until somebody asks.
open class ManagedObject: NSObject {
  public final let entity: EntityDescription
  public internal(set) final var objectID: ManagedObjectID
  /// Cleared by the context when it goes away, so it never dangles.
  private final var unmanagedContext: Unmanaged<ManagedObjectContext>?
  final var context: ManagedObjectContext? {
    @inline(__always) get { unmanagedContext?.takeUnretainedValue() }
    set { unmanagedContext = newValue.map { .passUnretained($0) } }
  }

  /// Does something with the context.
  /// - Returns: Nil without context.
  @inline(__always)
  final func withContext<Result>(
    _ body: (ManagedObjectContext) throws -> Result
  ) rethrows -> Result? {
    try context.map(body)
  }

  @inline(__always)
  final func hasSameContext(as other: ManagedObject) -> Bool {
    unmanagedContext?.toOpaque() == other.unmanagedContext?.toOpaque()
  }

  /// Its entity's places in the model: asked for often.
  @inline(__always)
  final var storeIndex: Int { entity.storeIndex }
  @inline(__always)
  final var hierarchyIndex: Int { entity.hierarchyIndex }

  /// By slot, as in `StoreRow`; empty while the object is a fault.
  final var values: ContiguousArray<Value>
  /// By slot, for to-many relationships that were touched; empty until the first is.
  final var toMany: ContiguousArray<ToManyDestinations?> = []
  /// The values as they are in the store, once the object was changed.
  final var snapshot: ContiguousArray<Value>?
  /// The store's version of the row.
  final var version: Int64 = 0
  final var state: State
  /// The slots that were set since the row was written, for an object that is spilled; the last bit
  /// stands for all from 63 on.
  final var changedSlots: UInt64 = 0
  /// Whether the register of a context without queue has the object in its list.
  final var isListed = false
  /// The register of a context with a queue; nil in other contexts.
  final var registry: ObjectRegistry?

  struct State: OptionSet {
    let rawValue: UInt16
    static let fault = State(rawValue: 1)
    static let inserted = State(rawValue: 2)
    static let updated = State(rawValue: 4)
    static let deleted = State(rawValue: 8)
    /// Deleted, and the delete rules have been applied.
    static let propagated = State(rawValue: 16)
    /// Inserted or changed, and the context knows of it in its current event.
    static let tracked = State(rawValue: 32)
    /// Inserted, and its row is written before the save.
    static let written = State(rawValue: 64)
    /// Written, and changed since.
    static let rewritten = State(rawValue: 128)
    /// Written, but no row holds all of it.
    static let held = State(rawValue: 256)
    /// Deleted, and no store has a row of it any more: a save has nothing to write.
    static let lost = State(rawValue: 512)
  }

  // Public since a subclass inherits convenience initializers only if it can see every designated
  // one of its superclass.

  /// A new object, to be stored at the next save. For contexts only.
  public init(inserting entity: EntityDescription, into context: ManagedObjectContext) {
    self.entity = entity
    unmanagedContext = .passUnretained(context)
    objectID = context.newIdentifier(of: entity)
    values = context.initialValues(of: entity)
    state = [.inserted, .tracked]
  }

  /// An object that a store has, as a fault or with its row. For contexts only.
  public init(_ id: ManagedObjectID, row: StoreRow?, context: ManagedObjectContext) {
    entity = id.entity
    objectID = id
    unmanagedContext = .passUnretained(context)
    values = row?.values ?? []
    version = row?.version ?? 0
    state = row == nil ? .fault : []
    state.formUnion(context.newObjects.stateOfRows)
    super.init()
    if row != nil { setTransientDefaults() }
  }

  /// A new object of `entity`, inserted into `context`; with no context, one that no save stores.
  ///
  /// An entity of another model than the context's is that of its name in the context's.
  public required init(entity: EntityDescription, insertInto context: ManagedObjectContext?) {
    let entity = context?.ownEntity(like: entity) ?? entity
    self.entity = entity
    unmanagedContext = context.map { .passUnretained($0) }
    objectID = context?.newIdentifier(of: entity) ?? ManagedObjectID(temporaryFor: entity)
    values = context?.initialValues(of: entity) ?? InitialValues.values(of: entity)
    state = context == nil ? [] : [.inserted, .tracked]
    super.init()
    guard let context else { return }
    context.adopt(self)
    if context.hasAppObjects { awakeFromInsert() }
  }

  deinit {
    if let registry {
      registry.clear(objectID)
    } else if isListed {
      context?.unregister(objectID)
    }
  }

  /// The entity of a subclass in the last model in use that names it. A class that no model in use names
  /// raises; `NSManagedObject` itself stands for no entity.
  open class func entity() -> EntityDescription {
    if let entity = ObjectClasses.entity(ofClassNamed: nameOfClass) { return entity }
    if self == ManagedObject.self { return EntityDescription(name: "") }
    raiseUnclaimed()
    return EntityDescription(name: nameOfClass)
  }

  /// Checks the object as a save of new objects does.
  /// - Throws: `CoreDataError` with a code from 1550 to 1690; 1560 for several failures.
  open func validateForInsert() throws { try validateProperties() }

  /// Checks the object as a save of changed objects does.
  open func validateForUpdate() throws { try validateProperties() }

  /// Checks whether the object may be deleted.
  open func validateForDelete() throws { try throwIfInvalid(deniedDeletion()) }

  /// Checks a value for a property: by the model's rules, then by the method `validate<Key>(_:)` of
  /// the object's class, which may put another value in its place.
  open func validateValue(
    _ value: UnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws {
    try validate(value, forKey: key)
  }

  // For an app's subclasses, in contexts that the app makes; a migration works with plain objects.

  /// What `value(forKey:)` gives for a key that the object doesn't have: an exception.
  open func value(forUndefinedKey key: String) -> Any? {
    ExceptionTrap.raise(CoreDataError.undefinedKey(key, "valueForUndefinedKey:", of: self))
    return nil
  }

  /// What `setValue(_:forKey:)` does for a key that the object doesn't have: an exception.
  open func setValue(_ value: Any?, forUndefinedKey key: String) {
    ExceptionTrap.raise(CoreDataError.undefinedKey(key, "setValue:forUndefinedKey:", of: self))
  }

  /// What becomes of nil for a property that can't have it: an exception. Properties of the model
  /// can all have it.
  open func setNilValueForKey(_ key: String) {
    ExceptionTrap.raise(CoreDataError.nilValue(forKey: key, of: self))
  }

  /// Makes the object a changed one: what a class's own setter says before it sets the primitive value.
  open func willChangeValue(forKey key: String) { beginChange(ofKey: key) }
  open func didChangeValue(forKey key: String) { endChange(ofKey: key) }

  /// Whether a class has initializers of its own and not `init(entity:insertInto:)`: its objects can be
  /// fetched, and Core Data can't insert any.
  open class var lacksInitializer: Bool { false }

  open func awakeFromInsert() {}
  /// Called where the context takes other values for the object: when it is refreshed, and at a rollback.
  open func awake(fromSnapshotEvents flags: SnapshotEventType) {}
  open func awakeFromFetch() {}
  open func willSave() {}
  open func didSave() {}
  open func prepareForDeletion() {}
  open func willTurnIntoFault() {}
  open func didTurnIntoFault() {}

  open override var description: String {
    "<\(entity.name): \(objectID.uriRepresentation().absoluteString)>"
  }
}

// MARK: - State

extension ManagedObject {
  public var managedObjectContext: ManagedObjectContext? { context }
  /// Whether the object will be new in the store at the next save.
  public var isInserted: Bool { state.contains(.inserted) && !state.contains(.deleted) }
  public var isUpdated: Bool { state.contains(.updated) && !state.contains(.deleted) }
  /// Whether the object goes with the next save. Once saved it is just gone (Apple's reference of
  /// `isDeleted`), and has no context any more.
  public var isDeleted: Bool { isMarkedDeleted && context != nil }
  /// Whether the object is deleted, saved or not.
  package var isMarkedDeleted: Bool { state.contains(.deleted) }
  public var isFault: Bool { state.contains(.fault) }
  public var hasChanges: Bool {
    if state.isDisjoint(with: [.inserted, .updated, .deleted]) { return false }
    return !isMarkedDeleted || context != nil
  }

  /// Reads the object's row, if it is a fault.
  func fireFault() {
    guard isFault else { return }
    if isOnlyHere {
      state.remove(.fault)
      return
    }
    do {
      withContext { $0.work.faults += 1 }
      guard let row = try context?.cachedRow(for: objectID) else { throw unfulfilledFault }
      fulfill(with: row)
    } catch {
      // What is deleted and saved is empty.
      if context != nil || !isMarkedDeleted && !state.contains(.lost) {
        if let context,
          context.shouldHandleInaccessibleFault(self, for: objectID, triggeredByProperty: nil)
        {
          if !isMarkedDeleted { context.deleted.append(self) }
          state.insert([.deleted, .propagated, .lost])
        } else {
          ExceptionTrap.raise(error)
        }
      }
      values = ContiguousArray(repeating: .null, count: entity.slotCount)
      state.remove(.fault)
    }
  }

  /// Leaves nothing of an object that is deleted and saved, or was never saved.
  /// Core Data: observed in public tests: its values are nil, and it has no context.
  func becomeEmpty(as state: State = [.fault, .deleted]) {
    (values, snapshot) = ([], nil)
    self.state = state
    for observer in forgetMembers() { observer.membersDidChange() }
  }

  /// Takes a row's values. Members of relationships that were read while the object was a fault are
  /// forgotten: with members older than its row, the object would pass for up to date and write them.
  func fulfill(with row: StoreRow) {
    let observers = !toMany.isEmpty && !hasChanges ? forgetMembers() : []
    values = row.values
    version = row.version
    state.remove(.fault)
    withContext { if $0.hasAppObjects { $0.keepRow(row) } }
    setTransientDefaults()
    awakeAfterFetch()
    for observer in observers { observer.membersDidChange() }
  }

  /// What no store has starts anew whenever the values come from a store.
  func setTransientDefaults() {
    if entity.transientDefaults.isEmpty { return }
    for (slot, value) in entity.transientDefaults { values[slot] = value }
  }

  /// Has an app's object set itself up. What it sets then is no change (Apple's reference of
  /// `awakeFromFetch()`).
  func awakeAfterFetch() {
    guard withContext({ $0.hasAppObjects }) == true, type(of: self) != ManagedObject.self
    else { return }
    let isTracked = state.contains(.tracked)
    state.insert(.tracked)
    awakeFromFetch()
    if !isTracked { state.remove(.tracked) }
  }

  private var unfulfilledFault: CoreDataError {
    CoreDataError(
      .managedObjectReferentialIntegrity,
      "CoreData could not fulfill a fault for '\(objectID)'",
      advice: "The row was deleted, or a reference to it dangles; look for it in the store."
    ).at(entity: entity.name, object: "\(objectID)")
  }

  /// Forgets the values; the next access reads them from the store again.
  func turnIntoFault() {
    let isTold = context?.hasAppObjects == true && !isFault
    if isTold { willTurnIntoFault() }
    values = []
    let observers = toMany.isEmpty ? [] : forgetMembers()
    snapshot = nil
    state = .fault
    if isTold { didTurnIntoFault() }
    for observer in observers { observer.membersDidChange() }
  }

  /// Whether the object is a fault whose values a row has.
  var awaitsRow: Bool { isFault && !isOnlyHere }

  /// Whether the object is new and has no row, so that its values are all there is of it.
  private var isOnlyHere: Bool {
    state.contains(.inserted) && state.isDisjoint(with: [.written, .deleted])
  }

  /// Has a new object lose all that was set since it was inserted, and be a fault until somebody asks.
  /// Core Data: observed in an app's tests, which find it a fault that can be fired; assumed is that it
  /// has its default values then.
  func startAnew() {
    guard let context, isOnlyHere else { return }
    let isTold = context.hasAppObjects && !isFault
    if isTold { willTurnIntoFault() }
    let initial = context.initialValues(of: entity)
    for attribute in entity.attributes {
      setAttributeValue(initial[attribute.slot], at: attribute.slot)
    }
    for relationship in entity.relationships {
      do { try setTypedValue(.null, forKey: relationship.name) } catch {
        ExceptionTrap.raise(error)
      }
    }
    state.insert(.fault)
    if isTold { didTurnIntoFault() }
  }

  /// To be called before every change of a value.
  @inline(__always)
  func willChange() {
    if !state.contains(.tracked) { noteChange() }
  }

  private func noteChange() {
    if state.isDisjoint(with: [.inserted, .updated]) { becomeUpdated() }
    if state.contains(.written), !state.contains(.rewritten) { becomeRewritten() }
    state.insert(.tracked)
    withContext { $0.noticedChanges += 1 }
    if withContext({ $0.announces }) == true { context?.noteChange(of: self) }
  }

  private func becomeUpdated() {
    fireFault()
    snapshot = values
    state.insert(.updated)
    withContext { $0.didBecomeUpdated(self) }
  }
}

// MARK: - Values by slot

extension ManagedObject {
  /// The value of an attribute, by slot. For a to-one relationship the identifier.
  @inline(__always)
  public final func attributeValue(at slot: Int) -> Value {
    if isFault { fireFault() }
    return values[slot]
  }

  /// Sets an attribute by slot. The value must be of the attribute's type, as `Value.coerced(to:)`
  /// makes it.
  @inline(__always)
  public final func setAttributeValue(_ value: Value, at slot: Int) {
    willChange()
    let bit = RowWriter.bit(ofSlot: slot)
    withContext {
      if $0.indexedSlots & bit != 0 { $0.valueWillChange(of: self, slot: slot, to: value) }
    }
    changedSlots |= bit
    values[slot] = value
  }
}

// MARK: - Changes

extension ManagedObject {
  /// Whether a property that is stored differs from what was read or saved last.
  public var hasPersistentChangedValues: Bool {
    entity.properties.contains { !$0.isTransient && isChanged($0) }
  }

  /// The values of the properties that changed since the last fetch or save; nil as `NSNull`. Of a
  /// new object, those that aren't their defaults.
  public func changedValues() -> [String: Any] {
    dictionary(of: entity.properties.filter(isChanged))
  }

  /// The values that attributes and to-one relationships had before, of those changed since pending changes were
  /// processed last; within an observer of that, of the changes it is told of. Not known in a migration's own contexts.
  public func changedValuesForCurrentEvent() -> [String: Any] {
    let id = ObjectIdentifier(self)
    guard let event = context?.event,
      let before = event.valuesBefore[id] ?? event.valuesBeforeTold[id]
    else { return [:] }
    var result: [String: Any] = [:]
    for property in entity.properties where property.slot < values.count {
      if (property as? RelationshipDescription)?.isToMany == true { continue }
      guard before[property.slot] != values[property.slot] else { continue }
      result[property.name] = boxed(before[property.slot], of: property)
    }
    return result
  }

  /// The values at the last save or fetch, nil as `NSNull`: of attributes and to-one relationships;
  /// of to-many ones that are named.
  /// - Parameter keys: Which; nil for all attributes and to-one relationships.
  public func committedValues(forKeys keys: [String]?) -> [String: Any] {
    if isFault { fireFault() }
    let committed = state.contains(.inserted) ? [] : snapshot ?? values
    var result: [String: Any] = [:]
    for property in entity.properties
    where keys?.contains(property.name) ?? true && property.slot < committed.count {
      guard let relationship = property as? RelationshipDescription, relationship.isToMany else {
        result[property.name] = boxed(committed[property.slot], of: property)
        continue
      }
      if keys != nil { result[property.name] = committedMembers(of: relationship) }
    }
    return result
  }

  private func isChanged(_ property: PropertyDescription) -> Bool {
    if isFault && state.contains(.inserted) { fireFault() }
    if isFault || property.slot >= values.count { return false }
    if state.contains(.written), let relationship = property as? RelationshipDescription,
      relationship.isToMany
    {
      return destinationCount(of: relationship) > 0
    }
    if let destinations = (property as? RelationshipDescription)
      .flatMap({ toManyDestinationsIfTouched(of: $0) })
    {
      return destinations.hasChanges
    }
    if let snapshot, !state.contains(.inserted) {
      return snapshot[property.slot].withCurrentID != values[property.slot].withCurrentID
    }
    guard state.contains(.inserted) else { return false }
    let initial = (property as? AttributeDescription)?.typedDefaultValue ?? .null
    return values[property.slot] != initial
  }

  private func dictionary(of properties: [PropertyDescription]) -> [String: Any] {
    var result: [String: Any] = [:]
    for property in properties {
      result[property.name] = modelledValue(forKey: property.name) ?? NSNull()
    }
    return result
  }

  private func boxed(_ value: Value, of property: PropertyDescription) -> Any {
    if let attribute = property as? AttributeDescription {
      return value.boxed(as: attribute.attributeType) ?? NSNull()
    }
    guard let id = value.objectID else { return NSNull() }
    return context?.object(with: id) ?? NSNull()
  }

  private func committedMembers(of relationship: RelationshipDescription) -> Any {
    let ids = context?.destinationsOrException(of: relationship, from: objectID) ?? []
    let objects = ids.compactMap { context?.object(with: $0) }
    return relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
  }
}

// MARK: - Identity

extension ManagedObject: IdentifiedObject {
  public var identity: AnyObject { objectID }
}

extension ManagedObjectID: IdentifiedObject {
  public var identity: AnyObject { self }
}
