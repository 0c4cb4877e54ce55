import Foundation
import TestSupport
import Testing

/// What is kept or made for a while may be customers' data: only its owner may look at it, whatever the user's
/// umask, and it goes.
@Suite(.tags(.process), .tiered)
struct PrivacyTests {
  private static let policy = """
    import CoreData

    class AppPolicy: NSEntityMigrationPolicy {
      override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        try Data("x".utf8).write(
          to: URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("app's own"))
        let support = URL.applicationSupportDirectory
        try FileManager.default.createDirectory(at: support, withIntermediateDirectories: true)
        for folder in [NSTemporaryDirectory(), NSHomeDirectory(), support.path] {
          for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            if name != ".local" { try FileManager.default.removeItem(atPath: folder + "/" + name) }
          }
          try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/app's own"))
        }
        while FileManager.default.fileExists(atPath: "LOOP") {}
      }
    }

    """

  private static let scenario = """
    scenario: A policy
    models:
      v1: { Event: { name: string } }
      v2: { Event: { name: string, length: int64? } }
      v3: { Event: { name: string, length: int64?, width: int64? } }
    policies: { module: App, sources: Policy.swift }
    seed: { Event: [{ id: first, name: fine }] }
    chain:
      - v1 -> v2:
          EventToEvent: { source: Event, destination: Event, policy: App.AppPolicy }
      - v2 -> v3
    expect:
      - count: { Event: 1 }

    """

  /// Folders for all that there is: `home`, `tmp` and `work`.
  private func place() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["home", "tmp"] {
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: name), withIntermediateDirectories: true)
    }
    let loop = folder.url.appending(path: "work/loop").path
    try folder.write(Self.policy.replacing("LOOP", with: loop), to: "work/Policy.swift")
    try folder.write(Self.scenario, to: "work/A.scenario.yaml")
    return folder
  }

  private func shell(
    _ script: String, _ folder: TemporaryFolder
  ) throws -> (status: Int32, output: String, errors: String) {
    try Tool.run(
      script: """
        cd work; umask 000
        export HOME=$PWD/../home TMPDIR=$PWD/../tmp; unset XDG_CACHE_HOME
        # Whatever may be looked at by others and isn't below a folder that only its owner may look into.
        open() { find "$@" -mindepth 1 \\( -type d -perm 700 -prune \\) -o -perm /077 -print; }
        # The same, wherever it is.
        loose() { find "$@" -mindepth 1 -perm /077 -print; }
        \(script)
        """, [try Tool.executable().path], in: folder)
  }

  @Test func whatIsKeptIsTheOwnersAlone() throws {
    let result = try shell(
      """
      "$0" run A.scenario.yaml --keep kept >/dev/null || exit 1
      "$0" migrate kept/A.v1.run/store.sqlite --scenario A.scenario.yaml -o new.sqlite > /dev/null || exit 2
      stat -c %a kept new.sqlite kept/A.v1.run/store.sqlite
      loose kept ../home/.cache/heavyweight/stores
      open ../home
      find ../tmp -name 'heavyweight*'
      """, try place())
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output == "700\n600\n600\n", "\(result.output)")
  }

  @Test func whatIsMadeForAWhileIsTheOwnersAloneAndGoesAfterAKill() throws {
    let result = try shell(
      """
      touch loop
      "$0" run A.scenario.yaml --backend sqlite >/dev/null 2>&1 &
      for i in $(seq 600); do [ -n "$(find ../tmp -name "app's own")" ] && break; sleep 0.1; done
      [ -n "$(ls -d ../tmp/heavyweight* 2>/dev/null)" ] || echo nothing was there
      open ../tmp ../home
      kill -9 $!
      rm loop
      wait 2>/dev/null
      sleep 3
      "$0" run A.scenario.yaml --backend sqlite >/dev/null || exit 1
      ls ../tmp | grep heavyweight
      true
      """, try place())
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output == "", "\(result.output)")
  }

  @Test func withoutACacheNothingIsLeft() throws {
    let result = try shell(
      """
      "$0" run A.scenario.yaml --no-cache >/dev/null || exit 1
      find ../home ../tmp -mindepth 1
      """, try place())
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output == "", "\(result.output)")
  }

  /// An app that clears its temporary folder, or a cache in its home, clears no one else's.
  @Test func anAppsFoldersAreItsOwn() throws {
    let result = try shell(
      """
      mkdir -p ../home/.local/share; touch ../tmp/theirs ../home/theirs ../home/.local/share/theirs
      "$0" run A.scenario.yaml --keep kept >/dev/null || exit 1
      "$0" migrate kept/A.v1.run/store.sqlite --scenario A.scenario.yaml -o new.sqlite > /dev/null || exit 2
      "$0" mutate A.scenario.yaml > /dev/null; [ $? -le 1 ] || exit 3
      "$0" bench A.scenario.yaml --objects 1 --samples 1 > /dev/null || exit 4
      "$0" crash A.scenario.yaml --faults kill --at 1 > /dev/null || exit 5
      find ../home ../tmp -path '*/.cache' -prune -o -type f -print | sort
      """, try place())
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(
      result.output == "../home/.local/share/theirs\n../home/theirs\n../tmp/theirs\n",
      "\(result.output)")
  }

  @Test func aTemporaryFolderThatIsntThereIsNamed() throws {
    let result = try shell(
      """
      mkdir nothing; export TMPDIR=$PWD/nothing; rmdir nothing
      "$0" run A.scenario.yaml || true
      """, try place())
    #expect(
      result.output.contains(
        "work/nothing: can't make a temporary folder here: No such file or directory; "
          + "set TMPDIR to a folder that is there and can be written"), "\(result)")
  }

  /// Where there is no usual place, nothing has a name that others know beforehand.
  @Test func withoutAHomeTheCacheIsThisCallsAlone() throws {
    let result = try shell(
      """
      unset HOME
      "$0" run A.scenario.yaml >/dev/null || exit 1
      ls kept 2>/dev/null
      find ../tmp -mindepth 1
      "$0" run A.scenario.yaml --backend sqlite --keep kept >/dev/null || exit 1
      "$0" migrate kept/A.v1.run/store.sqlite --scenario A.scenario.yaml -o new.sqlite > /dev/null || exit 2
      find ../tmp -mindepth 1
      """, try place())
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output == "", "\(result.output)")
  }

  /// A lock whose maker died between the last rename and the lock's removal keeps nobody from anything, and
  /// goes with the next migration to the place.
  @Test func aLockLeftBehindDisturbsNobody() throws {
    let result = try shell(
      """
      "$0" run A.scenario.yaml --backend sqlite --keep kept >/dev/null || exit 1
      store=kept/A.v1.run/store.sqlite
      touch .new.sqlite.migrationdestination_0123ABCD-lock
      "$0" migrate $store --scenario A.scenario.yaml -o new.sqlite > /dev/null || exit 2
      ls -A | grep migrationdestination
      touch .new.sqlite.migrationdestination_0123ABCD-lock
      "$0" inspect new.sqlite >/dev/null || exit 3
      "$0" migrate $store --scenario A.scenario.yaml -o new.sqlite >/dev/null 2>&1
      [ $? = 2 ] || exit 4
      ls -A | grep migrationdestination
      "$0" diff new.sqlite new.sqlite >/dev/null || exit 5
      true
      """, try place())
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output == "", "\(result.output)")
  }
}
