import Foundation
import TestSupport
import Testing

/// What `heavyweight compare` does when somebody has seen enough.
@Suite(.tags(.process, .compiles), .tiered) struct CompareInterruptionTests {
  /// An app whose policy doesn't come back from a book called `hold`.
  private func app() throws -> SmokeApp {
    let title = "<attribute name=\"title\" attributeType=\"String\" optional=\"YES\"/>"
    let book = "<entity name=\"Book\" syncable=\"YES\">\(title)</entity>"
    let app = try SmokeApp(book, book + book.replacing("Book", with: "Extra"))
    try app.map([.init(entity: "Book", attributes: ["title"], policy: "App.HoldPolicy")])
    try app.folder.write(
      """
      import CoreData

      final class HoldPolicy: NSEntityMigrationPolicy {
        override func createDestinationInstances(
          forSource book: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
          if book.value(forKey: "title") as? String == "hold" {
            FileHandle(forWritingAtPath: ProcessInfo.processInfo.environment["HOLD_PIPE"]!)?
              .write(Data("x".utf8))
            while manager.migrationProgress >= 0 {}
          }
          try super.createDestinationInstances(forSource: book, in: mapping, manager: manager)
        }
      }
      """, to: "Policies.swift")
    for title in ["free", "hold"] {
      try app.folder.write(
        """
        scenario: A store
        models: { xcode: App.xcdatamodeld, versions: [App] }
        seed: { Book: [{ title: \(title) }] }
        expect: [count: { Book: 1 }]

        """, to: "\(title).scenario.yaml")
    }
    let made = try Tool.run(
      ["run", "free.scenario.yaml", "hold.scenario.yaml", "--backend", "sqlite", "--keep", "kept"],
      in: app.folder)
    try #require(made.status == 0, "\(made)")
    return app
  }

  @Test func whatWasComparedIsTold() throws {
    let script = """
      set -m; mkfifo pipe; export HOLD_PIPE="$PWD/pipe"
      "$0" compare --old . --new . --models App.xcdatamodeld --mappings Map.xcmappingmodel \
        --policies Policies.swift --module App kept/free.App.run/store.sqlite \
        kept/hold.App.run/store.sqlite >printed 2>complained &
      exec 3<>pipe; timeout 200 head -c 1 <&3 >/dev/null; exec 4<pipe 3<&-
      kill -INT $!; wait $!; echo "status $?"; cat printed complained
      """
    let result = try Tool.run(script: script, [try Tool.executable().path], in: app().folder)
    #expect(result.output.hasPrefix("status 130\n"), "\(result)")
    #expect(
      result.output.contains("✓ kept/free.App.run/store.sqlite  App 2: the same 1 object\n"),
      "\(result)")
    #expect(
      result.output.contains("\n1 of 2 stores compared, interrupted before the end\n"), "\(result)")
  }
}
