import Foundation
import TestSupport
import Testing

@Suite(.tags(.process), .tiered)
struct ExplainCommandTests {
  @Test func explainsCodesAndFindings() throws {
    let result = try Tool.run(["explain", "1570", "stale-maximum"], in: TemporaryFolder())
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("1570  NSValidationMissingMandatoryPropertyError\n"))
    #expect(result.output.contains("\nstale-maximum  finding of `heavyweight inspect`, warning\n"))
    #expect(result.errors == "")
  }

  @Test(arguments: [
    "edited-version", "deleted-version", "current-moved-back", "order-unknown", "equal-versions",
    "no-path", "not-locked",
  ])
  func explainsWhatLockFinds(_ finding: String) throws {
    let result = try Tool.run(["explain", finding], in: TemporaryFolder())
    #expect(result.status == 0 && result.output.hasPrefix("\(finding)  finding of `heavyweight "))
  }

  @Test func suggestsForWhatIsNotKnownAndExplainsTheRest() throws {
    let result = try Tool.run(["explain", "missing-modul", "1600"], in: TemporaryFolder())
    #expect(result.status == 2)
    #expect(
      result.errors
        == "nothing is known about 'missing-modul'; did you mean 'missing-module'?\n")
    #expect(result.output.hasPrefix("1600  "))
  }

  @Test func listsEverythingForPeopleAndMachines() throws {
    let folder = try TemporaryFolder()
    let list = try Tool.run(["explain", "--list"], in: folder)
    #expect(list.output.hasPrefix("Core Data's error codes\n  1550    An object is invalid"))
    let json = try Tool.run(["explain", "--list", "--json"], in: folder)
    let parsed = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
    let topics = try #require(parsed as? [[String: Any]])
    #expect(topics.count > 100)
    #expect(
      topics.allSatisfy { Set($0.keys) == ["identifier", "name", "meaning", "causes", "remedies"] })
  }

  @Test func askingForNothingIsAMistake() throws {
    let result = try Tool.run(["explain"], in: TemporaryFolder())
    #expect(result.status == 2)
    #expect(
      result.errors.hasPrefix("Error: Name what to explain, as in 'explain 1570', or use --list."))
  }

  /// The scripts that shells load.
  @Test(arguments: ["bash", "zsh", "fish"])
  func completionScriptsKnowTheCommands(shell: String) throws {
    let result = try Tool.run(["--generate-completion-script", shell], in: TemporaryFolder())
    #expect(result.status == 0)
    for word in ["heavyweight", "explain", "timeout"] { #expect(result.output.contains(word)) }
  }
}
