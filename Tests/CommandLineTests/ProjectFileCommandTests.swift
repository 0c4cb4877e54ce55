import Foundation
import TestSupport
import Testing

/// Commands in a folder below a project file.
@Suite(.tags(.process), .tiered) struct ProjectFileCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let tags = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Scenarios/Tags").standardizedFileURL
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "App"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: tags.appending(path: "Locations.xcdatamodeld"),
      to: folder.url.appending(path: "App/Locations.xcdatamodeld"))
    try folder.write(
      """
      models: App/Locations.xcdatamodeld
      defaults:
        run: { backend: sqlite, json: build.json }
        check: { strict: true }

      """, to: "heavyweight.yaml")
    try folder.write(
      """
      scenario: A place stays
      seed:
        Event: [{ id: a, timestamp: 2012-12-25, latitude: 1, longitude: 2, tags: x }]
      expect:
        - count: { Event: 1 }

      """, to: "Tests/a.scenario.yaml")
  }

  @Test func scenariosTakeTheModelAndRunTheDefaults() throws {
    let result = try Tool.run(["run", "Tests", "--verbose"], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("no step to execute  sqlite"))
    #expect(
      result.errors == "project file heavyweight.yaml, --backend=sqlite, --json=build.json\n")
    #expect(
      FileManager.default.fileExists(atPath: folder.url.appending(path: "build.json").path))
    let typed = try Tool.run(["run", "Tests", "--backend", "memory"], in: folder)
    #expect(typed.output.contains("no step to execute  memory"))
  }

  @Test func commandsTakeTheModelAndSayIt() throws {
    let check = try Tool.run(["check"], in: folder)
    // Strict by default: a removed property fails.
    #expect(check.status == 1)
    #expect(check.errors == "model App/Locations.xcdatamodeld, from heavyweight.yaml\n")
    #expect(try Tool.run(["lock"], in: folder).status == 0)
    #expect(
      FileManager.default.fileExists(
        atPath: folder.url.appending(path: "App/Locations.xcdatamodeld.lock.json").path))
  }

  @Test func smokeAndCaptureTakeTheModelToo() throws {
    let told = "model App/Locations.xcdatamodeld, from heavyweight.yaml\n"
    let smoke = try Tool.run(["smoke"], in: folder)
    #expect(smoke.errors.hasPrefix(told), "\(smoke)")
    #expect(smoke.output.hasPrefix("App/Locations.xcdatamodeld: "), "\(smoke)")
    _ = try Tool.run(["run", "Tests", "--keep", "kept"], in: folder)
    let kept = try FileManager.default.subpathsOfDirectory(
      atPath: folder.url.appending(path: "kept").path)
    let store = "kept/" + (try #require(kept.first { $0.hasSuffix(".sqlite") }))
    let capture = try Tool.run(["capture", store, "-o", "Report"], in: folder)
    #expect(capture.status == 0, "\(capture)")
    #expect(capture.errors.hasPrefix(told), "\(capture)")
    #expect(
      FileManager.default.fileExists(
        atPath: folder.url.appending(path: "Report/Captured.scenario.yaml").path))
  }

  @Test func reportTakesItsDefaultsToo() throws {
    try folder.write(
      """
      models: App/Locations.xcdatamodeld
      defaults: { run: { json: build.json }, report: { html: page } }

      """, to: "heavyweight.yaml")
    let run = ["run", "Tests", "--backend", "memory", "--shard", "1/1"]
    #expect(try Tool.run(run, in: folder).status == 0)
    #expect(try Tool.run(["report", "build.json"], in: folder).status == 0)
    #expect(
      FileManager.default.fileExists(atPath: folder.url.appending(path: "page/index.html").path))
  }

  @Test func aMistakeInItEndsEveryCommand() throws {
    try folder.write("defaults: { run: { jobs: many } }\n", to: "heavyweight.yaml")
    let result = try Tool.run(["run", "Tests"], in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors == """
        heavyweight.yaml:1:26: error: The value 'many' is invalid for '--jobs <number>'
          1 | defaults: { run: { jobs: many } }
            |                          ^~~~

        """)
  }

  @Test func withoutModelTheProjectFileIsNamed() throws {
    try folder.write("{}\n", to: "heavyweight.yaml")
    let result = try Tool.run(["check"], in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors.hasPrefix(
        "Error: Missing expected argument '<model>'; a project file, heavyweight.yaml, could name it, too.\n"
      ))
  }
}
