import ObjectModel
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent, Corpus.absenceMessage))
struct ModelSnapshotTests {
  @Test(arguments: [
    (
      "posts/Migration2to3ModelMapping", "posts/CoreDataMigration_Example",
      "CoreDataMigration_Example 2", "CoreDataMigration_Example 3"
    ),
    ("bookmigration/Model1_to_Model2", "bookmigration/Model", "Model1", "Model2"),
    ("bookmigration/Model2_to_Model3", "bookmigration/Model", "Model2", "Model3"),
    ("woocommerce/WooCommerceModelV9toV10", "woocommerce/WooCommerce", "Model 9", "Model 10"),
  ])
  func aSnapshotEqualsTheVersionItWasTakenFrom(
    mapping: String, model: String, source: String, destination: String
  ) throws {
    let snapshots = try Self.snapshots(in: Corpus.url("\(mapping).xcmappingmodel/xcmapping.xml"))
    let model = try XcodeModel.load(contentsOf: Corpus.url("\(model).xcdatamodeld"))
    let versions = try [
      #require(model.version(named: source)), #require(model.version(named: destination)),
    ]
    #expect(snapshots.map(lines) == versions.map(lines))
    #expect(
      snapshots.map(\.entityVersionHashesByName) == versions.map(\.entityVersionHashesByName))
  }

  /// The source's and the destination's snapshot.
  private static func snapshots(in file: URL) throws -> [ManagedObjectModel] {
    let text = try String(contentsOf: file, encoding: .utf8)
    return try ["sourcemodeldata", "destinationmodeldata"].map { name in
      let start = try #require(text.range(of: "<attribute name=\"\(name)\" type=\"binary\">"))
      let base64 = text[start.upperBound...].prefix { $0 != "<" }
      let data = try #require(
        Data(base64Encoded: String(base64), options: .ignoreUnknownCharacters))
      return try ModelSnapshot.decode(data)
    }
  }

  @Test func otherArchivesAreRefused() throws {
    let model = try ManagedObjectModel(entities: [EntityDescription(name: "A")])
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: ["a"] as NSArray, requiringSecureCoding: false)
    #expect(throws: ModelArchiveError.self) { try ModelSnapshot.decode(archive) }
    #expect(throws: KeyedArchiveError.self) { try ModelSnapshot.decode(ModelArchive.encode(model)) }
  }
}
