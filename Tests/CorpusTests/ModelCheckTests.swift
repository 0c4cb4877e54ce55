import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// `heavyweight check` on the models of public apps.
@Suite(.enabled(if: Corpus.isPresent, Corpus.absenceMessage), .tags(.corpus), .tiered)
struct ModelCheckTests {
  private func check(_ model: String, mappings: String? = nil) throws -> ModelCheckReport {
    let path = try Corpus.url(model).path
    let folders = try mappings.map { ["--mappings", try Corpus.url($0).path] } ?? []
    return try CheckCommand.parse([path] + folders).report(on: [path])
  }

  private func text(_ report: ModelCheckReport) -> String {
    report.text(style: TextStyle(isColoured: false))
  }

  @Test func bookMigrationsMappingModelsAreMatchedToTheirSteps() throws {
    let report = try check("bookmigration/Model.xcdatamodeld", mappings: "bookmigration")
    #expect(
      text(report) == """
        Model.xcdatamodeld: 3 versions, current Model3
        in order by the mapping file Model1_to_Model2.xcmappingmodel (Model1 -> Model2), by the mapping file Model2_to_Model3.xcmappingmodel (Model2 -> Model3)

          version  to the next                                        to Model3
          Model1   mapped by Model1_to_Model2                         lightweight
          Model2   mapped by Model2_to_Model3_User, Model2_to_Model3  mapped by Model2_to_Model3
          Model3                                                      current

        error: Model2 -> Model3: Model2_to_Model3_User, Model2_to_Model3 fit: by itself, Core Data uses only one of them; Model2_to_Model3_User runs before Model2_to_Model3, whose File.user leads to the User that it makes [several-mappings]
            do: Merge them into one mapping model, unless the app runs them one by one, in this order.
        warning: Model1: the way to Model3 in one step is inferred: Model1_to_Model2, Model2_to_Model3_User, Model2_to_Model3 don't run [direct-skips-mapping]
            do: Migrate version by version; opening the store migrates in one step. If the app already does so, use --progressive.
        note: Model1 -> Model2: User.books: delete rule was Nullify and is Cascade [delete-rule-changed]
        note: Model1 ... Model2: Book.fileURL: is archived without secure coding [insecure-transformer]
            do: Use NSSecureUnarchiveFromData, or a subclass of it.
        note: Model3: File.fileURL: is archived without secure coding [insecure-transformer]
            do: Use NSSecureUnarchiveFromData, or a subclass of it.

        1 error, 1 warning, 3 notes

        """)
    #expect(report.exitStatus == .failed)
  }

  @Test func postsNeedsItsMappingModelOnlyVersionByVersion() throws {
    let report = try check("posts/CoreDataMigration_Example.xcdatamodeld", mappings: "posts")
    let name = "CoreDataMigration_Example"
    #expect(
      text(report) == """
        \(name).xcdatamodeld: 4 versions, current \(name) 4
        in order by the numbers in the names (\(name) -> \(name) 2 and 1 more), by the mapping file Migration2to3ModelMapping.xcmappingmodel (\(name) 2 -> \(name) 3)

          version                      to the next                          to \(name) 4
          \(name)    lightweight                          lightweight
          \(name) 2  mapped by Migration2to3ModelMapping  lightweight
          \(name) 3  lightweight                          lightweight
          \(name) 4                                       current

        warning: \(name) ... \(name) 2: the way to \(name) 4 in one step is inferred: Migration2to3ModelMapping doesn't run [direct-skips-mapping]
            do: Migrate version by version; opening the store migrates in one step. If the app already does so, use --progressive.
        note: \(name) 3 -> \(name) 4: Post.sections: delete rule was Cascade and is Nullify [delete-rule-changed]

        0 errors, 1 warning, 1 note

        """)
  }

  @Test func everyStepOfWooCommerceIsJudgedAsInferenceWould() throws {
    let model = try VersionedModel.load(
      contentsOf: Corpus.url("woocommerce/WooCommerce.xcdatamodeld"))
    // Without the mapping model that lies beside it.
    let report = try ModelCheck(model, mappings: MappingFolder()).run()
    #expect(report.model.versions.count == 117)
    #expect(report.steps.count == 116)
    #expect(report.direct.count == 116)
    for checked in report.steps + report.direct {
      let isInferable =
        (try? MappingModel.inferredMappingModel(
          forSourceModel: checked.source, destinationModel: checked.destination)) != nil
      #expect(
        checked.verdict.name == (isInferable ? "lightweight" : "impossible"),
        "\(checked.versions)")
    }
    #expect(report.steps.filter { $0.verdict.error != nil }.isEmpty)
    #expect(
      report.direct.filter { $0.verdict.error != nil }.map(\.versions.source)
        == ["Model 13", "Model 14"])
    #expect(
      report.findings.filter { $0.severity == .error }.map {
        "\($0.subject.step?.description ?? "") \($0.subject.property ?? "") \($0.rule.rawValue)"
      } == [
        // What the app's one mapping model is for.
        "Model 9 -> Model 10 statusKey required-without-default",
        "Model 32 -> Model 33 date required-without-default",
      ])
  }

  @Test func wooCommercesOneMappingModelIsMatchedToItsStep() throws {
    let report = try check("woocommerce/WooCommerce.xcdatamodeld", mappings: "woocommerce")
    let mapped = report.steps.filter(\.verdict.isMapped)
    #expect(mapped.map(\.versions.description) == ["Model 9 -> Model 10"])
    #expect(mapped.map(\.verdict.mappingNames) == [["WooCommerceModelV9toV10"]])
    #expect(report.direct.filter(\.verdict.isMapped).isEmpty)
    #expect(
      report.findings.filter { $0.rule == .directSkipsMapping }.map(\.subject.lastVersion)
        == ["Model 9"])
  }

  @Test func allOfWireIsLightweight() throws {
    let report = try check("wire/zmessaging.xcdatamodeld")
    #expect(report.model.versions.count == 90)
    #expect(report.steps.allSatisfy { $0.verdict.error == nil && !$0.verdict.isMapped })
    #expect(report.exitStatus == .passed)
    let unchanged = report.steps.filter { $0.verdict.name == "unchanged" }.map(
      \.versions.description)
    #expect(
      unchanged == [
        "zmessaging2.11 -> zmessaging2.15.0", "zmessaging2.15.0 -> zmessaging2.17.0",
        "zmessaging2.46.0 -> zmessaging2.47.0", "zmessaging2.64.0 -> zmessaging2.65.0",
        "zmessaging2.80.0 -> zmessaging2.81.0", "zmessaging2.83.0 -> zmessaging2.84.0",
      ])
    let events = try check("wire/ZMEventModel.xcdatamodeld")
    #expect(events.steps.allSatisfy { $0.verdict.error == nil })
  }

  @Test func aMappingModelsOldCopyOfAVersionIsNamed() throws {
    let folder = try TemporaryFolder()
    let copy = folder.url.appending(path: "App")
    try FileManager.default.copyItem(at: Corpus.url("bookmigration"), to: copy)
    let contents = copy.appending(path: "Model.xcdatamodeld/Model3.xcdatamodel/contents")
    let text = try String(contentsOf: contents, encoding: .utf8)
    try FileManager.default.removeItem(at: contents)
    try folder.write(
      text.replacing("name=\"userId\"", with: "name=\"number\" elementID=\"userId\""),
      to: "App/Model.xcdatamodeld/Model3.xcdatamodel/contents")
    let model = copy.appending(path: "Model.xcdatamodeld").path
    // The mapping models themselves map what isn't there any more.
    let report = try CheckCommand.parse([model, "--mappings", copy.path]).report(on: [model])
    #expect(report.findings.contains { $0.rule == .mappingOutdated })

    try folder.write(
      text.replacing(
        "<attribute name=\"userId\"",
        with:
          "<attribute name=\"mail\" optional=\"YES\" attributeType=\"String\"/><attribute name=\"userId\""
      ),
      to: "App/Model.xcdatamodeld/Model3.xcdatamodel/contents")
    let changed = try CheckCommand.parse([model, "--mappings", copy.path]).report(on: [model])
      .findings.filter { $0.rule == .mappingCopyOutdated }
    #expect(
      changed.map(\.subject.file) == [
        "Model2_to_Model3_User.xcmappingmodel", "Model2_to_Model3.xcmappingmodel",
      ])
    #expect(
      changed.first?.message
        == "its copy of Model3, which Xcode's editor shows, differs from it: User")
  }
}
