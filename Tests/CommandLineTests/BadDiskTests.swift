import Foundation
import TestSupport
import Testing

/// A disk that can't be read for a moment is nobody's verdict: SQLite calls the file damaged then.
@Suite(.tags(.process, .compiles), .tiered) struct BadDiskTests {
  private let field: FieldStore

  /// A library that has a read of a store's file fail: the one of that number in each process.
  init() throws {
    field = try FieldStore()
    try field.folder.write(
      """
      #define _GNU_SOURCE
      #include <errno.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <sys/syscall.h>
      #include <unistd.h>
      ssize_t pread64(int file, void *bytes, size_t count, off_t place) {
        static int done = 0;
        char link[40], path[1000] = "";
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        if (readlink(link, path, sizeof path - 1) > 0 && strstr(path, ".sqlite") && ++done == atoi(getenv("FAILS_AT"))) {
          errno = EIO;
          return -1;
        }
        return syscall(SYS_pread64, file, bytes, count, place);
      }
      /* What Foundation reads: every file whose path ends like this. */
      ssize_t read(int file, void *bytes, size_t count) {
        char link[40], path[1000] = "", *end = getenv("FAILS_OF");
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        if (end && readlink(link, path, sizeof path - 1) > 0 && strlen(path) >= strlen(end)
            && !strcmp(path + strlen(path) - strlen(end), end)) {
          errno = EIO;
          return -1;
        }
        return syscall(SYS_read, file, bytes, count);
      }
      ssize_t pread(int file, void *bytes, size_t count, off_t place) { return pread64(file, bytes, count, place); }
      """, to: "bad.c")
    let built = try Tool.run(
      script: "clang -shared -fPIC -o bad.so bad.c", [], in: field.folder)
    if built.status != 0 { try Test.cancel("needs a C compiler: \(built.errors)") }
  }

  private func run(_ arguments: [String], failingAt number: Int) throws -> Tool.Result {
    try Tool.run(
      script: "export FAILS_AT=\(number) LD_PRELOAD=\"$PWD/bad.so\"; \"$0\" \"$@\"",
      [try Tool.executable().path] + arguments, in: field.folder)
  }

  private func isUnjudged(_ result: Tool.Result) -> Bool {
    result.status == 8
      && (result.output + result.errors).contains("not judged: I/O error: ")
  }

  /// A mapping file or a policy that only the disk keeps from being read isn't passed over, and no model is broken.
  @Test(arguments: [
    ("contents", ["check", "App.xcdatamodeld"]), ("contents", ["lock", "App.xcdatamodeld"]),
    ("contents", ["smoke", "App.xcdatamodeld"]), ("contents", ["init", "App.xcdatamodeld", "new"]),
    (".xccurrentversion", ["check", "App.xcdatamodeld"]),
    ("xcmapping.xml", ["check", "App.xcdatamodeld"]),
    (
      "xcmapping.xml",
      ["migrate", "old.sqlite", "--models", "App.xcdatamodeld", "-o", "new.sqlite"]
    ),
    ("Fails.scenario.yaml", ["run", "Fails.scenario.yaml"]),
    ("Fails.scenario.yaml", ["run", "--list", "Fails.scenario.yaml"]),
    ("Fails.scenario.yaml", ["mutate", "Fails.scenario.yaml"]),
    ("Fails.scenario.yaml", ["reduce", "Fails.scenario.yaml"]),
    ("P.swift", ["run", "Fails.scenario.yaml"]),
    ("heavyweight.yaml", ["check", "App.xcdatamodeld"]),
  ])
  func aFileThatOnlyTheDiskKeepsIsNotJudged(_ file: String, _ call: [String]) throws {
    try field.folder.write(
      """
      scenario: Fails
      models:
        v1: { Song: { title: string } }
        v2: { Song: { title: string, note: string? } }
      policies: { module: App, sources: P.swift }
      seed: { Song: [{ title: one }] }
      chain: [{ v1 -> v2: { SongToSong: { source: Song, destination: Song, policy: App.P } } }]
      expect: [{ count: { Song: 2 } }]

      """, to: "Fails.scenario.yaml")
    try field.folder.write(
      "import CoreData\nclass P: NSEntityMigrationPolicy {}\n", to: "P.swift")
    try field.folder.write("defaults: { run: { jobs: 2 } }\n", to: "heavyweight.yaml")
    try field.folder.write("<xcmapping/>\n", to: "Some.xcmappingmodel/xcmapping.xml")
    let result = try Tool.run(
      script: "export FAILS_AT=0 FAILS_OF=\"$0\" LD_PRELOAD=\"$PWD/bad.so\"; \"$@\"",
      [file, try Tool.executable().path] + call, in: field.folder)
    #expect(result.status == 8, "\(result)")
    #expect(
      (result.output + result.errors).contains("not judged: I/O error: Input/output error"),
      "\(result)")
  }

  @Test func nothingWeakerIsCaptured() throws {
    let arguments = ["capture", field.store, "--models", "App.xcdatamodeld", "-o"]
    #expect(try run(arguments + ["Good"], failingAt: 0).status == 0)
    func text(_ name: String) throws -> String {
      try String(
        contentsOf: field.folder.url.appending(path: "\(name)/Captured.scenario.yaml"),
        encoding: .utf8)
    }
    var unjudged = 0
    for number in stride(from: 1, through: 200, by: 9) {
      let result = try run(arguments + ["Bad\(number)"], failingAt: number)
      if isUnjudged(result) {
        unjudged += 1
      } else {
        #expect(result.status == 0, "\(number): \(result)")
        #expect(try text("Bad\(number)") == text("Good"), "\(number): \(result)")
      }
    }
    #expect(unjudged > 5)
  }

  /// Neither that the store's own model is no use is a finding, nor that the store fits no version.
  @Test(arguments: [[], ["--from-store-model"]])
  func aModelInTheStoreThatCannotBeReadIsNotJudged(_ options: [String]) throws {
    try field.folder.write(
      "<model><entity name=\"Shelf\"/></model>", to: "Only.xcdatamodeld/Only.xcdatamodel/contents")
    let arguments =
      ["migrate", field.store, "--models", "Only.xcdatamodeld", "-o", "new.sqlite"] + options
    let good = try run(arguments, failingAt: 0)
    #expect(good.status == (options.isEmpty ? 1 : 0), "\(good)")
    var unjudged = 0
    for number in 1...40 {
      try? FileManager.default.removeItem(at: field.folder.url.appending(path: "new.sqlite"))
      let result = try run(arguments, failingAt: number)
      #expect([good.status, 8].contains(result.status), "\(number): \(result)")
      if result.status == 8 { unjudged += 1 }
      if result.status == 1 { #expect(result.output == good.output, "\(number)") }
    }
    #expect(unjudged > 5)
  }

  /// What a read error is told by, of a store's damage or of one that can't be opened.
  @Test(arguments: [134180, 134080, 259])
  func itIsNoErrorThatIsExpected(_ code: Int) throws {
    try field.folder.write(
      """
      scenario: Fails
      models:
        v1: { Song: { title: string } }
        v2: { Song: { title: string, note: string? } }
      seed: { Song: [{ title: one }] }
      chain: [{ v1 -> v2: { SongToSong: { source: Song, destination: Song } } }]
      expect: [{ fails: { code: \(code) } }]

      """, to: "Fails.scenario.yaml")
    var unjudged = 0
    for number in 1...30 {
      let result = try run(
        ["run", "Fails.scenario.yaml", "--backend", "sqlite", "--no-cache"], failingAt: number)
      #expect(result.status == 1 || result.status == 8, "\(number): \(result)")
      if result.status == 8 { unjudged += 1 }
    }
    #expect(unjudged > 5)
  }

  @Test func noComparisonAndNoInspectionJudges() throws {
    try field.folder.write(LibraryScenario.passing, to: "Library.scenario.yaml")
    for arguments in [
      ["compare", "--old", ".", "--new", ".", "--models", "App.xcdatamodeld", field.store],
      ["diff", field.store, field.store],
      ["inspect", field.store, "--models", "App.xcdatamodeld"],
      ["migrate", field.store, "--models", "App.xcdatamodeld", "-o", "new.sqlite"],
      ["crash", "Library.scenario.yaml", "--at", "1", "--faults", "kill"],
      [
        "bench", "Library.scenario.yaml", "--backend", "sqlite", "--samples", "1", "--warmup", "0",
      ],
    ] {
      var unjudged = 0
      for number in stride(from: 2, through: 40, by: 4) {
        let result = try run(arguments, failingAt: number)
        try? FileManager.default.removeItem(at: field.folder.url.appending(path: "new.sqlite"))
        #expect([0, 8].contains(result.status), "\(arguments) \(number): \(result)")
        if result.status == 8 { unjudged += 1 }
      }
      #expect(unjudged > 1, "\(arguments)")
    }
  }
}
