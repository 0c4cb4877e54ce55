import Foundation
import TestSupport
import Testing

/// Policies that nobody named, since they are beside the model, and that don't compile.
@Suite(.tags(.process, .compiles), .tiered)
struct PoliciesBesideTests {
  /// A store of App, which goes to App 2, and a mapping model with a faulty policy for a step.
  private func field(from source: String, to destination: String) throws -> FieldStore {
    let field = try FieldStore()
    try FieldStore.write(
      version: "App 3",
      FieldStore.book("optional=\"YES\"").replacing(
        "<attribute name=\"cover\" optional=\"YES\" attributeType=\"Binary\"/>\n", with: ""),
      field.folder)
    let text = MappingFileText.of(
      "Book", from: source, to: destination, in: "App",
      fields: """
        <attribute name="name" type="string">BookToBook</attribute>
        <attribute name="migrationpolicyclassname" type="string">App.BookPolicy</attribute>
        """)
    try field.folder.write(text, to: "Books.xcmappingmodel/xcmapping.xml")
    try field.folder.write(
      "import CoreData\nclass BookPolicy: NSEntityMigrationPolicy { let it = Missing() }\n",
      to: "BookPolicy.swift")
    return field
  }

  private func migrate(_ field: FieldStore, _ options: String...) throws -> Tool.Result {
    try Tool.run(
      ["migrate", field.store, "--models", "App.xcdatamodeld", "-o", "new.sqlite"] + options,
      in: field.folder)
  }

  @Test func aStatusOfAMigrationIsThatOfNamedPolicies() throws {
    let field = try field(from: "App", to: "App 2")
    let found = try migrate(field)
    #expect(found.status == 2, "\(found)")
    #expect(found.output.contains("cannot find 'Missing' in scope"), "\(found)")
    #expect(found.output.hasSuffix("the migration failed; nothing was written\n"), "\(found)")
    let named = try migrate(field, "--policies", "BookPolicy.swift", "--module", "App")
    #expect(named.status == 2, "\(named)")
    #expect(named.errors.contains("cannot find 'Missing' in scope"), "\(named)")
    #expect(!field.exists("new.sqlite"))
  }

  @Test func stubsOfWhatIsMissingAreWrittenWhereTheyAreAskedFor() throws {
    let field = try field(from: "App", to: "App 2")
    let result = try migrate(
      field, "--policies", "BookPolicy.swift", "--module", "App", "--stub-missing", "Stubs")
    #expect(result.status == 2, "\(result)")
    #expect(
      result.errors.contains("Stubs/AppMissing.swift was written, with Missing:"), "\(result)")
    #expect(try field.text("Stubs/AppMissing.swift").contains("open class Missing {"))
    #expect(!field.exists("new.sqlite"))
  }

  @Test func aStoreThatTheirStepIsNoPartOfIsCapturedWithoutThem() throws {
    let field = try field(from: "App 2", to: "App 3")
    #expect(try migrate(field).status == 0)
    let result = try field.run(
      "capture", "--models", "App.xcdatamodeld", "-o", "Report", field.store)
    try #require(result.status == 0, "\(result)")
    #expect(
      result.errors.contains(
        "policies beside the model left out, since no step of the store needs them and not all compile: "
          + "BookPolicy.swift\n"), "\(result)")
    #expect(try !field.text("Report/Captured.scenario.yaml").contains("policies:"))
    let run = try field.run("run", "Report")
    #expect(run.status == 0, "\(run)")
  }

  @Test func aStoreBeforeTheirStepIsNotCaptured() throws {
    let field = try field(from: "App", to: "App 2")
    let result = try field.run(
      "capture", "--models", "App.xcdatamodeld", "-o", "Report", field.store)
    #expect(result.status == 2, "\(result)")
    #expect(result.errors.contains("cannot find 'Missing' in scope"), "\(result)")
    #expect(!field.exists("Report"))
  }
}
