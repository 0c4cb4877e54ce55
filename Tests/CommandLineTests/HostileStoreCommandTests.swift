import Foundation
import TestSupport
import Testing

/// What of a store's schema is passed over is said by every command that reads the store.
@Suite(.enabled(if: Tool.hasSQLite, "there is no /usr/bin/sqlite3"), .tags(.process), .tiered)
struct HostileStoreCommandTests {
  private static let scenario = """
    scenario: A hostile store
    models:
      v1: { Note: { text: string } }
      v2: { Note: { text: string, flag: bool? } }
    seed: { Note: [{ text: b }] }
    chain: []
    expect:
      - count: { Note: 1 }

    """

  @Test func everyReportSaysWhatIsPassedOver() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "Seed.scenario.yaml")
    try folder.write(
      Self.scenario.replacing("seed: { Note: [{ text: b }] }", with: "store: s.sqlite")
        .replacing("chain: []", with: "chain: [v1 -> v2]"), to: "A.scenario.yaml")
    let result = try Tool.run(
      script: """
        "$0" run Seed.scenario.yaml --backend sqlite --keep kept >/dev/null || exit 1
        cp kept/Seed.v1.run/store.sqlite s.sqlite
        sqlite3 s.sqlite "CREATE TRIGGER hostile AFTER UPDATE ON ZNOTE BEGIN DELETE FROM ZNOTE; END;"
        echo migrate; "$0" migrate s.sqlite --scenario A.scenario.yaml -o n.sqlite || exit 2
        echo run; "$0" run A.scenario.yaml || exit 3
        echo inspect; "$0" inspect s.sqlite || exit 4
        """, [try Tool.executable().path], in: folder)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let told =
      "ZNOTE: its triggers never run here, and a migration doesn't take them along: 'hostile'"
    #expect(result.output.components(separatedBy: told).count == 4, "\(result.output)")
  }
}
