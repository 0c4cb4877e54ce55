import Foundation
import TestSupport
import Testing

/// `heavyweight reduce`: a few rows that fail as many did.
@Suite(.serialized) struct ReduceCommandTests {
  /// A fault that one row of many has: a required note, where one book has none.
  private func scenario(rows: Int, at fault: Int) -> String {
    let books = (1...rows).map {
      $0 == fault
        ? "    - { id: b\($0), title: Book \($0), shelf: s1 }  # lent out"
        : "    - { id: b\($0), title: Book \($0), note: read, shelf: s\($0 % 2 + 1) }"
    }
    return """
      # Kept by the library.
      scenario: Notes become required
      about: Every book has one by now.
      models:
        v1:
          Book: { title: string, note: string?, shelf: Shelf? <-> books }
          Shelf: { place: string, books: "[Book] <-> shelf" }
        v2:
          Book: { title: string, note: string, shelf: Shelf? <-> books }
          Shelf: { place: string, books: "[Book] <-> shelf" }
        v3:
          .rest: copy
          Reader: { name: string }
      seed:
        Shelf:
          - { id: s1, place: Attic }
          - { id: s2, place: Cellar }
        Book:
      \(books.joined(separator: "\n"))
      chain:
        - v1 -> v2
        - v2 -> v3
      expect:
        - count: { Book: \(rows) }
        - everySourceMigrated: true

      """
  }

  @Test func findsTheRowThatFailsAndKeepsTheStory() throws {
    let folder = try TemporaryFolder()
    try folder.write(scenario(rows: 60, at: 41), to: "Notes.scenario.yaml")
    let result = try Tool.run(["reduce", "Notes.scenario.yaml"], in: folder)
    try #require(result.status == 0, "\(result)")
    #expect(
      result.output.hasPrefix(
        """
        wrote Notes.reduced.scenario.yaml
          1 of 62 rows, 1 of 2 expectations, 1 of 2 hops
          it still fails: v1 -> v2, validation, Book.note, the chain: expected no error, found NSCocoaErrorDomain 134110: \
        Cannot migrate store in-place\

        """), "\(result.output)")
    let text = try String(
      contentsOf: folder.url.appending(path: "Notes.reduced.scenario.yaml"), encoding: .utf8)
    let body = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
      .joined(separator: "\n")
    #expect(
      text.hasPrefix(
        "# Reduced by `heavyweight reduce` from Notes.scenario.yaml: 1 of 62 rows are left.\n"))
    #expect(
      body == """
        # Kept by the library.
        scenario: Notes become required
        about: Every book has one by now.
        models:
          v1:
            Book: { title: string, note: string?, shelf: Shelf? <-> books }
            Shelf: { place: string, books: "[Book] <-> shelf" }
          v2:
            Book: { title: string, note: string, shelf: Shelf? <-> books }
            Shelf: { place: string, books: "[Book] <-> shelf" }
          v3:
            .rest: copy
            Reader: { name: string }
        seed:
          Book:
            - { title: Book 41 }
        chain:
          - v1 -> v2
        expect:
          - everySourceMigrated: true

        """, "\(text)")
    let run = try Tool.run(["run", "Notes.reduced.scenario.yaml"], in: folder)
    #expect(run.status == 1)
    #expect(run.output.contains("134110"), "\(run.output)")
  }

  @Test func objectsMadeByRuleBecomeRows() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      scenario: Names come once
      models:
        v1: { Tag: { name: string } }
        v2: { Tag: { name: string, kind: string? } }
      seed:
        Tag: { .count: 40, name: { sequence: "tag {n:3}" } }
      chain: [v1 -> v2]
      expect:
        - none: Tag where name == "tag 017"

      """, to: "Tags.scenario.yaml")
    let result = try Tool.run(
      ["reduce", "Tags.scenario.yaml", "-o", "Small.scenario.yaml"], in: folder)
    try #require(result.status == 0, "\(result)")
    let text = try String(
      contentsOf: folder.url.appending(path: "Small.scenario.yaml"), encoding: .utf8)
    #expect(text.contains("seed:\n  Tag:\n    - { name: tag 017 }\nchain:"), "\(text)")
  }

  @Test func whenTheTimeIsOverTheSmallestSoFarIsThereAndTheSameCallGoesOn() throws {
    let folder = try TemporaryFolder()
    try folder.write(scenario(rows: 20, at: 5), to: "Notes.scenario.yaml")
    let short = try Tool.run(["reduce", "Notes.scenario.yaml", "--time", "0.01s"], in: folder)
    try #require(short.status == 0, "\(short)")
    #expect(short.output.contains("; the time is over, and the same call goes on from here\n"))
    let file = folder.url.appending(path: "Notes.reduced.scenario.yaml")
    #expect(try String(contentsOf: file, encoding: .utf8).contains("Book 20"))
    let whole = try Tool.run(["reduce", "Notes.scenario.yaml"], in: folder)
    #expect(whole.output.contains("\n  1 of 22 rows, "), "\(whole)")
    #expect(try String(contentsOf: file, encoding: .utf8).contains("    - { title: Book 5 }\n"))
  }

  @Test func whatPassesIsntReduced() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      scenario(rows: 3, at: 0), to: "Notes.scenario.yaml")
    let result = try Tool.run(["reduce", "Notes.scenario.yaml"], in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors
        == "Notes.scenario.yaml: error: it passes, so that there is no failure to keep\n")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [
        "Notes.scenario.yaml"
      ])
  }

  @Test func theResultStaysBesideTheScenario() throws {
    let folder = try TemporaryFolder()
    try folder.write(scenario(rows: 3, at: 2), to: "Notes.scenario.yaml")
    try folder.write("mine", to: "Taken.scenario.yaml")
    let elsewhere = try Tool.run(
      ["reduce", "Notes.scenario.yaml", "-o", "Small/Notes.scenario.yaml"], in: folder)
    #expect(elsewhere.status == 2)
    #expect(elsewhere.errors.contains("the result goes into the folder of the scenario"))
    let taken = try Tool.run(
      ["reduce", "Notes.scenario.yaml", "-o", "Taken.scenario.yaml"], in: folder)
    #expect(taken.status == 2)
    #expect(taken.errors.contains("nothing is overwritten"))
  }
}
