import Foundation
import Testing

@testable import Commands
@testable import Persistence
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

@Suite struct CrashArgumentTests {
  @Test func pointsAreAllOneOrEveryFew() {
    #expect(CrashPoints(["all"])?.numbers(of: 3) == [1, 2, 3])
    #expect(CrashPoints(["2"])?.numbers(of: 3) == [2])
    #expect(CrashPoints(["4"])?.numbers(of: 3) == [])
    #expect(CrashPoints(["every", "2"])?.numbers(of: 5) == [1, 3, 5])
    #expect(CrashPoints(["all"])?.numbers(of: 0) == [])
    for words in [[], ["0"], ["some"], ["every"], ["every", "0"], ["all", "1"], ["1", "2"]] {
      #expect(CrashPoints(words) == nil, "\(words)")
    }
  }

  @Test func faultsAreThoseOfTheList() {
    #expect(CrashFault.list("kill,fsync") == [.kill, .fsync])
    #expect(CrashFault.list("kill,boom") == nil)
    #expect(CrashFault.list("") == nil)
  }

  private func orders(
    _ kind: FilePoint.Kind, by caller: FilePoint.Caller = .engine, bytes: Int? = nil
  ) -> [CrashFault: Int] {
    let point = FilePoint(
      kind: kind, caller: caller, file: "f", destination: nil, bytes: bytes, part: "")
    let counts = CrashFault.allCases.map { ($0, $0.orders(at: point).count) }
    return Dictionary(uniqueKeysWithValues: counts.filter { $0.1 > 0 })
  }

  @Test func eachOperationGetsTheFaultsThatCanHappenToIt() {
    #expect(orders(.write, bytes: 100) == [.kill: 2, .eio: 1, .enospc: 1, .short: 1])
    #expect(orders(.write, bytes: 1) == [.kill: 1, .eio: 1, .enospc: 1])
    #expect(orders(.sync) == [.kill: 1, .fsync: 1])
    #expect(orders(.read) == [.eio: 1])
    #expect(orders(.remove) == [.kill: 1, .eio: 1])
    #expect(orders(.rename) == [.kill: 1, .eio: 1, .enospc: 1])
    #expect(orders(.remove, by: .app) == [.kill: 2, .eio: 1])
    #expect(orders(.rename, by: .app) == [.kill: 2, .eio: 1, .enospc: 1])
  }
}
