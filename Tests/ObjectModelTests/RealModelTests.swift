import ObjectModel
import TestSupport
import Testing

/// Models of public apps, with the stores that Core Data made from them.
@Suite(.enabled(if: Corpus.isPresent, Corpus.absenceMessage))
struct RealModelTests {
  @Test(arguments: [
    ("woocommerce/WooCommerce.xcdatamodeld", 117, "Model 117"),
    ("wire/zmessaging.xcdatamodeld", 90, "zmessaging2.101.0"),
    ("wire/ZMEventModel.xcdatamodeld", 3, "ZMEventModel3.0"),
    ("posts/CoreDataMigration_Example.xcdatamodeld", 4, "CoreDataMigration_Example 4"),
    ("bookmigration/Model.xcdatamodeld", 3, "Model3"),
  ])
  func allVersionsLoad(path: String, count: Int, last: String) throws {
    let model = try XcodeModel.load(contentsOf: Corpus.url(path))
    #expect(model.versions.count == count)
    #expect(model.versions.last?.name == last)
    #expect(model.notes == [])
    #expect(model.currentVersion != nil)
    // Every tenth and the last: neighbours are much alike.
    for version in model.versions.enumerated().filter({ $0.offset % 10 == 0 }).map(\.element)
      + model.versions.suffix(1)
    {
      let copy = try ModelArchive.decode(ModelArchive.encode(version))
      #expect(lines(of: copy) == lines(of: version), "\(version)")
    }
  }

  @Test func everyWireStoreFitsTheVersionItsFileNames() throws {
    let model = try XcodeModel.load(contentsOf: Corpus.url("wire/zmessaging.xcdatamodeld"))
    let stores = RealModelCacheTests.stores.filter { $0.path.contains("/wire/") }
    #expect(stores.count == 23)
    for store in stores {
      let file = try StoreFile(store)
      let fitting = try model.versions(compatibleWithStoreMetadata: file.metadata)
      #expect(!fitting.isEmpty, "\(store.lastPathComponent)")
      let identifiers = try file.metadata["NSStoreModelVersionIdentifiers"] as? [String]
      #expect(
        fitting.contains { $0.versionIdentifiers == identifiers }, "\(store.lastPathComponent)")
    }
  }

  @Test func aStoresCacheEqualsTheVersionItWasMadeFrom() throws {
    let model = try XcodeModel.load(
      contentsOf: Corpus.url("posts/CoreDataMigration_Example.xcdatamodeld"))
    for number in 1...3 {
      let store = try StoreFile(
        Corpus.url("posts/stores/CoreDataMigration_Example_\(number).sqlite"))
      let cached = try ModelArchive.decode(#require(try store.modelCache))
      #expect(lines(of: cached) == lines(of: model.versions[number - 1]))
    }
  }

  @Test func theOldestBookStoreFitsItsModel() throws {
    let model = try XcodeModel.load(contentsOf: Corpus.url("bookmigration/Model.xcdatamodeld"))
    let store = try StoreFile(Corpus.url("bookmigration/Model1.sqlite"))
    let fitting = try model.versions(compatibleWithStoreMetadata: store.metadata)
    #expect(fitting.map(\.name) == ["Model1"])
  }
}
