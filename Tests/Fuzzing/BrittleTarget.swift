import Foundation
import TestSupport

/// Breaks on purpose, to see that it is found. Not among those that are fuzzed without being named.
struct BrittleTarget: FuzzTarget {
  static let name = "brittle"
  let seeds = [Data("a,b".utf8)]
  let words = ["crash", "endless"]

  init(folder: URL) throws {}

  func play(_ input: Data) throws {
    let text = String(decoding: input, as: UTF8.self)
    precondition(!text.contains("crash"), "it was told to")
    if text.contains("endless") { throw Finding("it never ends") }
  }
}
