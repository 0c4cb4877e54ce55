// Requests that contexts carry out, by Apple's names.

public typealias NSPersistentStoreRequest = PersistentStoreRequest
public typealias NSPersistentStoreResult = PersistentStoreResult
public typealias NSFetchRequestResultType = FetchRequestResultType
public typealias NSExpressionDescription = ExpressionDescription
public typealias NSAsynchronousFetchRequest = AsynchronousFetchRequest
public typealias NSAsynchronousFetchResult = AsynchronousFetchResult

public typealias NSBatchInsertRequest = BatchInsertRequest
public typealias NSBatchInsertResult = BatchInsertResult
public typealias NSBatchInsertRequestResultType = BatchRequestResultType
public typealias NSBatchUpdateRequest = BatchUpdateRequest
public typealias NSBatchUpdateResult = BatchUpdateResult
public typealias NSBatchUpdateRequestResultType = BatchRequestResultType
public typealias NSBatchDeleteRequest = BatchDeleteRequest
public typealias NSBatchDeleteResult = BatchDeleteResult
public typealias NSBatchDeleteRequestResultType = BatchRequestResultType

extension BatchRequestResultType {
  public static let statusOnlyResultType = Self.statusOnly
  public static let updatedObjectIDsResultType = Self.objectIDs
  public static let updatedObjectsCountResultType = Self.count
  public static let resultTypeStatusOnly = Self.statusOnly
  public static let resultTypeObjectIDs = Self.objectIDs
  public static let resultTypeCount = Self.count
}

extension BatchInsertRequest {
  public convenience init(entity: EntityDescription, objects dictionaries: [[String: Any]]) {
    self.init(entityName: entity.ObjectModel::name, objects: dictionaries)
  }

  public convenience init(
    entity: EntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(entityName: entity.ObjectModel::name, dictionaryHandler: handler)
  }

  public convenience init(
    entity: EntityDescription, managedObjectHandler handler: @escaping (ManagedObject) -> Bool
  ) {
    self.init(entityName: entity.ObjectModel::name, managedObjectHandler: handler)
  }
}

extension BatchUpdateRequest {
  public convenience init(entity: EntityDescription) {
    self.init(entityName: entity.ObjectModel::name)
    self.entity = entity
  }
}

extension ExpressionDescription {
  public var resultType: AttributeType {
    get { expressionResultType }
    set { expressionResultType = newValue }
  }
}
