import Foundation
import TestSupport
import Testing

/// On a full disk the commands that look for faults say so, blame nobody's migration for it, and leave nothing half-written.
@Suite(.tags(.process), .tiered) struct FullDiskTests {
  /// What the system says of it, SQLite, and Foundation.
  private static let noRoom = [
    "No space left on device", "database or disk is full", "There isn’t enough space",
  ]

  private func saysThatThereIsNoRoom(_ result: Tool.Result) -> Bool {
    Self.noRoom.contains { (result.output + result.errors).contains($0) }
  }

  /// The tool with all its temporary files on a disk that is full.
  private func runWithoutRoom(
    _ arguments: [String], in folder: TemporaryFolder
  ) throws -> Tool.Result {
    try SmallDisk.run(
      of: "64k",
      """
      export TMPDIR="$PWD/disk" XDG_CACHE_HOME="$PWD/cache"
      head -c 64k /dev/zero >disk/full
      "$0" "$@"; echo "status $?"; ls -A disk
      """, arguments, in: folder)
  }

  /// The tool with a full disk beside it, for its results.
  private func runBesideFullDisk(
    _ arguments: [String], in folder: TemporaryFolder
  ) throws -> Tool.Result {
    try SmallDisk.run(
      of: "64k",
      """
      export XDG_CACHE_HOME="$PWD/cache"; head -c 64k /dev/zero >disk/full
      "$0" "$@"; echo "status $?"; ls -A disk
      """, arguments, in: folder)
  }

  private func isUnblamed(_ result: Tool.Result, status: Int) {
    #expect(result.output.hasSuffix("status \(status)\nfull\n"), "\(result)")
    #expect(saysThatThereIsNoRoom(result), "\(result)")
  }

  // MARK: capture

  @Test func captureLeavesNoFolder() throws {
    let field = try FieldStore()
    let arguments = ["capture", field.store, "--models", "App.xcdatamodeld", "-o"]
    isUnblamed(try runBesideFullDisk(arguments + ["disk/Report"], in: field.folder), status: 2)
    let second = try FieldStore()
    isUnblamed(try runWithoutRoom(arguments + ["Report"], in: second.folder), status: 8)
    #expect(!second.exists("Report"))
  }

  /// Where a moment's lack of room keeps one of its plays from its end, nothing weaker is written.
  @Test func captureWritesNoWeakerScenario() throws {
    let field = try FieldStore()
    let arguments = ["capture", field.store, "--models", "App.xcdatamodeld", "-o"]
    let good = try Tool.run(arguments + ["Good"], in: field.folder)
    #expect(good.status == 0, "\(good)")
    for count in 2...24 {
      let result = try SmallDisk.run(
        of: "8m,nr_inodes=\(count)",
        """
        export TMPDIR="$PWD/disk" XDG_CACHE_HOME="$PWD/cache"
        "$0" "$@"; echo "status $?"; cmp Good/*.yaml Bad/*.yaml; rm -rf Bad; umount disk; rmdir disk
        """, arguments + ["Bad"], in: field.folder)
      #expect(
        result.output.hasSuffix("status 8\n") || result.output.hasSuffix("status 0\n"),
        "\(count): \(result)")
      if result.output.hasSuffix("status 0\n") {
        #expect(!result.errors.contains("cmp"), "\(result)")
      }
    }
  }

  // MARK: smoke

  private func smokeApp() throws -> SmokeApp {
    let title = "<attribute name=\"title\" attributeType=\"String\" optional=\"YES\"/>"
    return try SmokeApp(
      "<entity name=\"Book\">\(title)</entity>",
      "<entity name=\"Book\">\(title.replacing("title", with: "name"))</entity>")
  }

  @Test func smokeTellsWhatItFoundThoughItCantSaveIt() throws {
    let result = try runBesideFullDisk(
      ["smoke", "App.xcdatamodeld", "--output", "disk/found"], in: smokeApp().folder)
    #expect(result.output.contains("possible-rename  App -> App 2  Book.title"), "\(result)")
    #expect(result.errors.contains("disk/found: error: can't save the scenarios: "), "\(result)")
    isUnblamed(result, status: 1)
  }

  @Test func smokeTakesNoFullDiskForAFinding() throws {
    let result = try runWithoutRoom(["smoke", "App.xcdatamodeld"], in: smokeApp().folder)
    #expect(!result.output.contains("migration-fails") && !result.output.contains("backends"))
    isUnblamed(result, status: 8)
  }

  // MARK: compare

  /// Both migrations fail alike: that is no agreement.
  @Test func compareTakesNoFullDiskForAgreement() throws {
    let field = try FieldStore()
    let result = try runWithoutRoom(
      ["compare", "--old", ".", "--new", ".", "--models", "App.xcdatamodeld", field.store],
      in: field.folder)
    isUnblamed(result, status: 8)
  }

  // MARK: mutate

  private static let songs = """
    scenario: Songs get notes
    models:
      v1: { Song: { title: string } }
      v2: { Song: { title: string, note: string? = none } }
    seed: { Song: [{ id: one, title: One }] }
    chain: [v1 -> v2]
    expect:
      - object: Song one
        has: { title: One, note: none }

    """

  private func songs() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.songs, to: "Songs.scenario.yaml")
    return folder
  }

  @Test func mutateTakesNoFullDiskForAScenarioThatNotices() throws {
    let folder = try songs()
    let result = try runWithoutRoom(
      ["mutate", "Songs.scenario.yaml", "--state", "state"], in: folder)
    isUnblamed(result, status: 8)
    // Nothing that the full disk did is kept.
    let again = try Tool.run(["mutate", "Songs.scenario.yaml", "--state", "state"], in: folder)
    #expect(again.status == 0, "\(again)")
    #expect(again.output.contains("1 mutant: 1 caught; score 100%"), "\(again)")
  }

  @Test func mutateSaysThatItCantKeepWhatItFound() throws {
    let result = try runBesideFullDisk(
      ["mutate", "Songs.scenario.yaml", "--state", "disk"], in: songs())
    #expect(saysThatThereIsNoRoom(result), "\(result)")
  }

  // MARK: run

  /// Disks that have room for so much, or for so many files.
  private static let smallDisks =
    stride(from: 8, through: 200, by: 16).map { "\($0)k" }
    + (4...16).map { "8m,nr_inodes=\($0)" }

  /// An error that a scenario expects isn't the one that a full disk makes, at whatever point it gets full.
  @Test(arguments: [134110, 134180, 134080])
  func noFullDiskIsTheErrorThatIsExpected(_ code: Int) throws {
    let folder = try TemporaryFolder()
    let names = (1...300).map { "{ title: Song \($0) }" }.joined(separator: ", ")
    try folder.write(
      """
      scenario: Fails
      models:
        v1: { Song: { title: string } }
        v2: { Song: { title: string, note: string? } }
      seed: { Song: [\(names)] }
      chain: [{ v1 -> v2: { SongToSong: { source: Song, destination: Song } } }]
      expect: [{ fails: { code: \(code) } }]

      """, to: "Fails.scenario.yaml")
    for disk in Self.smallDisks {
      let result = try SmallDisk.run(
        of: disk,
        """
        export TMPDIR="$PWD/disk" XDG_CACHE_HOME="$PWD/cache"
        "$0" "$@"; echo "status $?"
        """, ["run", "Fails.scenario.yaml", "--backend", "sqlite", "--no-cache"], in: folder)
      let isJudged = result.output.contains("status 1")
      #expect(isJudged || result.output.contains("status 8"), "\(disk): \(result)")
      #expect(
        isJudged
          ? result.output.contains("expected")
          : (result.output + result.errors).contains("not judged"),
        "\(disk): \(result)")
    }
  }

  // MARK: reduce

  @Test func reduceLeavesNoHalfScenario() throws {
    let folder = try TemporaryFolder()
    try folder.write(ReduceCommandTests.tags, to: "Tags.scenario.yaml")
    let beside = try SmallDisk.run(
      of: "16k",
      """
      export XDG_CACHE_HOME="$PWD/cache"; cp Tags.scenario.yaml disk; cd disk
      head -c 12k /dev/zero >full; "$0" reduce Tags.scenario.yaml; echo "status $?"; ls -A
      """, [], in: folder)
    #expect(beside.output.hasSuffix("status 2\nTags.scenario.yaml\nfull\n"), "\(beside)")
    #expect(saysThatThereIsNoRoom(beside), "\(beside)")
    let second = try TemporaryFolder()
    try second.write(ReduceCommandTests.tags, to: "Tags.scenario.yaml")
    isUnblamed(try runWithoutRoom(["reduce", "Tags.scenario.yaml"], in: second), status: 8)
    #expect(
      try second.names().sorted() == ["Tags.scenario.yaml", "cache", "disk"]
        || second.names().sorted() == ["Tags.scenario.yaml", "disk"])
  }

  // MARK: Folders that nobody may read

  /// As somebody who isn't the administrator: that one may read everything.
  @Test(arguments: [
    ["mutate", "closed"], ["smoke", "closed/App.xcdatamodeld"],
    ["reduce", "closed/A.scenario.yaml"],
    ["capture", "closed/a.sqlite", "--models", "closed/App.xcdatamodeld", "-o", "Report"],
    ["compare", "--old", "closed", "--new", "closed", "--models", "App.xcdatamodeld", "a.sqlite"],
  ])
  func aFolderThatCantBeReadIsNamed(_ arguments: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "closed/file")
    let result = try Tool.run(
      script: """
        chmod 755 .; chmod 700 closed
        run=; [ "$(id -u)" = 0 ] && run="setpriv --reuid 65534 --clear-groups"
        [ -n "$run" ] || chmod 0 closed
        export HOME=/nonexistent; $run "$0" "$@"; echo "status $?"; chmod 700 closed; ls -A
        """, [try Tool.executable().path] + arguments, in: folder)
    #expect(result.output == "status 2\nclosed\n", "\(result)")
    #expect(!result.errors.isEmpty && !result.errors.contains("Fatal"), "\(result)")
  }
}
