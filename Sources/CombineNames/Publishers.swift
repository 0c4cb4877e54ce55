// What an app's `import Combine` gets: publishers, subjects and `@Published`, with the operators that code around a Core
// Data stack uses. Values are handed on as they come: there is no demand, and no operator that goes by time.
@_exported import CoreDataNames

public protocol Cancellable { func cancel() }

/// A subscription, which ends with the object.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
  private let lock = NSLock()
  private var action: (() -> Void)?

  public init(_ cancel: @escaping () -> Void) { action = cancel }
  public convenience init(_ other: some Cancellable) { self.init(other.cancel) }
  deinit { cancel() }

  public func cancel() {
    let last = lock.withLock {
      defer { action = nil }
      return action
    }
    last?()
  }

  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
  public func store(in collection: inout some RangeReplaceableCollection<AnyCancellable>) {
    collection.append(self)
  }

  public static func == (a: AnyCancellable, b: AnyCancellable) -> Bool { a === b }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

public enum Subscribers {
  public enum Completion<Failure: Error> {
    case finished
    case failure(Failure)
  }
}

extension Subscribers.Completion: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}

public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
  /// Calls `receive` with values, and at last with an error or nil, until what it returns is cancelled.
  func subscribe(_ receive: @escaping (Result<Output, Failure>?) -> Void) -> AnyCancellable
}

public struct AnyPublisher<Output, Failure: Error>: Publisher {
  public typealias Receiver = (Result<Output, Failure>?) -> Void
  private let begin: (@escaping Receiver) -> AnyCancellable

  init(_ begin: @escaping (@escaping Receiver) -> AnyCancellable) { self.begin = begin }
  public init(_ other: some Publisher<Output, Failure>) { begin = other.subscribe }
  public init(error: Failure) {
    self.init {
      $0(.failure(error))
      return AnyCancellable {}
    }
  }
  public func subscribe(_ receive: @escaping Receiver) -> AnyCancellable { begin(receive) }
}

extension Publisher {
  public typealias Changed<Value> = AnyPublisher<Value, Failure>

  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    subscribe {
      switch $0 {
      case .success(let value): receiveValue(value)
      case .failure(let error): receiveCompletion(.failure(error))
      case nil: receiveCompletion(.finished)
      }
    }
  }

  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable
  where Failure == Never {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }

  public func assign<Root>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root
  ) -> AnyCancellable where Failure == Never {
    sink { object[keyPath: keyPath] = $0 }
  }

  public func eraseToAnyPublisher() -> Changed<Output> { AnyPublisher(self) }

  // MARK: Operators

  /// - Parameter change: Makes what is called for each event of one subscription, with the state that it keeps. Nothing
  ///   is handed on after an end.
  private func events<Value, Problem>(
    _ change:
      @escaping () -> (Result<Output, Failure>?, AnyPublisher<Value, Problem>.Receiver) -> Void
  ) -> AnyPublisher<Value, Problem> {
    AnyPublisher { receive in
      let change = change()
      var isOver = false
      return subscribe { event in
        change(event) {
          if isOver { return }
          if case .success = $0 {} else { isOver = true }
          receive($0)
        }
      }
    }
  }

  private func values<Value>(
    _ change: @escaping () -> (Output, (Value) -> Void) -> Void
  ) -> Changed<Value> {
    events {
      let change = change()
      return { event, receive in
        switch event {
        case .success(let value): change(value) { receive(.success($0)) }
        case .failure(let error): receive(.failure(error))
        case nil: receive(nil)
        }
      }
    }
  }

  public func map<Value>(_ transform: @escaping (Output) -> Value) -> Changed<Value> {
    compactMap { transform($0) }
  }

  public func map<Value>(_ keyPath: KeyPath<Output, Value>) -> Changed<Value> {
    map { $0[keyPath: keyPath] }
  }

  public func tryMap<Value>(
    _ transform: @escaping (Output) throws -> Value
  ) -> AnyPublisher<Value, any Error> {
    events {
      { event, receive in
        receive(event.map { event in Result { try transform(try event.get()) } })
      }
    }
  }

  public func mapError<Problem>(
    _ transform: @escaping (Failure) -> Problem
  ) -> AnyPublisher<Output, Problem> {
    events { { event, receive in receive(event?.mapError(transform)) } }
  }

  public func setFailureType<Problem>(to type: Problem.Type) -> AnyPublisher<Output, Problem>
  where Failure == Never {
    events { { event, receive in receive(event.map { .success($0.get()) }) } }
  }

  public func compactMap<Value>(_ transform: @escaping (Output) -> Value?) -> Changed<Value> {
    values { { value, send in transform(value).map(send) } }
  }

  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Changed<Output> {
    compactMap { isIncluded($0) ? $0 : nil }
  }

  public func dropFirst(_ count: Int = 1) -> Changed<Output> {
    values {
      var left = count
      return { value, send in
        left -= 1
        if left < 0 { send(value) }
      }
    }
  }

  public func removeDuplicates() -> Changed<Output> where Output: Equatable {
    values {
      var last: Output?
      return { value, send in
        defer { last = value }
        if last != value { send(value) }
      }
    }
  }

  public func first() -> Changed<Output> { prefix(1) }

  public func prefix(_ count: Int) -> Changed<Output> {
    if count <= 0 { return AnyPublisher(Empty()) }
    return events {
      var left = count
      return { event, receive in
        left -= 1
        if left >= 0 { receive(event) }
        if left <= 0 { receive(nil) }
      }
    }
  }

  /// Hands on later, on the queue.
  public func receive(on queue: some Scheduler, options: Never? = nil) -> Changed<Output> {
    AnyPublisher { receive in
      subscribe { event in
        nonisolated(unsafe) let (event, receive) = (event, receive)
        queue.run { receive(event) }
      }
    }
  }
}

/// Where values are handed on.
public protocol Scheduler { func run(_ work: @escaping @Sendable () -> Void) }

extension DispatchQueue: Scheduler {
  public func run(_ work: @escaping @Sendable () -> Void) { async(execute: work) }
}

extension OperationQueue: Scheduler {
  public func run(_ work: @escaping @Sendable () -> Void) { addOperation(work) }
}

extension RunLoop: Scheduler {
  public func run(_ work: @escaping @Sendable () -> Void) { perform(work) }
}
