import Foundation
import TestSupport
import Testing

/// `heavyweight mutate` names what a weak scenario doesn't notice, and nothing that it does.
@Suite(.serialized, .tags(.process), .tiered)
struct MutateCommandTests {
  /// It counts songs, and looks at one value: that notes come along it doesn't notice.
  private static let weak = """
    scenario: Songs get notes
    models:
      v1: { Song: { title: string, subtitle: string?, plays: int16 } }
      v2: { Song: { title: string, note: string?, plays: int32, kind: string? = tune } }
    seed:
      Song:
        - { id: one, title: One, subtitle: First, plays: 3 }
        - { title: Gone, plays: 1 }
    chain:
      - v1 -> v2:
          SongToSong:
            source: Song
            destination: Song
            predicate: title != "Gone"
            attributes: { note: $source.subtitle }
    expect:
      - count: { Song: 1 }
      - object: Song one
        has: { title: One, kind: tune }

    """

  private func folder(_ scenario: String = weak) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(scenario, to: "Songs.scenario.yaml")
    return folder
  }

  private func mutate(_ folder: TemporaryFolder, _ options: String = "") throws -> Tool.Result {
    let words = options.split(separator: " ").map(String.init)
    return try Tool.run(
      ["mutate", "Songs.scenario.yaml", "--state", "state"] + words, in: folder)
  }

  /// The text without what differs from time to time.
  private func timeless(_ text: String) -> String {
    text.replacing(#/in [\d.]+ m?s\n/#, with: "in T\n")
  }

  private func json(_ result: Tool.Result) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  // MARK: What is alive

  @Test func whatAWeakScenarioDoesntNoticeIsToldWithPlaceAndChange() throws {
    let result = try mutate(folder())
    #expect(result.status == 1)
    #expect(result.errors == "")
    #expect(
      timeless(result.output) == """
        ✗ Songs.scenario.yaml:15: value-expression: v1 -> v2 alter the value expression of SongToSong.note
            - SongToSong.note: $source.subtitle
            + SongToSong.note: $source.title
            still passed: Songs.scenario.yaml

        ✗ Songs.scenario.yaml:15: property-mapping: v1 -> v2 drop the property mapping SongToSong.note
            - SongToSong.note: $source.subtitle
            still passed: Songs.scenario.yaml

        mutants           all  caught  alive  accepted  don't compile  not played
        entity-mapping      1       1      -         -              -           -
        mapping-model       1       1      -         -              -           -
        source-predicate    2       2      -         -              -           -
        value-expression    1       -      1         -              -           -
        property-mapping    1       -      1         -              -           -
        default             1       1      -         -              -           -

        1 scenario, 7 mutants: 2 alive, 5 caught; score 71%, in T

        """)
  }

  @Test func aSharperScenarioLeavesNoneAlive() throws {
    let sharper = Self.weak.replacing("has: { title: One,", with: "has: { title: One, note: First,")
    let result = try mutate(folder(sharper))
    #expect(result.status == 0, "\(result)")
    #expect(
      timeless(result.output).hasSuffix("1 scenario, 7 mutants: 7 caught; score 100%, in T\n"))
  }

  @Test(arguments: ["", "Scenarios/"])
  func acceptedMutantsAreNoneOfTheSurvivorsAndUselessEntriesAreTold(below parent: String) throws {
    let place = parent + ".heavyweight-mutate.yaml"
    let folder = try folder()
    try folder.write(
      """
      accepted:
        - file: Songs.scenario.yaml
          kind: property-mapping
          reason: Notes come from the server.
        - { mutant: v1 -> v2 alter the value expression of SongToSong.note, reason: As above. }
        - { kind: hook, reason: There is none. }

      """, to: place)
    let result = try mutate(folder)
    #expect(result.status == 0, "\(result)")
    #expect(
      timeless(result.output).hasSuffix(
        """
        \(place):6:5 accepts no live mutant; remove the entry
        1 scenario, 7 mutants: 5 caught; score 100%, in T

        """.replacing(":6:5", with: ":6")))
  }

  // MARK: Policies

  private static let policy = """
    import CoreData

    class SongPolicy: NSEntityMigrationPolicy {
      override func createDestinationInstances(
        forSource song: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
      ) throws {
        try super.createDestinationInstances(forSource: song, in: mapping, manager: manager)
        let made = manager.destinationInstances(
          forEntityMappingName: mapping.name, sourceInstances: [song])
        made[0].setValue(note(of: song), forKey: "note")
      }

      private func note(of song: NSManagedObject) -> String? {
        var words = [song.value(forKey: "subtitle") as? String ?? ""]
        words.removeAll(where: \\.isEmpty)
        return words.first
      }
    }

    """

  private func policyFolder(_ policy: String = policy) throws -> TemporaryFolder {
    let folder = try folder(
      Self.weak.replacing(
        "chain:\n", with: "policies: { module: App, sources: SongPolicy.swift }\nchain:\n"
      )
      .replacing("destination: Song\n", with: "destination: Song\n        policy: App.SongPolicy\n")
      .replacing("attributes: { note: $source.subtitle }", with: "attributes: { }")
      .replacing("has: { title: One,", with: "has: { title: One, note: First,"))
    try folder.write(policy, to: "SongPolicy.swift")
    return folder
  }

  @Test func statementsOfPoliciesAreMutatedAndTheFileStaysAsItIs() throws {
    let folder = try policyFolder()
    let result = try mutate(folder, "--filter SongPolicy.swift")
    #expect(result.status == 1)
    #expect(
      timeless(result.output) == """
        ✗ SongPolicy.swift:15: call: leave out 'words.removeAll(where: \\.isEmpty)'
            -     words.removeAll(where: \\.isEmpty)
            still passed: Songs.scenario.yaml

        mutants  all  caught  alive  accepted  don't compile  not played
        hook       1       1      -         -              -           -
        call       3       2      1         -              -           -
        return     1       1      -         -              -           -

        6 mutants left out by --filter
        1 scenario, 5 mutants: 1 alive, 4 caught; score 80%, in T

        """)
    let file = folder.url.appending(path: "SongPolicy.swift")
    #expect(try String(contentsOf: file, encoding: .utf8) == Self.policy)
  }

  // MARK: Going on

  @Test func aCallThatWasKilledIsGoneOnWith() async throws {
    let folder = try folder()
    let verdicts = folder.url.appending(path: "state/verdicts.jsonl")
    func count() -> Int {
      let text = (try? String(contentsOf: verdicts, encoding: .utf8)) ?? ""
      return text.split(separator: "\n").filter { $0.contains("\"verdict\"") }.count
    }
    let process = try Tool.start(
      ["mutate", "Songs.scenario.yaml", "--state", "state", "--jobs", "1"], in: folder)
    while process.isRunning, count() < 2 { try await Task.sleep(for: .milliseconds(20)) }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let known = count()
    #expect(known >= 2)
    let again = try mutate(folder)
    #expect(again.status == 1)
    #expect(again.output.contains("\n\(known) verdicts of earlier calls\n"), "\(again)")
    #expect(again.output.contains("1 scenario, 7 mutants: 2 alive, 5 caught"))
    let third = try mutate(folder)
    #expect(third.output.contains("\n7 verdicts of earlier calls\n"))
    // What a scenario expects counts, too: all is played again.
    let file = folder.url.appending(path: "Songs.scenario.yaml")
    let text = try String(contentsOf: file, encoding: .utf8)
    try folder.write(
      text.replacing("kind: tune }", with: "kind: tune, plays: 3 }"), to: "Songs.scenario.yaml")
    #expect(try !mutate(folder, "--filter entity-mapping").output.contains("earlier calls"))
  }

  /// The policy's loop ends by the assignment: without it the mutant is played until Control-C, however late that comes.
  @Test(.tags(.compiles)) func controlCTellsWhatWasFound() throws {
    let folder = try policyFolder(
      """
      import CoreData

      final class SongPolicy: NSEntityMigrationPolicy {
        override func createDestinationInstances(
          forSource song: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
          try super.createDestinationInstances(forSource: song, in: mapping, manager: manager)
          let new = manager.destinationInstances(
            forEntityMappingName: mapping.name, sourceInstances: [song])
          new.first?.setValue(song.value(forKey: "subtitle"), forKey: "note")
          var waited = [false]
          while !waited[0] {
            waited[0] = true
          }
        }
      }
      """)
    let script = """
      set -m; "$0" mutate Songs.scenario.yaml --state state --jobs 1 --timeout 1h \
        --filter '/-mapping|mapping-|leave out .waited/' --json report.json >printed 2>complained &
      while n=$(grep -c '"verdict"' state/verdicts.jsonl); [ "${n:-0}" -lt 2 ]; do
        kill -0 $! || break; sleep 0.02
      done 2>/dev/null
      kill -INT $!; wait $!; echo "status $?"
      """
    let result = try Tool.run(script: script, [Tool.executable().path], in: folder)
    #expect(result.output == "status 5\n", "\(result)")
    let printed = try String(
      contentsOf: folder.url.appending(path: "printed"), encoding: .utf8)
    #expect(
      printed.contains(
        "1 scenario, 3 mutants: 2 caught, 1 not played, interrupted; "), "\(printed)")
    let report = try #require(
      JSONSerialization.jsonObject(
        with: Data(contentsOf: folder.url.appending(path: "report.json"))) as? [String: Any])
    #expect(report["complete"] as? Bool == false)
  }

  @Test func aBudgetThatIsOverLeavesTheRestUnplayed() throws {
    let result = try mutate(folder(), "--time 1ms")
    #expect(result.status == 5)
    #expect(result.output.contains("1 scenario, 7 mutants: 0 caught, 7 not played; in "))
  }

  // MARK: Reports and mistakes

  @Test func theReportForMachinesFollowsItsSchema() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../docs/mutate.schema.json")
    let schema = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: file.standardizedFileURL))
        as? [String: Any])
    let folder = try folder()
    let result = try mutate(folder, "--json - --html page")
    #expect(result.status == 1)
    let report = try json(result)
    #expect(SchemaCheck(schema).problems(report) == [])
    let mutants = try #require(report["mutants"] as? [[String: Any]])
    #expect(mutants.map { $0["status"] as? String }.filter { $0 == "alive" }.count == 2)
    let page = try String(
      contentsOf: folder.url.appending(path: "page/index.html"), encoding: .utf8)
    #expect(page.contains("<h2>Alive (2)</h2>"))
    #expect(page.contains("+ SongToSong.note: $source.title"))
  }

  @Test func listingPlaysNothing() throws {
    let folder = try folder()
    let result = try Tool.run(["mutate", "Songs.scenario.yaml", "--list"], in: folder)
    #expect(result.status == 0)
    #expect(
      result.output == """
        entity-mapping    Songs.scenario.yaml:11  v1 -> v2 drop the entity mapping SongToSong  (1 scenario)
        mapping-model     Songs.scenario.yaml:10  offer v1 -> v2 no mapping model  (1 scenario)
        source-predicate  Songs.scenario.yaml:11  v1 -> v2 drop the source predicate of SongToSong  (1 scenario)
        source-predicate  Songs.scenario.yaml:11  v1 -> v2 negate the source predicate of SongToSong  (1 scenario)
        value-expression  Songs.scenario.yaml:15  v1 -> v2 alter the value expression of SongToSong.note  (1 scenario)
        property-mapping  Songs.scenario.yaml:15  v1 -> v2 drop the property mapping SongToSong.note  (1 scenario)
        default           Songs.scenario.yaml:4  v2 alter the default of Song.kind  (1 scenario)
        1 scenario, 7 mutants

        """)
  }

  @Test func aScenarioThatFailsWithoutAnyMutantIsToldAndLeftOut() throws {
    let result = try mutate(
      folder(Self.weak.replacing("count: { Song: 1 }", with: "count: { Song: 5 }")))
    #expect(result.status == 1)
    #expect(
      result.output.contains("✗ Songs.scenario.yaml fails without any mutant, and was left out\n"))
    #expect(!result.output.contains("caught because"))
    #expect(result.output.contains("1 scenario, 7 mutants: 0 caught; in "))
  }

  @Test func mistakesEndWithTheirStatus() throws {
    let folder = try folder()
    #expect(try mutate(folder, "--filter nothing").status == 4)
    #expect(try mutate(folder, "--accepted absent.yaml").status == 2)
    #expect(try mutate(folder, "--jobs 0").status == 2)
    #expect(try Tool.run(["mutate", "absent"], in: folder).status == 2)
    try folder.write("", to: "empty/file")
    #expect(try Tool.run(["mutate", "empty"], in: folder).status == 3)
    #expect(try mutate(folder, "--json /proc/none/report.json").status == 7)
  }

  // MARK: Accepting

  @Test func whatIsAliveIsAcceptedFromNowOn() throws {
    let folder = try folder()
    func accept(_ reason: String, _ options: String...) throws -> Tool.Result {
      try Tool.run(
        ["mutate", "Songs.scenario.yaml", "--state", "state", "--accept", reason] + options,
        in: folder)
    }
    func accepted() throws -> String {
      try String(
        contentsOf: folder.url.appending(path: ".heavyweight-mutate.yaml"), encoding: .utf8)
    }
    let one = try accept("Notes: from the server.", "--filter", "value-expression")
    #expect(one.status == 0, "\(one)")
    #expect(one.errors == "1 mutant accepted in .heavyweight-mutate.yaml\n")
    let first = try accepted()
    #expect(
      first.replacing(#/date: \d{4}-\d\d-\d\d/#, with: "date: D") == """
        accepted:
          - file: Songs.scenario.yaml
            mutant: v1 -> v2 alter the value expression of SongToSong.note
            reason: "Notes: from the server."
            date: D

        """, "\(first)")
    #expect(try mutate(folder).status == 1)
    let rest = try accept("As above.")
    #expect(rest.status == 0, "\(rest)")
    #expect(rest.output.contains("property-mapping    1       -      -         1 "), "\(rest)")
    #expect(try accepted().hasPrefix(first))
    #expect(try mutate(folder).status == 0)
    let again = try accept("Once more.")
    #expect(again.status == 0 && again.errors == "nothing to accept\n", "\(again)")
    #expect(try accept("  ").status == 2)
    #expect(try accept("None.", "--list").status == 2)
  }

  @Test func aListThatCantBeAddedToStaysAsItIs() throws {
    let folder = try folder()
    let written = "accepted: [{ kind: hook, reason: There is none. }]\n"
    try folder.write(written, to: "mine.yaml")
    let result = try Tool.run(
      [
        "mutate", "Songs.scenario.yaml", "--state", "state", "--accepted", "mine.yaml", "--accept",
        "Old",
      ],
      in: folder)
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("mine.yaml: error: can't add to this list; "), "\(result)")
    let file = folder.url.appending(path: "mine.yaml")
    #expect(try String(contentsOf: file, encoding: .utf8) == written)
  }
}
