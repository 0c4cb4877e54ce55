import Combine
import CoreData

private struct Lack: Error {}

final class CombiningPolicy: NSEntityMigrationPolicy {
  private var subscriptions = Set<AnyCancellable>()
  private var heard: [String] = []

  private func hear<Value, Problem>(_ publisher: some Publisher<Value, Problem>) {
    publisher.sink(
      receiveCompletion: {
        if case .failure = $0 { self.heard.append("!") } else { self.heard.append(".") }
      },
      receiveValue: { self.heard.append("\($0)") }
    ).store(in: &subscriptions)
  }

  @objc func told(_ note: NSManagedObject) -> String {
    let (a, b) = (PassthroughSubject<Int, any Error>(), PassthroughSubject<Int, any Error>())
    hear(Publishers.Merge(a, b))
    hear(Publishers.CombineLatest(a, b).map { "\($0)\($1)" })
    hear(b.catch { _ in Just(7) }.collect())
    for number in 1...2 {
      a.send(number)
      b.send(number)
    }
    a.send(completion: .finished)
    b.send(completion: .failure(Lack()))
    heard.append("|")

    var made = 0
    let title = Deferred {
      made += 1
      return Future<String, any Error> { $0(.success("t\(made)")) }
    }
    hear(title.flatMap { [$0, $0].publisher })
    hear([1, 2].publisher.flatMap { _ in title }.replaceError(with: "none"))
    hear(Fail<String, any Error>(error: Lack()).replaceError(with: "none"))
    heard.append("|")

    let inner = PassthroughSubject<String, Never>()
    hear(Just(1).flatMap { _ in inner })
    hear(inner.prefix(0))
    hear(Empty<Int, Never>(completeImmediately: false))
    inner.send("late")
    subscriptions = []
    inner.send("never")
    return heard.joined(separator: " ")
  }
}
