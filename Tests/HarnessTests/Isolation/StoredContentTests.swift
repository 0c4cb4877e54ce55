import Foundation
import Testing

@testable import Benching
@testable import PolicyCompiler
@testable import Reports
@testable import ScenarioLanguage
@testable import ScenarioRunner
@testable import StoreTools
@testable import Terminal

@Suite struct StoredContentTests {
  @Test func everyValueComesBackAsItWas() throws {
    let values: [Value] = [
      .null, .integer(.min), .double(-0.0), .double(.infinity), .double(.leastNonzeroMagnitude),
      .date(Date(timeIntervalSinceReferenceDate: 0.1)), .string("e\u{301} 𝄞\0"), .string(""),
      .data(Data([0, 255])), .uuid(UUID()), .uri(try #require(URL(string: "a:b%20c"))),
      .decimal(try #require(Decimal(string: "-12345678901234567890.123456789"))),
    ]
    let decoder = PropertyListDecoder()
    for value in values {
      let data = try PropertyListEncoder().encode([StoredValue(value)])
      let back = try decoder.decode([StoredValue].self, from: data).map(\.value)
      #expect(back == [value])
    }
  }

  @Test func contentsTravelOnlyWhereTheyAreCompared() throws {
    let model = try ManagedObjectModel(entities: [], name: "v1")
    let id = RunID(
      path: "a", title: "a", start: "v1", backend: .memory, hasSeveralStarts: false)
    var played = PlayedRun(result: RunResult(id: id))
    played.snapshots = [
      ("v1", try ContentSnapshot(of: InMemoryStore(model: model), provenance: Provenance()))
    ]
    #expect(try PlayAnswer(played, withContents: true).contents.map(\.stage) == ["v1"])
    #expect(try PlayAnswer(played, withContents: false).contents.isEmpty)
  }

  @Test func notANumberKeepsItsBits() throws {
    let data = try PropertyListEncoder().encode([StoredValue(.double(.nan))])
    let back = try PropertyListDecoder().decode([StoredValue].self, from: data)
    guard case .double(let bits) = back[0] else {
      Issue.record("no double")
      return
    }
    #expect(bits == Double.nan.bitPattern)
  }
}
