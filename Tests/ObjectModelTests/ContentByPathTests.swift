import Foundation
import TestSupport
import Testing

@testable import ObjectModel

/// What was read is kept as long as its file is there.
@Suite struct ContentByPathTests {
  @Test func filesThatAreGoneAreForgotten() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("x", to: "stays").path
    var contents = ContentByPath<Int>()
    contents.keep(-1, of: file)
    for number in 0..<10_000 { contents.keep(number, of: "/nowhere/\(number)") }
    #expect(contents[file] == -1)
    #expect(contents.count < 100)
  }
}
