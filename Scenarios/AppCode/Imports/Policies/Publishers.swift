import Combine
import CoreData
import UIKit

final class Board: ObservableObject {
  @Published var state = 0
}

enum Doubt: Error { case isTooLarge, isUnknown }

final class PublishingPolicy: NSEntityMigrationPolicy {
  private var subscriptions = Set<AnyCancellable>()
  private var heard: [String] = []

  @objc func told(_ note: NSManagedObject) -> String {
    let board = Board()
    let numbers = PassthroughSubject<Int, Never>()
    let words = CurrentValueSubject<String, Never>("a")
    board.$state.sink { [unowned board] in
      self.heard.append("state \($0)" + ($0 == 0 ? "" : " after \(board.state)"))
    }.store(in: &subscriptions)
    NotificationCenter.default.publisher(for: .NSManagedObjectContextDidSave)
      .sink { _ in self.heard.append("saved") }.store(in: &subscriptions)
    numbers.map { $0 + 1 }.filter { $0 < 5 }.sink { self.heard.append("\($0)") }
      .store(in: &subscriptions)
    words.removeDuplicates().dropFirst().map(\.localizedLowercase).eraseToAnyPublisher()
      .sink { self.heard.append($0) }.store(in: &subscriptions)

    NotificationCenter.default.post(name: .NSManagedObjectContextDidSave, object: nil)
    numbers.send(1)
    for word in ["a", "b", "b"] { words.send(word) }
    board.state = 4
    Future<Int, any Error> { $0(.success(3)) }.sink(
      receiveCompletion: { self.heard.append("\($0)") },
      receiveValue: { self.heard.append("future \($0)") }
    ).store(in: &subscriptions)
    numbers.first().sink(
      receiveCompletion: { _ in self.heard.append("end") },
      receiveValue: { self.heard.append("first \($0)") }
    ).store(in: &subscriptions)
    numbers.send(9)
    subscriptions = []
    numbers.send(1)

    subscriptions = []
    Just(2).setFailureType(to: (any Error).self)
      .tryMap { if $0 > 1 { throw CocoaError(.coderInvalidValue) } else { return $0 } }
      .mapError { ($0 as? CocoaError)?.code == .coderInvalidValue ? Doubt.isTooLarge : .isUnknown }
      .sink(
        receiveCompletion: { self.heard.append("\($0)") },
        receiveValue: { self.heard.append("\($0)") }
      ).store(in: &subscriptions)
    [1, 10, 2, 20].publisher.prefix(3)
      .sink(
        receiveCompletion: { self.heard.append("\($0)") },
        receiveValue: { self.heard.append("\($0)") }
      ).store(in: &subscriptions)
    let failing: AnyPublisher<Int, Doubt> = Fail(error: .isUnknown).eraseToAnyPublisher()
    failing.sink(
      receiveCompletion: { self.heard.append("\($0)") }, receiveValue: { _ in }
    ).store(in: &subscriptions)

    let size = (note.value(forKey: "image") as? Data).flatMap { UIImage(data: $0)?.size }
    return (heard + [size.map { "\($0.width) x \($0.height)" } ?? "no image"]).joined(
      separator: ", ")
  }
}
