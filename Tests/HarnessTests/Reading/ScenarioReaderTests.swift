import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

@Suite struct ScenarioReaderTests {
  @Test func readsEveryPartOfTheSample() throws {
    let scenario = try read(tagsScenario)
    #expect(scenario.title.value == "Comma-separated tags become Tag objects")
    #expect(scenario.about?.hasPrefix("An event kept its tags in one string.") == true)
    guard case .inline(let versions, _) = scenario.models else { throw Unexpected() }
    #expect(versions.map(\.name.value) == ["v1.1", "v1.2"])
    guard case .entities(let entities) = versions[1].definition else { throw Unexpected() }
    #expect(entities.map(\.name.value) == ["Event", "Tag"])
    #expect(entities[0].properties.map(\.text.value) == ["date", "double", "[Tag] <-> events"])
    #expect(scenario.policies.map(\.name.value) == ["Locations"])
    guard case .rows(let rows) = scenario.seeds.first?.content else { throw Unexpected() }
    #expect(rows.map(\.fields.count) == [4, 4])
    #expect(rows[0].fields[3].value.text == "food, friends , food,,")
    #expect(scenario.chain.map(\.ends.value.description) == ["v1.1 -> v1.2"])
    let keywords = scenario.expectations.map(\.check.keyword)
    #expect(keywords == ["count", "unique", "inverse", "none", "object"])
  }

  @Test(arguments: [#"\U0000FEFFx"#, #"\uFEFFx"#, "\u{FEFF}x", #"x\uFEFF"#])
  func aTextKeepsTheByteOrderMarkItBeginsWith(written: String) throws {
    let scenario = try read(tagsScenario.replacing("food, friends , food,,", with: written))
    guard case .rows(let rows) = scenario.seeds.first?.content else { throw Unexpected() }
    let text = rows[0].fields[3].value.text ?? ""
    #expect(
      Array(text.unicodeScalars) == (written.first == "x" ? ["x", "\u{FEFF}"] : ["\u{FEFF}", "x"]))
  }

  @Test func readsAnEntityMapping() throws {
    let scenario = try read(
      """
      scenario: s
      models: { v1: {}, v2: {} }
      chain:
        - v1 -> v2:
            .madeFor: v1 -> draft
            .direct: true
            SongToSong:
              source: OldSong
              destination: Song
              type: custom
              policy: Songbook.SongPolicy
              predicate: length > 10
              attributes: { title: $source.name, note: ~ }
              relationships: none
              userInfo: { version: 2 }
      """)
    let step = try #require(scenario.chain.first)
    #expect(step.madeFor?.value == StepEnds(source: "v1", destination: "draft"))
    #expect(step.isDirect)
    guard case .inline(let inline) = step.mappings.first else { throw Unexpected() }
    let mapping = inline.entityMappings[0]
    #expect(mapping.kind == .custom)
    #expect(mapping.predicate?.value == "length > 10")
    guard case .filled(let attributes) = mapping.attributes else { throw Unexpected() }
    #expect(attributes.map(\.expression?.value) == ["$source.name", nil])
    guard case .none = mapping.relationships else { throw Unexpected() }
    #expect(mapping.userInfo == ["version": "2"])
  }

  @Test func aStepCanNameFilesOrInference() throws {
    let scenario = try read(
      """
      scenario: s
      models: App.xcdatamodeld
      chain:
        - v1 -> v2: One.xcmappingmodel
        - v2 -> v3: [Two.xcmappingmodel, Three.xcmappingmodel]
        - v3 -> v4: infer
        - v4 -> v5
        - v5 -> v6: { .mapping: Four.xcmappingmodel, .infer: false }
      """)
    #expect(scenario.chain.map(\.mappings.count) == [1, 2, 0, 0, 1])
    #expect(scenario.chain.map(\.infersMapping) == [true, true, true, true, false])
  }

  @Test func seedsCanBeGivenPerVersion() throws {
    let scenario = try read(
      """
      scenario: s
      models: { v1: { A: { x: int16 } }, v2: { A: { x: int32 } } }
      start: [v1, v2]
      seed:
        v1: { A: [{ id: one, x: 1 }] }
        v2: { A: [{ id: one, x: 1 }, ~] }
      """)
    #expect(scenario.starts.map(\.value) == ["v1", "v2"])
    #expect(scenario.seeds.map(\.version?.value) == ["v1", "v2"])
    guard case .rows(let rows) = scenario.seeds[1].content else { throw Unexpected() }
    #expect(rows.map(\.fields.count) == [2, 0])
  }

  @Test func expectationsCanBeBoundToAVersionAndAStart() throws {
    let scenario = try read(
      """
      scenario: s
      models: { v1: {}, v2: {} }
      expect:
        - at: v2
          start: v1
          expect:
            - count: { A: 1 }
            - none: A where x == 2
        - at: v1
          exactly: 2 A where x > 1
      """)
    #expect(scenario.expectations.map(\.version?.value) == ["v2", "v2", "v1"])
    #expect(scenario.expectations.map { $0.starts.map(\.value) } == [["v1"], ["v1"], []])
  }

  @Test func readsStepsAfterTheChain() throws {
    let scenario = try read(
      """
      scenario: s
      models: { v1: {} }
      then:
        - insert: Tag music
          values: { name: music }
        - link: Event dinner
          to: { tags: [music] }
        - delete: Album where title == "Best"
        - save:
          fails: { code: 1600, entity: Album }
          expect:
            - count: { Album: 1 }
        - rollback
        - start
        - expect:
            - steps: []
      """)
    #expect(scenario.then.count == 7)
    #expect(scenario.then[3].failure?.code?.value == 1600)
    #expect(scenario.then[3].expectations.count == 1)
    guard case .none = scenario.then[6].kind else { throw Unexpected() }
  }
}

struct Unexpected: Error {}
