import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

@Suite struct RunLimitsTests {
  @Test(arguments: [("30", 30.0), ("30s", 30), ("250ms", 0.25), ("5m", 300), ("1.5H", 5400)])
  func timesAreReadWithTheirUnit(_ text: String, _ seconds: Double) {
    #expect(RunTime(argument: text)?.seconds == seconds)
  }

  @Test(arguments: [("4096", 4096), ("500M", 524_288_000), ("2GB", 2_147_483_648), ("64k", 65_536)])
  func sizesAreReadWithTheirUnit(_ text: String, _ bytes: Int) {
    #expect(RunMemory(argument: text)?.bytes == bytes)
  }

  @Test func aLimitWithAForgottenUnitIsRefused() {
    #expect(
      RunMemory(argument: "500")?.problemAsLimit
        == "--memory: no run can work with less than 16M; give a unit, as in 500M.")
    #expect(RunMemory(argument: "16M")?.problemAsLimit == nil)
  }

  @Test(arguments: ["", "s", "-3", "0", "ten", "3 weeks", "inf", "nan"])
  func whatIsNoLimitIsRefused(_ text: String) {
    #expect(RunTime(argument: text) == nil)
    #expect(RunMemory(argument: text) == nil)
  }
}
