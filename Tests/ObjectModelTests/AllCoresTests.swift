import Foundation
import Synchronization
import Testing

@testable import ObjectModel

/// Work that is spread over all cores.
@Suite struct AllCoresTests {
  @Test(arguments: [0, 1, 2, 1000])
  func resultsAreInTheOrderOfTheElements(count: Int) {
    let numbers = Array(0..<count)
    #expect(numbers.mapOnAllCores { $0 * 2 } == numbers.map { $0 * 2 })
  }

  @Test func eachElementIsTakenOnce() {
    let taken = Mutex<[Int]>([])
    _ = Array(0..<500).mapOnAllCores { number in taken.withLock { $0.append(number) } }
    #expect(taken.withLock { $0.sorted() } == Array(0..<500))
  }

  @Test func workMayBeSpreadWithinWork() {
    let sums = Array(1...8).mapOnAllCores { number in
      Array(1...number).mapOnAllCores { $0 }.reduce(0, +)
    }
    #expect(sums == [1, 3, 6, 10, 15, 21, 28, 36])
  }
}
