import Foundation
import TestSupport
import Testing

/// Files of a person's that commands write: nothing of them is lost, and links and modes stay.
@Suite(.tags(.process), .tiered)
struct PersonsFilesTests {
  private func mode(_ url: URL) -> mode_t {
    var facts = stat()
    return lstat(url.path, &facts) == 0 ? facts.st_mode : 0
  }

  private func green() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(LibraryScenario.passing, to: "Green.scenario.yaml")
    return folder
  }

  @Test(arguments: [
    ["--json=r.json"], ["--json=r.json", "--no-cache"], ["--json", "r.json", "--no-cache"],
    ["--json=r.json", "--junit=j.xml"],
  ])
  func aReportGoesIntoTheFileBehindTheSign(_ options: [String]) throws {
    let folder = try green()
    let run = try Tool.run(
      ["run", "Green.scenario.yaml", "--backend", "memory"] + options, in: folder)
    #expect(run.status == 0, "\(run)")
    #expect(run.output.contains("1 scenario, 1 run: 1 passed"), "\(run)")
    #expect(try folder.text("r.json").contains("\"exitStatus\""))
  }

  @Test func aProjectFilesReportGoesIntoItsFile() throws {
    let folder = try green()
    try folder.write("defaults:\n  run: { json: r.json, jobs: 2 }\n", to: "heavyweight.yaml")
    let run = try Tool.run(["run", "Green.scenario.yaml", "--backend", "memory"], in: folder)
    #expect(run.status == 0 && run.output.contains("1 passed"), "\(run)")
    #expect(try folder.text("r.json").contains("\"exitStatus\""))
  }

  @Test func linksModesAndEndsOfLinesStay() throws {
    let field = try FieldStore()
    let folder = field.folder
    try folder.write(
      "\u{FEFF}accepted:\r\n  - rule: removed-property\r\n    entity: Nobody\r\n    reason: mine\r\n",
      to: "shared/check.yaml")
    let second = "App.xcdatamodeld/App 2.xcdatamodel/contents"
    try folder.write(
      try folder.text(second).replacing("name=\"note\"", with: "name=\"remark\""), to: second)
    _ = try field.run("lock", "App.xcdatamodeld")
    let lock = folder.url.appending(path: "App.xcdatamodeld.lock.json")
    let shared = folder.url.appending(path: "shared/lock.json")
    try FileManager.default.moveItem(at: lock, to: shared)
    try folder.write(
      try folder.text("shared/lock.json").replacing("\"App 2\"", with: "\"App 3\""),
      to: "shared/lock.json")
    for name in ["check.yaml", "lock.json"] {
      chmod(folder.url.appending(path: "shared/" + name).path, 0o640)
    }
    symlink("shared/lock.json", lock.path)
    symlink("shared/check.yaml", folder.url.appending(path: ".heavyweight-check.yaml").path)
    _ = try field.run("check", "App.xcdatamodeld", "--strict", "--accept", "Known")
    _ = try field.run("lock", "App.xcdatamodeld")
    #expect(mode(lock) & S_IFMT == S_IFLNK)
    #expect(
      mode(folder.url.appending(path: ".heavyweight-check.yaml")) & S_IFMT == S_IFLNK)
    #expect(mode(shared) & 0o777 == 0o640)
    #expect(mode(folder.url.appending(path: "shared/check.yaml")) & 0o777 == 0o640)
    #expect(try !folder.text("shared/lock.json").contains("\"App 3\""))
    let list = try Data(contentsOf: folder.url.appending(path: "shared/check.yaml"))
    let text = try #require(String(validating: list, as: UTF8.self))
    #expect(text.hasPrefix("\u{FEFF}accepted:\r\n") && text.contains("mine"), "\(text)")
    #expect(text.contains("Known") && !text.contains { $0 == "\n" }, "\(text)")
  }

  @Test func aFileWithAMarkOfItsEncodingIsUpdated() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("\u{FEFF}" + LibraryScenario.failing, to: "Marked.scenario.yaml")
    let result = try Tool.run(
      script: "CI= \"$0\" run . --update", [Tool.executable().path], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(
      try Data(contentsOf: file) == Data(("\u{FEFF}" + LibraryScenario.passing).utf8), "\(result)")
  }

  @Test func twoCallsOfInitMakeOneScenario() throws {
    let field = try FieldStore()
    let both = try Tool.run(
      script: "\"$0\" \"$@\" & \"$0\" \"$@\"; echo \"$?\"; wait $!; echo \"$?\"; ls -A out",
      [try Tool.executable().path, "init", "App.xcdatamodeld", "out"], in: field.folder)
    let lines = both.output.split(separator: "\n")
    #expect(lines.filter { $0 == "0" }.count == 1, "\(both)")
    #expect(lines.filter { $0 == "2" }.count == 1, "\(both)")
    #expect(
      lines.filter { $0.hasSuffix(".scenario.yaml") && !$0.contains(" ") }.count == 1, "\(both)")
    #expect(!both.output.contains("heavyweight-"), "\(both)")
  }

  @Test func aReducedScenarioIsAsPrivateAsItsRows() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(ReduceCommandTests.tags, to: "Tags.scenario.yaml")
    chmod(file.path, 0o600)
    let result = try Tool.run(
      ["reduce", "Tags.scenario.yaml", "-o", "Small.scenario.yaml"], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(mode(folder.url.appending(path: "Small.scenario.yaml")) & 0o777 == 0o600)
  }

  @Test func whatAppearsWhereAScenarioIsReducedToStays() throws {
    let folder = try TemporaryFolder()
    try folder.write(ReduceCommandTests.tags, to: "Tags.scenario.yaml")
    let result = try Tool.run(
      script: """
        "$0" "$@" & reduce=$!
        while [ ! -e Small.scenario.yaml ]; do sleep 0.01; done; echo precious >Small.scenario.yaml
        wait $reduce; echo "status $?"
        """,
      [try Tool.executable().path, "reduce", "Tags.scenario.yaml", "-o", "Small.scenario.yaml"],
      in: folder)
    // It was late where it hadn't anything smaller to write.
    #expect(try folder.text("Small.scenario.yaml") == "precious\n", "\(result)")
    if result.output.contains("status 2") {
      #expect(result.errors.contains("it was changed in the meantime"), "\(result)")
    }
  }

  @Test func whatAppearsAtAResultsPlaceStays() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      scenario: Slow
      models:
        v1: { Doc: { title: string } }
        v2: { Doc: { title: string, more: string? } }
      policies: { module: App, sources: P.swift }
      seed: { Doc: [{ title: one }] }
      chain: [{ v1 -> v2: { DocToDoc: { source: Doc, destination: Doc, policy: App.P } } }]
      expect: [{ count: { Doc: 1 } }]
      """, to: "Slow.scenario.yaml")
    try folder.write(
      """
      import CoreData
      final class P: NSEntityMigrationPolicy {
        override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
          if let place = ProcessInfo.processInfo.environment["APPEARS"] {
            try Data("precious".utf8).write(to: URL(fileURLWithPath: place))
          }
        }
      }

      """, to: "P.swift")
    let made = try Tool.run(
      ["run", "Slow.scenario.yaml", "--backend", "sqlite", "--keep", "kept", "--start", "v1"],
      in: folder)
    #expect(made.status == 0, "\(made)")
    let seed = try Tool.run(
      script: "sed '/^policies/d;/^chain/d' Slow.scenario.yaml > Seed.scenario.yaml; \"$0\" \"$@\"",
      [
        try Tool.executable().path, "run", "Seed.scenario.yaml", "--backend", "sqlite", "--keep",
        "kept",
      ],
      in: folder)
    #expect(seed.status == 0, "\(seed)")
    for name in ["out.sqlite", "note.txt", ".out_SUPPORT"] {
      let output = name.hasSuffix("SUPPORT") ? "out.sqlite" : name
      let place = folder.url.appending(path: name)
      defer { unlink(place.path) }
      let result = try Tool.run(
        script: "export APPEARS=\"$PWD/\(name)\"; \"$0\" \"$@\"",
        [
          try Tool.executable().path, "migrate", "kept/Seed.v1.run/store.sqlite", "--scenario",
          "Slow.scenario.yaml", "-o", output,
        ], in: folder)
      #expect(result.status == 2, "\(name): \(result)")
      #expect(result.output.contains("something has come to be there meanwhile"), "\(result)")
      #expect(result.output.hasSuffix("the migration failed; nothing was written\n"), "\(result)")
      #expect(try folder.text(name) == "precious", "\(result)")
    }
    for (name, options) in [
      ("r.json", ["run", "--json", "r.json"]), ("j.xml", ["run", "--junit", "j.xml"]),
      ("page/index.html", ["run", "--html", "page"]),
      ("s.json", ["bench", "--save", "s.json", "--samples", "1", "--warmup", "0"]),
    ] {
      let place = folder.url.appending(path: name)
      let result = try Tool.run(
        script: "mkdir -p page; export APPEARS=\"$PWD/\(name)\"; \"$0\" \"$@\"",
        [try Tool.executable().path, options[0], "Slow.scenario.yaml", "--backend", "memory"]
          + options.dropFirst(), in: folder)
      #expect(result.status == 7, "\(name): \(result)")
      #expect(
        result.errors.hasSuffix(
          "\(name): error: can't write the report: a file that is no report of this tool has appeared there, and is "
            + "not overwritten\n"), "\(result)")
      #expect(try folder.text(name) == "precious", "\(result)")
      unlink(place.path)
    }
  }
}

/// A command that is killed takes what it started along.
@Suite(.tags(.process, .compiles), .tiered)
struct KilledCommandTests {
  @Test(arguments: [
    ["bench", "--samples", "1", "--warmup", "0", "--backend", "sqlite"], ["run", "--no-cache"],
    ["mutate", "--state", "state"], ["crash", "--at", "1"],
  ])
  func aKilledCommandLeavesNoProcess(_ call: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      scenario: Slow
      models:
        v1: { Doc: { title: string } }
        v2: { Doc: { title: string, more: string? } }
      policies: { module: App, sources: P.swift }
      seed: { Doc: [{ .count: 3, title: one }] }
      chain: [{ v1 -> v2: { DocToDoc: { source: Doc, destination: Doc, policy: App.P } } }]
      expect: [{ count: { Doc: 3 } }]
      """, to: "Slow.scenario.yaml")
    try folder.write(
      """
      import CoreData
      final class P: NSEntityMigrationPolicy {
        override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
          try Data().write(to: URL(fileURLWithPath: ProcessInfo.processInfo.environment["STARTED"]!))
          sleep(300)
        }
      }

      """, to: "P.swift")
    let result = try Tool.run(
      script: """
        mkdir tmp; export TMPDIR="$PWD/tmp" STARTED="$PWD/started"
        "$0" "$@" >/dev/null 2>&1 & command=$!
        for i in $(seq 900); do [ -e started ] && break; sleep 0.1; done
        ls started; kill -9 $command; wait $command
        left() { env -u TMPDIR grep -lsz "^TMPDIR=$PWD/tmp" /proc/[0-9]*/environ; }
        for i in $(seq 100); do [ -n "$(left)" ] || break; sleep 0.1; done
        left; echo over
        """,
      [try Tool.executable().path, call[0], "Slow.scenario.yaml"] + call.dropFirst(), in: folder)
    #expect(result.output == "started\nover\n", "\(result)")
  }
}

extension TemporaryFolder {
  fileprivate func text(_ path: String) throws -> String {
    try String(contentsOf: url.appending(path: path), encoding: .utf8)
  }
}
