import Foundation
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

@Suite struct ExplanationTests {
  @Test func everyCodeAndEveryTrapIsExplained() throws {
    for code in CoreDataErrorCode.allCases {
      let explanation = try #require(Explanation.find("\(code.rawValue)"), "\(code)")
      #expect(explanation.name.hasPrefix("NS"), "\(code)")
      #expect(explanation.name.hasSuffix("Error"), "\(code)")
    }
    for trap in Trap.allCases { #expect(Explanation.find(trap.rawValue) != nil, "\(trap)") }
    let count = CoreDataErrorCode.allCases.count + Trap.allCases.count
    #expect(Explanation.all.count == count)
    #expect(Set(Explanation.all.map(\.identifier)).count == count)
  }

  @Test func everyExplanationSaysWhatWhyAndWhatToDo() {
    for explanation in Explanation.all {
      let texts = [explanation.meaning] + explanation.causes + explanation.remedies
      #expect(!explanation.causes.isEmpty && !explanation.remedies.isEmpty)
      for text in texts {
        #expect(text.hasSuffix("."), "\(explanation.identifier): \(text)")
        #expect(!text.contains("\n"), "\(explanation.identifier): \(text)")
      }
    }
  }

  @Test func explanationsAreFoundByCodeNameAndTrap() {
    #expect(Explanation.find("1570")?.name == "NSValidationMissingMandatoryPropertyError")
    #expect(Explanation.find("nsmigrationerror")?.identifier == "134110")
    #expect(Explanation.find("missing-module")?.name == "a policy named without its module")
    #expect(Explanation.find("4711") == nil)
  }
}
