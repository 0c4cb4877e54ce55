import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

@Suite struct CrashOutputTests {
  @Test func aTrapInAPolicyNamesItsLine() {
    let output = CrashOutput(
      text: """
        visiting Abba
        /app/Policies/SongPolicy.swift:12: Fatal error: Unexpectedly found nil

        *** Signal 4: Backtracing from 0x7f… done ***
        """, sources: ["/app/Policies"])
    #expect(output.message == "Fatal error: Unexpectedly found nil")
    #expect(output.place == "/app/Policies/SongPolicy.swift:12")
    #expect(output.lastLines == ["visiting Abba"])
  }

  @Test func aTrapInTheLibraryNamesTheLineOfThePolicyThatCalledIt() {
    let output = CrashOutput(
      text: """
        Swift/ContiguousArrayBuffer.swift:691: Fatal error: Index out of range
        *** Signal 4: Backtracing from 0x7f… done ***
        1 0x1 Array.subscript.getter + 30 in libswiftCore.so at /build/Array.swift:77
        2 0x2 SongPolicy.words(of:) + 80 in libPolicies.so at /app/Policies/SongPolicy.swift:31:9
        3 0x3 SongPolicy.begin(_:with:) + 8 in libPolicies.so at /app/Policies/SongPolicy.swift:12
        """, sources: ["/app/Policies"])
    #expect(output.message == "Fatal error: Index out of range")
    #expect(output.place == "/app/Policies/SongPolicy.swift:31")
    #expect(output.lastLines == [])
  }

  @Test func aCallThatTheCompilerMadeIsPassedOver() {
    let output = CrashOutput(
      text: """
        Could not cast value of type 'Foundation.NSNumber' (0x7f1902917c08) to 'Foundation.NSString' (0x7f19).
        *** Signal 6: Backtracing from 0x7f… done ***
        1 0x1 SongPolicy.words(of:) + 80 in libPolicies.so at /app/Policies/SongPolicy.swift
        2 0x2 SongPolicy.begin(_:with:) + 8 in libPolicies.so at /app/Policies/SongPolicy.swift:12:3
        """, sources: ["/app/Policies"])
    #expect(
      output.message
        == "Could not cast value of type 'Foundation.NSNumber' to 'Foundation.NSString'.")
    #expect(output.place == "/app/Policies/SongPolicy.swift:12")
    #expect(output.lastLines == [])
  }

  @Test func onlyTheLastLinesOfWhatWasPrintedAreTold() {
    let output = CrashOutput(text: (1...9).map { "line \($0)\n" }.joined(), sources: [])
    #expect(output.message == nil)
    #expect(output.lastLines == ["line 5", "line 6", "line 7", "line 8", "line 9"])
  }
}
