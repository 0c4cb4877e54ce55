import Synchronization
import Testing

@testable import Persistence

/// Work that is done beside is done in order, and completely.
@Suite struct SerialThreadTests {
  @Test(arguments: [1, 4, Int.max]) func allIsDoneInOrder(limit: Int) {
    let thread = SerialThread(name: "test")
    let done = Mutex<[Int]>([])
    for number in 0..<200 {
      thread.perform(limit: limit) { done.withLock { $0.append(number) } }
    }
    thread.wait()
    #expect(done.withLock { $0 } == Array(0..<200))
  }

  @Test func atMostSoManyWait() {
    let thread = SerialThread(name: "test")
    let asked = Mutex(0)
    let done = Mutex(0)
    for _ in 0..<50 {
      thread.perform(limit: 3) {
        // One of those that count is this one.
        #expect(asked.withLock { $0 } - done.withLock { $0 } <= 4)
        done.withLock { $0 += 1 }
      }
      asked.withLock { $0 += 1 }
    }
    thread.wait()
    #expect(done.withLock { $0 } == 50)
  }

  @Test func whatWasAskedIsDoneThoughNobodyWaits() async {
    let done = Mutex(0)
    await withCheckedContinuation { continuation in
      let thread = SerialThread(name: "test")
      for number in 0..<20 {
        thread.perform {
          done.withLock { $0 += 1 }
          if number == 19 { continuation.resume() }
        }
      }
    }
    #expect(done.withLock { $0 } == 20)
  }
}
