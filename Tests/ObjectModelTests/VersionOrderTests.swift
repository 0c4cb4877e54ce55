import Foundation
import TestSupport
import Testing

@testable import ObjectModel

/// The order of a model's versions, by what tells it.
@Suite struct VersionOrderTests {
  /// A model whose versions have one entity each, with these attributes.
  private func load(
    _ versions: [(name: String, attributes: [String])], current: String?, named: String = "App"
  ) throws -> VersionedModel {
    let folder = try TemporaryFolder()
    for version in versions {
      let attributes = version.attributes.map { attribute in
        let parts = attribute.split(separator: "<").map(String.init)
        let identifier = parts.count > 1 ? " elementID=\"\(parts[1])\"" : ""
        return
          "<attribute name=\"\(parts[0])\" optional=\"YES\" attributeType=\"String\"\(identifier)/>"
      }
      try folder.write(
        "<model><entity name=\"Note\">\(attributes.joined())</entity></model>",
        to: "\(named).xcdatamodeld/\(version.name).xcdatamodel/contents")
    }
    if let current {
      try folder.write(
        "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key>"
          + "<string>\(current).xcdatamodel</string></dict></plist>",
        to: "\(named).xcdatamodeld/.xccurrentversion")
    }
    return try VersionedModel.load(
      contentsOf: folder.url.appending(path: "\(named).xcdatamodeld"))
  }

  private func names(_ model: VersionedModel) -> [String] { model.versions.map { $0.name ?? "" } }

  @Test func numbersCountAsNumbersAndTheNameWithoutOneIsTheFirst() throws {
    let model = try load(
      [("App 10", ["a"]), ("App", ["b"]), ("App 2", ["c"]), ("App 2_1", ["d"])], current: "App 10")
    #expect(names(model) == ["App", "App 2", "App 2_1", "App 10"])
    #expect(model.order.evidence == [.numbers, .numbers, .numbers])
    #expect(model.order.isCertain)
  }

  @Test func theVersionNamedLikeTheModelIsTheFirst() throws {
    let model = try load(
      [("2", ["a", "b"]), ("3", ["a", "b", "c"]), ("App", ["a"])], current: "3")
    #expect(names(model) == ["App", "2", "3"])
    #expect(model.order.evidence == [.modelName, .numbers])
  }

  @Test func aCurrentVersionOfTheModelsNameIsTheLast() throws {
    let model = try load([("App", ["a", "b"]), ("Old", ["a"])], current: "App")
    #expect(names(model) == ["Old", "App"])
    #expect(model.order.evidence == [.current])
  }

  @Test func versionsNumberedBehindTheCurrentOneAreDrafts() throws {
    let model = try load([("App", ["a"]), ("App 2", ["a", "b"])], current: "App")
    #expect(names(model) == ["App", "App 2"])
    #expect(model.order.isCertain)
  }

  @Test func renamingIdentifiersPointAtOlderVersions() throws {
    let model = try load(
      [("Alpha", ["title<name"]), ("Zulu", ["name"]), ("Now", ["title<name", "size"])],
      current: "Now")
    #expect(names(model) == ["Zulu", "Alpha", "Now"])
    #expect(model.order.evidence == [.renaming("Note.title, which was name"), .current])
  }

  @Test func whatIsOpenDiffersLeastFromItsNeighbours() throws {
    let model = try load(
      [("Alpha", ["a", "b"]), ("Beta", ["a"]), ("Now", ["a", "b", "c"])], current: "Now")
    #expect(names(model) == ["Beta", "Alpha", "Now"])
    #expect(model.order.evidence == [.difference, .current])
    #expect(model.order.isCertain)
  }

  @Test func whereNothingTellsTheOrderItIsUnknown() throws {
    let model = try load(
      [("Alpha", ["t", "a"]), ("Gamma", ["t", "c"]), ("Beta", ["t", "b"])], current: "Beta")
    #expect(model.order.unknown == [["Alpha", "Gamma"]])
    #expect(model.order.doubtfulNames == ["Alpha", "Gamma"])
    let ordered = model.ordered(given: ["Gamma", "Alpha"])
    #expect(names(ordered) == ["Gamma", "Alpha", "Beta"])
    #expect(ordered.order.evidence == [.given, .current])
    #expect(ordered.order.isCertain)
  }

  /// An app that was renamed: each series has its numbers, and the least difference tells which comes first.
  @Test func twoSeriesOfManyVersionsFollowOneAnother() throws {
    let series = (["Shop"] + (2...5).map { "Shop \($0)" }) + (1...8).map { "Store v\($0)" }
    let versions = series.indices.map { place in
      (series[place], (0...place).map { "a\($0)" })
    }
    let model = try load(versions.reversed(), current: "Store v8")
    #expect(names(model) == series)
    #expect(model.order.isCertain)
    #expect(model.order.evidence[4] == .difference)
  }

  @Test func mappingFilesOrderVersionsAndMayContradict() throws {
    let model = try load(
      [("Alpha", ["t", "a"]), ("Gamma", ["t", "c"]), ("Beta", ["t", "b"])], current: "Beta")
    let step = (source: "Gamma", destination: "Alpha", file: "Up")
    #expect(names(model.ordered(bySteps: [step])) == ["Gamma", "Alpha", "Beta"])
    let both = model.ordered(bySteps: [step, (source: "Alpha", destination: "Gamma", file: "Down")])
    #expect(both.order.contradictions.count == 1)
    #expect(both.order.problems.first?.contains("the mapping file Down") == true)
    // An app that goes back, too.
    let numbered = try load([("Alpha 2", ["t", "a"]), ("Alpha", ["t", "c"])], current: "Alpha")
      .ordered(bySteps: [
        (source: "Alpha", destination: "Alpha 2", file: "Up"),
        (source: "Alpha 2", destination: "Alpha", file: "Down"),
      ])
    #expect(names(numbered) == ["Alpha", "Alpha 2"])
    #expect(numbered.order.evidence == [.numbers])
    #expect(numbered.order.isCertain)
  }

  @Test func ofManyMappingFilesNoneIsNamed() throws {
    let names = (1...5).map { "v\($0)" }
    func text(_ evidence: [VersionOrder.Evidence]) -> String {
      VersionOrder(Array(names.prefix(evidence.count + 1)), evidence: evidence).howItWasFound
    }
    let files = ["A", "B", "C"].map { VersionOrder.Evidence.mapping($0) }
    #expect(
      text(Array(files.prefix(2)))
        == "by the mapping file A (v1 -> v2), by the mapping file B (v2 -> v3)")
    #expect(text(files) == "by mapping files")
    #expect(
      text(files + [.numbers])
        == "by mapping files (v1 -> v2 and 2 more), by the numbers in the names (v4 -> v5)")
  }

  @Test(
    arguments: [
      ("App 2", "App 10", true), ("App", "App 2", true), ("App_v2", "App_v10", true),
      ("ModelV2", "Model", false), ("2", "App", nil), ("App Blue", "App Red", nil),
    ] as [(String, String, Bool?)])
  func numbersInNames(a: String, b: String, isBefore: Bool?) {
    let names = [VersionName(a), VersionName(b)]
    #expect(names[0].precedes(names[1], among: names) == isBefore)
  }

  @Test func aNameWithoutNumberIsntTheFirstBesideANumberOne() throws {
    let names = ["App", "App 1", "App 2"].map { VersionName($0) }
    #expect(names[0].precedes(names[1], among: names) == nil)
    #expect(names[1].precedes(names[2], among: names) == true)
  }
}
