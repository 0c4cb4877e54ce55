/// A row that was changed or deleted by others since a context read it, and that the context wants
/// to change or delete.
///
/// Snapshots hold attributes and to-one relationships, the latter as identifiers; nil as `NSNull`.
public final class MergeConflict: NSObject {
  public let sourceObject: ManagedObject
  /// The version of the row that the context read.
  public let oldVersionNumber: Int
  /// The version of the row now; 0 when it was deleted.
  public let newVersionNumber: Int
  /// The object as the context read it; nil when it is deleted there.
  public let objectSnapshot: [String: Any]?
  /// The row as it is now; nil when it was deleted.
  public let cachedSnapshot: [String: Any]?
  /// The row in the file, where that isn't what the coordinator has: never here, since nothing is
  /// kept between the two.
  public let persistedSnapshot: [String: Any]?
  /// The row as it is now.
  let row: StoreRow?

  init(_ object: ManagedObject, row: StoreRow?) {
    sourceObject = object
    self.row = row
    oldVersionNumber = Int(object.version)
    newVersionNumber = row.map { Int($0.version) } ?? 0
    objectSnapshot =
      object.isMarkedDeleted
      ? nil : object.snapshotDictionary(of: object.snapshot ?? object.values)
    cachedSnapshot = row.map { object.snapshotDictionary(of: $0.values) }
    persistedSnapshot = nil
  }

  /// A conflict that an app describes, for a policy to resolve.
  public init(
    source: ManagedObject, newVersion: Int, oldVersion: Int, cachedSnapshot: [String: Any]?,
    persistedSnapshot: [String: Any]?
  ) {
    sourceObject = source
    (newVersionNumber, oldVersionNumber) = (newVersion, oldVersion)
    objectSnapshot = source.snapshotDictionary(of: source.snapshot ?? source.values)
    (self.cachedSnapshot, self.persistedSnapshot) = (cachedSnapshot, persistedSnapshot)
    row = newVersion == 0 ? nil : source.context?.rowOrException(for: source.objectID)
  }

  public override var description: String {
    "NSMergeConflict for \(sourceObject.objectID): old version \(oldVersionNumber), "
      + (newVersionNumber == 0 ? "deleted since" : "new version \(newVersionNumber)")
  }
}

/// Several objects with values that a uniqueness constraint wants once.
public final class ConstraintConflict: NSObject {
  /// The entity that has the constraint.
  public let entity: EntityDescription
  /// The names of the constraint's properties.
  public let constraint: [String]
  /// The values they share, by name.
  public let constraintValues: [String: Any]
  /// The stored object that has the values; nil when the conflict is among unsaved objects alone.
  public let databaseObject: ManagedObject?
  /// The stored object's row.
  public let databaseSnapshot: [String: Any]?
  /// The changed objects with the values, in the order of their change.
  public let conflictingObjects: [ManagedObject]
  public let conflictingSnapshots: [[String: Any]]
  let key: [Value]

  init(
    _ constraint: UniquenessConstraint, key: [Value], stored: ManagedObject?,
    changed: [ManagedObject]
  ) {
    entity = constraint.entity
    self.constraint = constraint.names
    self.key = key
    var values: [String: Any] = [:]
    for (name, value) in zip(constraint.names, key) { values[name] = value.boxed ?? NSNull() }
    constraintValues = values
    databaseObject = stored
    databaseSnapshot = stored.map { $0.snapshotDictionary(of: $0.values) }
    conflictingObjects = changed
    conflictingSnapshots = changed.map { $0.snapshotDictionary(of: $0.values) }
  }

  /// A conflict that an app describes, for a policy to resolve.
  public init(
    constraint names: [String], database: ManagedObject?, databaseSnapshot: [AnyHashable: Any]?,
    conflictingObjects: [ManagedObject], conflictingSnapshots: [Any]
  ) {
    entity = (database ?? conflictingObjects.first)?.entity ?? EntityDescription(name: "")
    constraint = names
    let model = (database ?? conflictingObjects.first)
    key = names.map { name in
      model?.entity.property(named: name).map { model?.values[$0.slot] ?? .null } ?? .null
    }
    constraintValues = Dictionary(
      zip(names, key.map { $0.boxed ?? NSNull() })
    ) { first, _ in first }
    databaseObject = database
    self.databaseSnapshot = databaseSnapshot as? [String: Any]
    self.conflictingObjects = conflictingObjects
    self.conflictingSnapshots = conflictingSnapshots.compactMap { $0 as? [String: Any] }
  }

  /// All of them, the stored one first.
  var objects: [ManagedObject] { (databaseObject.map { [$0] } ?? []) + conflictingObjects }

  public override var description: String {
    "NSConstraintConflict for \(entity.name).\(constraint.joined(separator: ", ")): "
      + objects.map { "\($0.objectID)" }.joined(separator: ", ")
  }
}

extension ManagedObject {
  /// Values by slot as a dictionary of attributes and to-one relationships.
  func snapshotDictionary(of values: ContiguousArray<Value>) -> [String: Any] {
    var result: [String: Any] = [:]
    for property in entity.properties where property.slot < values.count {
      if let attribute = property as? AttributeDescription {
        result[property.name] = values[property.slot].boxed(as: attribute.attributeType) ?? NSNull()
      } else if let relationship = property as? RelationshipDescription, !relationship.isToMany {
        result[property.name] = values[property.slot].boxed ?? NSNull()
      }
    }
    return result
  }
}
