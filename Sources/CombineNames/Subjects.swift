public import CoreDataNames

public protocol Subject<Output, Failure>: AnyObject, Publisher {
  func send(_ value: Output)
  func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
  public func send() { send(()) }
}

/// Those who listen to a subject, in the order in which they came.
private final class Receivers<Output, Failure: Error>: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var all: [(id: Int, receive: AnyPublisher<Output, Failure>.Receiver)] = []
  private var count = 0
  private var end: Result<Output, Failure>??

  /// - Parameter first: What it is told before anything else.
  func add(
    _ receive: @escaping AnyPublisher<Output, Failure>.Receiver, first: Output? = nil
  ) -> AnyCancellable {
    lock.withLock {
      if let end {
        receive(end)
        return AnyCancellable {}
      }
      if let first { receive(.success(first)) }
      count += 1
      let id = count
      all.append((id, receive))
      return AnyCancellable { self.lock.withLock { self.all.removeAll { $0.id == id } } }
    }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    if case .failure(let error) = completion { send(.failure(error)) } else { send(nil) }
  }

  func send(_ event: Result<Output, Failure>?) {
    lock.withLock {
      if end != nil { return }
      let receivers = all
      if case .success = event {} else { (end, all) = (.some(event), []) }
      for one in receivers { one.receive(event) }
    }
  }
}

public final class PassthroughSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
  private let receivers = Receivers<Output, Failure>()

  public init() {}
  public func send(_ value: Output) { receivers.send(.success(value)) }
  public func send(completion: Subscribers.Completion<Failure>) {
    receivers.send(completion: completion)
  }

  public func subscribe(_ receive: @escaping AnyPublisher<Output, Failure>.Receiver)
    -> AnyCancellable
  { receivers.add(receive) }
}

public final class CurrentValueSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
  private let receivers = Receivers<Output, Failure>()

  public var value: Output { didSet { receivers.send(.success(value)) } }

  public init(_ value: Output) { self.value = value }
  public func send(_ value: Output) { self.value = value }
  public func send(completion: Subscribers.Completion<Failure>) {
    receivers.send(completion: completion)
  }

  public func subscribe(_ receive: @escaping AnyPublisher<Output, Failure>.Receiver)
    -> AnyCancellable
  {
    receivers.add(receive, first: value)
  }
}

/// A property whose new values are published before they are set.
@propertyWrapper public struct Published<Value> {
  // Who hears of a new value may read the old one from the property.
  private final class Storage {
    var value: Value
    let receivers = Receivers<Value, Never>()
    init(_ value: Value) { self.value = value }
  }
  private let storage: Storage

  public init(wrappedValue: Value) { storage = Storage(wrappedValue) }
  public init(initialValue: Value) { storage = Storage(initialValue) }

  public var wrappedValue: Value {
    get { storage.value }
    nonmutating set {
      storage.receivers.send(.success(newValue))
      storage.value = newValue
    }
  }

  public typealias Publisher = AnyPublisher<Value, Never>
  public var projectedValue: Publisher {
    AnyPublisher { [storage] in storage.receivers.add($0, first: storage.value) }
  }
}

/// An object with `@Published` properties; nothing here waits for its changes as a whole.
public protocol ObservableObject: AnyObject {}

extension NSManagedObject: ObservableObject {}
extension NSManagedObjectContext: ObservableObject {}

public struct Just<Output>: Publisher {
  public let output: Output
  public init(_ output: Output) { self.output = output }

  public func subscribe(_ receive: @escaping AnyPublisher<Output, Never>.Receiver)
    -> AnyCancellable
  {
    [output].publisher.subscribe(receive)
  }
}

public typealias Fail<Output, Failure: Error> = AnyPublisher<Output, Failure>

extension Sequence {
  public var publisher: AnyPublisher<Element, Never> {
    AnyPublisher { receive in
      for element in self { receive(.success(element)) }
      receive(nil)
      return AnyCancellable {}
    }
  }
}

/// One value, which its closure gives at once or later.
public final class Future<Output, Failure: Error>: Publisher, @unchecked Sendable {
  public typealias Promise = (Result<Output, Failure>) -> Void
  private let value = CurrentValueSubject<Output?, Failure>(nil)

  public init(_ attempt: @escaping (@escaping Promise) -> Void) {
    attempt { [value] result in
      switch result {
      case .success(let output): value.value = output
      case .failure(let error): value.send(completion: .failure(error))
      }
    }
  }

  public func subscribe(_ receive: @escaping AnyPublisher<Output, Failure>.Receiver)
    -> AnyCancellable
  {
    value.compactMap(\.self).first().subscribe(receive)
  }
}

extension NotificationCenter {
  public func publisher(
    for name: Notification.Name, object: AnyObject? = nil
  ) -> AnyPublisher<Notification, Never> {
    AnyPublisher { receive in
      nonisolated(unsafe) let receive = receive
      nonisolated(unsafe) let observer = self.addObserver(
        forName: name, object: object, queue: nil
      ) { receive(.success($0)) }
      return AnyCancellable { self.removeObserver(observer) }
    }
  }
}
