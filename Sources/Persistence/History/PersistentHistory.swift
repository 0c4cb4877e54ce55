/// A request about the history of a store: which transactions changed it.
///
/// No history is kept here. Deleting it succeeds, since there is none; fetching it is an error, so
/// that nobody takes an empty answer for a store that nobody changed.
public final class PersistentHistoryChangeRequest: PersistentStoreRequest {
  fileprivate enum Kind { case fetch, deletion }
  fileprivate let kind: Kind
  public var resultType = PersistentHistoryResultType.transactionsAndChanges
  public let token: PersistentHistoryToken?
  public var fetchRequest: UntypedFetchRequest?

  private init(_ kind: Kind, token: PersistentHistoryToken? = nil) {
    self.kind = kind
    self.token = token
  }

  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = PersistentHistoryChangeRequest(kind, token: token)
    copy.resultType = resultType
    copy.fetchRequest = fetchRequest?.copy() as? UntypedFetchRequest
    return copy.concerning(storesOf: self)
  }

  public class func fetchHistory(after date: Date) -> PersistentHistoryChangeRequest {
    .init(.fetch)
  }
  public class func fetchHistory(
    after token: PersistentHistoryToken?
  ) -> PersistentHistoryChangeRequest { .init(.fetch, token: token) }
  public class func fetchHistory(
    after transaction: PersistentHistoryTransaction?
  ) -> PersistentHistoryChangeRequest { .init(.fetch, token: transaction?.token) }
  public class func fetchHistory(
    withFetch fetchRequest: UntypedFetchRequest
  ) -> PersistentHistoryChangeRequest {
    let request = PersistentHistoryChangeRequest(.fetch)
    request.fetchRequest = fetchRequest
    return request
  }

  public class func deleteHistory(before date: Date) -> PersistentHistoryChangeRequest {
    .init(.deletion)
  }
  public class func deleteHistory(
    before token: PersistentHistoryToken?
  ) -> PersistentHistoryChangeRequest { .init(.deletion, token: token) }
  public class func deleteHistory(
    before transaction: PersistentHistoryTransaction?
  ) -> PersistentHistoryChangeRequest { .init(.deletion, token: transaction?.token) }
}

extension PersistentHistoryChangeRequest: ExecutableRequest {
  func execute(in context: ManagedObjectContext) throws -> PersistentStoreResult {
    if kind == .deletion { return PersistentHistoryResult(status: true, resultType) }
    throw CoreDataError.noHistory
  }
}

/// What a request about history gives. Raw values are Core Data's own.
public enum PersistentHistoryResultType: Int, Sendable {
  case statusOnly = 0
  case objectIDs = 1
  case count = 2
  case transactionsOnly = 3
  case changesOnly = 4
  case transactionsAndChanges = 5
}

public final class PersistentHistoryResult: PersistentStoreResult {
  public let result: Any?
  public let resultType: PersistentHistoryResultType

  init(status: Bool, _ resultType: PersistentHistoryResultType) {
    result = NSNumber(value: status)
    self.resultType = resultType
  }
}

/// A place in a store's history. There is none here.
public final class PersistentHistoryToken: NSObject, Sendable {
  private override init() {}
}

/// One save in a store's history. There is none here.
public final class PersistentHistoryTransaction: NSObject, Sendable {
  public let timestamp: Date
  public let changes: [PersistentHistoryChange]?
  public let transactionNumber: Int64
  public let storeID: String
  public let bundleID: String
  public let processID: String
  public let contextName: String?
  public let author: String?
  public let token: PersistentHistoryToken

  private init(_ token: PersistentHistoryToken) {
    self.token = token
    (timestamp, changes, transactionNumber) = (.distantPast, nil, 0)
    (storeID, bundleID, processID, contextName, author) = ("", "", "", nil, nil)
  }

  /// Nil, since there is no history to fetch from.
  public class var fetchRequest: FetchRequest<any FetchRequestResult>? { nil }
  public class var entityDescription: EntityDescription? { nil }
  public class func entityDescription(
    with context: ManagedObjectContext
  ) -> EntityDescription? { nil }

  public func objectIDNotification() -> Notification {
    Notification(name: ManagedObjectContext.didSaveObjectIDsNotification)
  }
}

/// One object's change in a store's history. There is none here.
public final class PersistentHistoryChange: NSObject, Sendable {
  public let changeID: Int64
  public let changedObjectID: ManagedObjectID
  public let changeType: PersistentHistoryChangeType
  public var tombstone: [AnyHashable: Any]? { nil }

  /// Nil, since there is no history to fetch from.
  public class var fetchRequest: FetchRequest<any FetchRequestResult>? { nil }
  public class var entityDescription: EntityDescription? { nil }
  public class func entityDescription(
    with context: ManagedObjectContext
  ) -> EntityDescription? { nil }

  private init(_ id: ManagedObjectID) {
    (changeID, changedObjectID, changeType) = (0, id, .insert)
  }
}

/// What happened to an object. Raw values are Core Data's own.
public enum PersistentHistoryChangeType: Int, Sendable {
  case insert = 0
  case update = 1
  case delete = 2
}
