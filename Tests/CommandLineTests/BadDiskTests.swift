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
    for arguments in [
      ["compare", "--old", ".", "--new", ".", "--models", "App.xcdatamodeld", field.store],
      ["diff", field.store, field.store],
      ["inspect", field.store, "--models", "App.xcdatamodeld"],
      ["migrate", field.store, "--models", "App.xcdatamodeld", "-o", "new.sqlite"],
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
