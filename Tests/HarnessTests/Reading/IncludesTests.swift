import Foundation
import TestSupport
import Testing

@testable import Scenarios
@testable import Terminal

/// Files that scenarios share.
@Suite struct IncludesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func load(_ text: String) throws -> CheckedScenario {
    try folder.write("scenario: s\n" + text, to: "app/s.scenario.yaml")
    return try CheckedScenario.load(
      contentsOf: folder.url.appending(path: "app/s.scenario.yaml"), shownAs: "app/s.scenario.yaml")
  }

  private func complaint(_ text: String) throws -> String {
    let error = #expect(throws: Diagnostics.self) { try self.load(text) }
    return error?.all.map { "\($0.place.map { "\($0): " } ?? "")\($0.message)" }
      .joined(separator: "\n") ?? ""
  }

  @Test func whatAScenarioWritesItselfCounts() throws {
    try folder.write("models: { v1: { Song: { title: string } } }\n", to: "common/models.yaml")
    try folder.write(
      "seed: { Song: [{ title: Theirs }] }\ndefaults: { Song: { title: Theirs, n: 1 } }\n",
      to: "common/seed.yaml")
    let scenario = try load(
      """
      include: [../common/seed.yaml, ../common/models.yaml]
      models: { v1: { Song: { title: string, n: int16? } } }
      defaults: { Song: { title: Own } }
      seed: { Song: [{ id: a }, { n: 5 }] }
      """
    ).scenario
    guard case .rows(let rows)? = scenario.seeds.first?.content else {
      Issue.record("no rows")
      return
    }
    #expect(
      rows.map { row in
        row.fields.map { "\($0.key.value)=\($0.value.text ?? "")" }.sorted().joined(separator: " ")
      } == ["id=a n=1 title=Own", "n=5 title=Own"])
    #expect(scenario.includes.map(\.lastPathComponent) == ["seed.yaml", "models.yaml"])
  }

  @Test func aFoldersFileIsSharedWithoutBeingNamed() throws {
    try folder.write(
      "models: { v1: { Song: { title: string } } }\n", to: "app/defaults.scenario.yaml")
    #expect(try load("").models.names == ["v1"])
    #expect(
      try ScenarioFinder.files(at: [folder.url.path]).map { ($0 as NSString).lastPathComponent }
        == ["s.scenario.yaml"])
  }

  @Test func pathsInASharedFileAreItsOwn() throws {
    try folder.write(
      #"<model><entity name="Song"/></model>"#, to: "common/M.xcdatamodeld/M.xcdatamodel/contents")
    try folder.write("class P {}", to: "common/P.swift")
    try folder.write(
      """
      models: M.xcdatamodeld
      policies: { module: App, sources: [P.swift], stubs: { Kit: Kit.swift } }
      """, to: "common/app.yaml")
    try folder.write("", to: "common/Kit.swift")
    let scenario = try load("include: ../common/app.yaml\n").scenario
    #expect(scenario.policies.first?.sources.map(\.value) == ["../common/P.swift"])
    #expect(
      scenario.policies.first?.stubs.first?.sources.map(\.value) == ["../common/Kit.swift"])
    // Else the scenario's folder is all that may be read.
    try folder.write("", to: ".git/HEAD")
    let files = try load("include: ../common/app.yaml\n").filesForSandbox().read
    #expect(files.contains { $0.hasSuffix("common/app.yaml") })
  }

  @Test func aSharedStoreGivesWayToASeed() throws {
    try folder.write("store: old.sqlite\n", to: "common/store.yaml")
    let scenario = try load(
      """
      include: ../common/store.yaml
      models: { v1: { Song: { title: string } } }
      seed: { Song: [{ title: Waltz }] }
      """
    ).scenario
    #expect(scenario.seeds.count == 1)
    guard case .rows? = scenario.seeds.first?.content else {
      Issue.record("the shared store was taken")
      return
    }
  }

  @Test func mistakesAreToldWhereTheyAre() throws {
    try folder.write(
      "modles: {}\nmodels: { v1: { Song: { title: strnig } } }\n", to: "common/wrong.yaml")
    #expect(
      try complaint("include: ../common/wrong.yaml\n") == """
        app/../common/wrong.yaml:1:1: unknown key 'modles' in a shared file; did you mean 'models'?
        """)
    #expect(
      try complaint("include: nowhere.yaml\nmodels: { v1: {} }\n") == """
        app/s.scenario.yaml:2:10: there is no file 'nowhere.yaml' beside the scenario
        """)
    try folder.write("- models\n", to: "common/list.yaml")
    #expect(
      try complaint("include: ../common/list.yaml\nmodels: { v1: {} }\n") == """
        app/../common/list.yaml:1:1: '../common/list.yaml' must be a map, not a list
        """)
    #expect(
      try complaint(
        "models: { v1: { Song: { title: string? } } }\ndefaults: { Sang: { title: x } }\n") == """
          app/s.scenario.yaml:3:13: no version has an entity 'Sang'; did you mean 'Song'?
          """)
    #expect(
      try complaint(
        "models: { v1: { Song: { title: string? } } }\ndefaults: { Song: { id: x } }\n") == """
          app/s.scenario.yaml:3:21: rows can't share a name
          """)
  }

  @Test func sharedDefaultsMayBeOfEntitiesThatOtherModelsHave() throws {
    try folder.write(
      "defaults: { Song: { title: Untitled }, Playlist: { name: x } }\n", to: "common/rows.yaml")
    let own = """
      include: ../common/rows.yaml
      models: { v1: { Song: { title: string? } } }
      seed: { Song: [~] }

      """
    #expect(try load(own).scenario.defaults.map(\.entity.value) == ["Song", "Playlist"])
    #expect(
      try complaint(own + "defaults: { Album: { name: x } }\n").hasSuffix(
        "s.scenario.yaml:5:13: no version has an entity 'Album'; entities: Song"))
    try folder.write("defaults: { Sang: { title: x } }\n", to: "common/rows.yaml")
    #expect(
      try complaint(own).hasSuffix(
        "rows.yaml:1:13: no version has an entity 'Sang'; did you mean 'Song'?"))
  }

  @Test func sharedDefaultsMayBeOfPropertiesThatOtherModelsHave() throws {
    try folder.write(
      "defaults: { Song: { title: Untitled, length: 5, rank: 1 } }\n", to: "common/rows.yaml")
    let own = """
      include: ../common/rows.yaml
      models:
        v1: { Song: { title: string } }
        v2: { Song: { title: string, rank: int16 } }
      seed:
        v1: { Song: [~] }
        v2: { Song: [{ title: Waltz }] }
      start: [v1, v2]

      """
    let checked = try load(own)
    #expect(
      checked.seeds.mapValues { seed in
        seed.rows.map { row in row.values.map { $0.attribute.name }.sorted() }
      } == ["v1": [["title"]], "v2": [["rank", "title"]]])
    #expect(
      try complaint(own.replacing("{ title: Waltz }", with: "{ length: 4 }")) == """
        app/s.scenario.yaml:8:18: entity 'Song' of v2 has no property 'length'; properties of Song: rank, title
        """)
    #expect(
      try complaint(own + "defaults: { Song: { length: 4 } }\n") == """
        app/s.scenario.yaml:10:21: entity 'Song' of v1 has no property 'length'; properties of Song: title
        app/s.scenario.yaml:10:21: entity 'Song' of v2 has no property 'length'; properties of Song: rank, title
        """)
  }

  @Test(arguments: ["{ Song: [~] }", "{ Album: [~] }"])
  func misspeltPropertiesInSharedDefaultsAreTold(seed: String) throws {
    try folder.write("defaults: { Song: { titel: Untitled } }\n", to: "common/rows.yaml")
    let own = """
      include: ../common/rows.yaml
      models: { v1: { Song: { title: string? }, Album: { name: string? } } }
      seed: \(seed)

      """
    #expect(
      try complaint(own) == """
        app/../common/rows.yaml:1:21: no version of 'Song' has a property 'titel'; did you mean 'title'?
        """)
  }

  @Test func defaultsOfUnknownPropertiesAreToldWithoutRows() throws {
    #expect(
      try complaint(
        """
        models: { v1: { Song: { title: string? }, Album: { name: string? } } }
        seed: { Album: [~] }
        defaults: { Song: { length: 5 } }

        """) == """
          app/s.scenario.yaml:4:21: no version of 'Song' has a property 'length'; properties: title
          """)
  }

  @Test func mistakesInWhatAScenarioHasItselfAreTold() throws {
    try folder.write(
      """
      models: { v1: { Song: { title: strnig } } }
      seed: { Song: 5 }
      policies: { module: App }
      """, to: "common/wrong.yaml")
    let own = "include: ../common/wrong.yaml\nmodels: { v1: { Song: { title: string? } } }\n"
    let text = try complaint(
      own + "seed: { Song: [{ title: x }] }\npolicies: { module: App, sources: P.swift }\n")
    for place in ["2:15: 'Song' must be a list of rows", "3:11: policies need 'sources'"] {
      #expect(text.contains("app/../common/wrong.yaml:\(place)"), "\(text)")
    }
    try folder.write("models: { v1: { Song: { title: strnig } } }\n", to: "common/wrong.yaml")
    let told = try complaint(own)
    #expect(told.hasPrefix("app/../common/wrong.yaml:1:32: "), "\(told)")
    try folder.write("models: { v0: { Old: { name: string } } }\n", to: "common/wrong.yaml")
    #expect(try load(own).models.names == ["v1"])
  }

  @Test func aFileThatIsNotYAMLIsAnError() throws {
    try folder.write("models: {\n", to: "common/broken.yaml")
    let text = try complaint("include: ../common/broken.yaml\nmodels: { v1: {} }\n")
    #expect(text.contains("common/broken.yaml:"), "\(text)")
  }
}
