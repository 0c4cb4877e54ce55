import CoreDataNames

/// What one subscriber hears of several publishers: values as they come, the first error, and an end when all have
/// ended.
private final class Confluence<Output, Failure: Error>: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private let receive: AnyPublisher<Output, Failure>.Receiver
  private var subscriptions: [AnyCancellable] = []
  private var running = 0
  private var isOver = false

  private init(_ receive: @escaping AnyPublisher<Output, Failure>.Receiver) {
    self.receive = receive
  }

  /// - Parameter begin: Adds the publishers that are there from the beginning.
  static func publisher(
    _ begin: @escaping (Confluence) -> Void
  ) -> AnyPublisher<Output, Failure> {
    AnyPublisher { receive in
      let confluence = Confluence(receive)
      // Stands for `begin`, so that nothing ends before all are added.
      confluence.running = 1
      begin(confluence)
      confluence.hear(nil)
      return AnyCancellable { confluence.cancel() }
    }
  }

  /// - Parameter change: Is told of each value of the publisher; what it sends is handed on.
  func add<Value>(
    _ publisher: any Publisher<Value, Failure>, _ change: @escaping (Value) -> Void
  ) {
    lock.withLock { running += 1 }
    let subscription = publisher.subscribe { [self] event in
      lock.withLock {
        switch event {
        case .success(let value): if !isOver { change(value) }
        case .failure(let error): hear(.failure(error))
        case nil: hear(nil)
        }
      }
    }
    let isLate = lock.withLock {
      if !isOver { subscriptions.append(subscription) }
      return isOver
    }
    if isLate { subscription.cancel() }
  }

  func send(_ value: Output) { hear(.success(value)) }

  private func hear(_ event: Result<Output, Failure>?) {
    lock.withLock {
      if isOver { return }
      if event == nil { running -= 1 }
      if event == nil && running > 0 { return }
      if case .success = event {} else { isOver = true }
      receive(event)
    }
  }

  /// Lets go of the subscriptions without its lock: theirs may be held by somebody who waits for this one.
  private func cancel() {
    let ended = lock.withLock {
      defer { (subscriptions, isOver) = ([], true) }
      return subscriptions
    }
    for subscription in ended { subscription.cancel() }
  }
}

extension Publisher {
  public func flatMap<Value>(
    _ transform: @escaping (Output) -> some Publisher<Value, Failure>
  ) -> Changed<Value> {
    Confluence.publisher { all in all.add(self) { all.add(transform($0), all.send) } }
  }

  @_disfavoredOverload
  public func flatMap<Value>(
    _ transform: @escaping (Output) -> some Publisher<Value, Never>
  ) -> Changed<Value> {
    flatMap { transform($0).setFailureType(to: Failure.self) }
  }

  @_disfavoredOverload
  public func flatMap<Value, Problem>(
    _ transform: @escaping (Output) -> some Publisher<Value, Problem>
  ) -> AnyPublisher<Value, Problem> where Failure == Never {
    setFailureType(to: Problem.self).flatMap(transform)
  }

  public func merge(with others: any Publisher<Output, Failure>...) -> Changed<Output> {
    Confluence.publisher { all in
      for publisher in [self] + others { all.add(publisher, all.send) }
    }
  }

  public func combineLatest<Other>(
    _ other: some Publisher<Other, Failure>
  ) -> Changed<(Output, Other)> {
    Confluence.publisher { all in
      var (own, others): (Output?, Other?)
      let send = { if let own, let others { all.send((own, others)) } }
      all.add(self) {
        own = .some($0)
        send()
      }
      all.add(other) {
        others = .some($0)
        send()
      }
    }
  }

  public func combineLatest<Other, Value>(
    _ other: some Publisher<Other, Failure>, _ transform: @escaping (Output, Other) -> Value
  ) -> Changed<Value> {
    combineLatest(other).map { transform($0.0, $0.1) }
  }

  public func `catch`<Problem>(
    _ handler: @escaping (Failure) -> some Publisher<Output, Problem>
  ) -> AnyPublisher<Output, Problem> {
    Confluence.publisher { all in
      let events = AnyPublisher<Result<Output, Failure>, Problem> { receive in
        subscribe { event in
          if let event { receive(.success(event)) }
          if case .success = event {} else { receive(nil) }
        }
      }
      all.add(events) {
        switch $0 {
        case .success(let value): all.send(value)
        case .failure(let error): all.add(handler(error), all.send)
        }
      }
    }
  }

  public func replaceError(with output: Output) -> AnyPublisher<Output, Never> {
    self.catch { _ in Just(output) }
  }

  /// All values in one, at the end.
  public func collect() -> Changed<[Output]> {
    AnyPublisher { receive in
      var values: [Output] = []
      return subscribe { event in
        switch event {
        case .success(let value): values.append(value)
        case .failure(let error): receive(.failure(error))
        case nil:
          receive(.success(values))
          receive(nil)
        }
      }
    }
  }
}

/// A publisher that is made anew for each subscriber.
public struct Deferred<Made: Publisher>: Publisher {
  public let createPublisher: () -> Made
  public init(createPublisher: @escaping () -> Made) { self.createPublisher = createPublisher }

  public func subscribe(
    _ receive: @escaping AnyPublisher<Made.Output, Made.Failure>.Receiver
  ) -> AnyCancellable { createPublisher().subscribe(receive) }
}

/// A publisher without values.
public struct Empty<Output, Failure: Error>: Publisher {
  public let completeImmediately: Bool
  public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

  public func subscribe(_ receive: @escaping AnyPublisher<Output, Failure>.Receiver)
    -> AnyCancellable
  {
    if completeImmediately { receive(nil) }
    return AnyCancellable {}
  }
}

/// The operators under the names of what they give on a device.
public enum Publishers {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static func Merge<First: Publisher>(
    _ first: First, _ second: any Publisher<First.Output, First.Failure>
  ) -> First.Changed<First.Output> { first.merge(with: second) }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static func CombineLatest<First: Publisher, Other>(
    _ first: First, _ second: some Publisher<Other, First.Failure>
  ) -> First.Changed<(First.Output, Other)> { first.combineLatest(second) }
}
