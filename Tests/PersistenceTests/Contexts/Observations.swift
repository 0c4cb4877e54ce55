import Persistence

/// Texts from whatever thread.
final class TextLog: @unchecked Sendable {
  private let lock = NSLock()
  private var texts: [String] = []
  func add(_ text: String) { lock.withLock { texts.append(text) } }
  var all: [String] { lock.withLock { texts } }
}

/// Numbers from whatever thread.
final class TurnLog: @unchecked Sendable {
  private let lock = NSLock()
  private var numbers: [Int] = []
  func note(_ number: Int) { lock.withLock { numbers.append(number) } }
  var counts: [Int] { lock.withLock { numbers } }
}

/// Objects on their way from block to block; touched on their context's queue only.
final class Held: @unchecked Sendable {
  let objects: [ManagedObject]
  init(_ objects: [ManagedObject]) { self.objects = objects }
}
