/// A fetch whose result is handed to a block. Contexts are confined to one thread here, so it has
/// ended when `execute(_:)` returns.
public final class AsynchronousFetchRequest<Result>: PersistentStoreRequest,
  ExecutableRequest
{
  public let fetchRequest: FetchRequest<Result>
  public let completionBlock: ((AsynchronousFetchResult<Result>) -> Void)?
  /// A guess at the number of results, for whoever shows progress.
  public var estimatedResultCount = 0

  public init(
    fetchRequest: FetchRequest<Result>,
    completionBlock: ((AsynchronousFetchResult<Result>) -> Void)? = nil
  ) {
    self.fetchRequest = fetchRequest
    self.completionBlock = completionBlock
  }

  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = AsynchronousFetchRequest(
      fetchRequest: fetchRequest.copy(of: Result.self), completionBlock: completionBlock)
    copy.estimatedResultCount = estimatedResultCount
    return copy.concerning(storesOf: self)
  }

  func execute(in context: ManagedObjectContext) throws -> PersistentStoreResult {
    let result = AsynchronousFetchResult<Result>(of: self)
    do {
      result.finalResult = try context.fetch(fetchRequest)
    } catch {
      result.operationError = error
    }
    // Of no unit at all, progress would never be finished.
    let count = Int64(max(1, result.finalResult?.count ?? 0))
    result.progress?.totalUnitCount = count
    result.progress?.completedUnitCount = count
    completionBlock?(result)
    if let error = result.operationError { throw error }
    return result
  }
}

/// What came of an asynchronous fetch.
public final class AsynchronousFetchResult<Result>: PersistentStoreResult {
  public let fetchRequest: AsynchronousFetchRequest<Result>
  public internal(set) var finalResult: [Result]?
  public internal(set) var operationError: (any Error)?

  /// How far the fetch is; nil unless the thread that began it has a current progress.
  public let progress: Progress?

  init(of request: AsynchronousFetchRequest<Result>) {
    fetchRequest = request
    progress = Progress.current().map { _ in
      Progress(totalUnitCount: Int64(request.estimatedResultCount))
    }
  }
}
