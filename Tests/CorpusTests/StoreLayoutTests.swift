import Foundation
import TestSupport
import Testing

/// The checker of Core Data's layout, by which the tests of migrations look at their results.
@Suite(.enabled(if: Corpus.isPresent, Corpus.absenceMessage))
struct StoreLayoutTests {
  @Test func theLayoutOfMigratedStoresIsChecked() throws {
    let folder = try TemporaryFolder()
    let store = folder.url.appending(path: "store.sqlite")
    try FileManager.default.copyItem(
      at: try Corpus.url("posts/stores/CoreDataMigration_Example_1.sqlite"), to: store)
    let model = try Corpus.url(
      "posts/CoreDataMigration_Example.xcdatamodeld/CoreDataMigration_Example.xcdatamodel")
    let call = ["--strict", "--rows", model.path, store.path]
    #expect(try FormatChecker.output(call).hasSuffix("1 of 1 stores pass\n"))
    try FormatChecker.damage(store, by: "UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
    let output = try FormatChecker.output(call)
    #expect(output.contains("ERROR") && output.hasSuffix("0 of 1 stores pass\n"), "\(output)")
  }
}
