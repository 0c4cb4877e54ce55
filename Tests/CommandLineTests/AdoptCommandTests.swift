import Foundation
import TestSupport
import Testing

/// `heavyweight adopt`: a device's store in a scenario, and what `run` says of it from then on.
@Suite(.tags(.process), .tiered) struct AdoptCommandTests {
  private static let models = """
    models:
      v1: { Song: { title: string, length: double = 2.5 } }
      v2: { Song: { title: string, rating: int16 = 3 } }

    """
  private static let songs = """
    scenario: Songs get a rating
    \(models)# As the app does it.
    chain: [v1 -> v2]
    expect:
      - steps: [v1 -> v2: inferred]

    """

  /// A folder with a store of v1, the one that a device made of it, and a scenario without a seed.
  /// - Parameters:
  ///   - rating: What the device gave to a song.
  ///   - models: What the stores are of.
  ///   - waltz: What the other song has in v1.
  private func folder(
    rating: Int, models: String = Self.models, waltz: String = ""
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let seed = "seed: { Song: [{ title: Waltz\(waltz) }, { title: Tango }] }\n"
    try folder.write(
      "scenario: Before\n\(models)\(seed)start: v1\nexpect: [count: { Song: 2 }]\n",
      to: "Before.scenario.yaml")
    try folder.write(
      """
      scenario: After
      \(models)\(seed)chain: [v1 -> v2]
      expect: [count: { Song: 2 }]
      then:
        - set: Song where title == "Tango"
          values: { rating: \(rating) }
        - save

      """, to: "After.scenario.yaml")
    let made = try Tool.run(
      [
        "run", "--backend", "sqlite", "--keep", "Kept", "Before.scenario.yaml",
        "After.scenario.yaml",
      ],
      in: folder)
    #expect(made.status == 0, "\(made.output)\(made.errors)")
    let files = FileManager.default
    for name in ["Before", "After"] {
      try files.moveItem(
        at: folder.url.appending(path: "Kept/\(name).v1.run/store.sqlite"),
        to: folder.url.appending(path: "\(name.lowercased()).sqlite"))
    }
    try folder.write(Self.songs, to: "Songs.scenario.yaml")
    return folder
  }

  private func adopt(_ folder: TemporaryFolder) throws -> Tool.Result {
    try Tool.run(
      ["adopt", "before.sqlite", "after.sqlite", "--scenario", "Songs.scenario.yaml"], in: folder)
  }

  private func text(_ folder: TemporaryFolder) throws -> String {
    try String(contentsOf: folder.url.appending(path: "Songs.scenario.yaml"), encoding: .utf8)
  }

  @Test func writesTheStoresAndWhatTheDeviceMade() throws {
    let folder = try folder(rating: 3)
    let result = try adopt(folder)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("1 scenario, 2 runs: 2 passed"))
    let written = """
      scenario: Songs get a rating
      \(Self.models)# As the app does it.
      store: before.sqlite
      device: after.sqlite
      chain: [v1 -> v2]
      expect:
        - steps: [v1 -> v2: inferred]
        - count: { Song: 2 }
        - object: Song where title == "Waltz"
          has:
            rating: 3
            title: Waltz
        - object: Song where title == "Tango"
          has:
            rating: 3
            title: Tango

      """
    #expect(try text(folder) == written)
    // What is there already is left as it is.
    #expect(try adopt(folder).status == 0)
    #expect(try text(folder) == written)
  }

  @Test func runTellsWhatADeviceMadeOtherwise() throws {
    let folder = try folder(rating: 5)
    let result = try adopt(folder)
    #expect(result.status == 1)
    #expect(try text(folder).contains("rating: 5"))
    try folder.write(
      try text(folder).components(separatedBy: "expect:")[0] + "expect: [count: { Song: 2 }]\n",
      to: "Songs.scenario.yaml")
    let run = try Tool.run(["run", "--backend", "sqlite", "Songs.scenario.yaml"], in: folder)
    #expect(run.status == 1)
    #expect(
      run.output.contains(
        """
            Songs.scenario.yaml:7:9: Song { rating: 3, title: "Tango" }, rating, as on the device
              expected  5
              found     3

        """), "\(run.output)")
  }

  @Test func refusesWhatItCantWriteInto() throws {
    let folder = try folder(rating: 3)
    try folder.write(
      Self.songs.replacing("chain:", with: "seed: { Song: [{ title: Polka }] }\nchain:"),
      to: "Songs.scenario.yaml")
    let seeded = try adopt(folder)
    #expect(seeded.status == 2)
    #expect(
      seeded.errors.hasPrefix(
        "Songs.scenario.yaml:6:1: error: the scenario has a seed; leave it out, since the store before takes its place\n"
      ))
    try folder.write(
      Self.songs.replacing("title: string", with: "name: string"), to: "Songs.scenario.yaml")
    let other = try adopt(folder)
    #expect(other.status == 2)
    #expect(other.errors == "after.sqlite: error: this store is of no version of the scenario\n")
    let missing = try Tool.run(
      ["adopt", "before.sqlite", "nowhere.sqlite", "--scenario", "Songs.scenario.yaml"], in: folder)
    #expect(missing.status != 0)
    #expect(missing.errors.contains("nowhere.sqlite"))
  }

  @Test func aDevicesStoreOfAnotherVersionIsNoResult() throws {
    let folder = try folder(rating: 3)
    try folder.write(
      Self.songs.replacing("chain:", with: "store: before.sqlite\ndevice: before.sqlite\nchain:"),
      to: "Songs.scenario.yaml")
    let run = try Tool.run(["run", "--backend", "sqlite", "Songs.scenario.yaml"], in: folder)
    #expect(run.status == 1)
    #expect(
      run.output.contains("the device's store\n      expected  of v2\n      found     of v1\n"),
      "\(run.output)")
  }

  @Test func anErrorThatIsExpectedIsNotWhatTheDeviceMade() throws {
    let folder = try folder(rating: 3)
    try folder.write(
      """
      scenario: The policy is missing
      \(Self.models)store: before.sqlite
      device: after.sqlite
      chain: [v1 -> v2: { SongToSong: { source: Song, destination: Song, policy: App.Missing } }]
      expect: [fails: { code: 134110 }]

      """, to: "Songs.scenario.yaml")
    let run = try Tool.run(["run", "--backend", "sqlite", "Songs.scenario.yaml"], in: folder)
    #expect(run.status == 1)
    #expect(
      run.output.contains(
        """
            Songs.scenario.yaml:6:9: the device's store
              expected  a result to compare with it
              found     none: the chain ended with an error, and the device's didn't

        """), "\(run.output)")
  }

  /// Stores that were copied without their folders of large values.
  @Test func valuesWithoutTheirFilesAreNoValuesOfTheDevice() throws {
    let models = Self.models.replacing(
      "title: string", with: "title: string, cover: data(external)?")
    let folder = try folder(
      rating: 3, models: models,
      waltz: ", cover: 0x\(String(repeating: "ab", count: 120_000))")
    let songs = Self.songs.replacing(Self.models, with: models)
    try folder.write(songs, to: "Songs.scenario.yaml")
    let result = try adopt(folder)
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("after.sqlite: error: Song.cover of x-coredata://"))
    #expect(try text(folder) == songs)
    try folder.write(
      songs.replacing("chain:", with: "store: before.sqlite\ndevice: after.sqlite\nchain:"),
      to: "Songs.scenario.yaml")
    let run = try Tool.run(["run", "--backend", "sqlite", "Songs.scenario.yaml"], in: folder)
    #expect(run.status == 1)
    #expect(
      run.output.contains(
        """
            Songs.scenario.yaml:7:9: the device's store, Song.cover
              expected  values to compare with
              found     1 value is in files that are missing from .after_SUPPORT/_EXTERNAL_DATA
              what can't be read reads as nil, or as something else; to accept that:
              accept: [{ finding: missing-external-file, because: … }]

        """), "\(run.output)")
  }
}
