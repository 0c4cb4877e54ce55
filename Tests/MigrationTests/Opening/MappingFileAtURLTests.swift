import Migration
import TestSupport
import Testing

/// A mapping model by the URL of its file.
@Suite(.enabled(if: Corpus.isPresent, Corpus.absenceMessage))
struct MappingFileAtURLTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A folder with a versioned model and one mapping model, whatever that was called before.
  private func place(_ name: String, mapping: String) throws -> URL {
    let place = folder.url.appending(path: name)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    for (source, target) in [("Model.xcdatamodeld", "Model.xcdatamodeld"), (mapping, "Same")] {
      let isMapping = target == "Same"
      try FileManager.default.copyItem(
        at: try Corpus.url("bookmigration/" + source + (isMapping ? ".xcmappingmodel" : "")),
        to: place.appending(path: isMapping ? "Same.xcmappingmodel" : target))
    }
    return place.appending(path: "Same.xcmappingmodel")
  }

  @Test func isTheOneInThatFile() throws {
    let first = try place("A", mapping: "Model1_to_Model2")
    let second = try place("B", mapping: "Model2_to_Model3")
    for url in [first, second] { MigrationLibrary.search(url.deletingLastPathComponent()) }
    let names = try [first, second].map { url in
      try MigrationLibrary.mapping(at: url).entityMappings.map(\.name)
    }
    let expected = try ["Model1_to_Model2", "Model2_to_Model3"].map { name in
      let file = try MappingFile.load(
        contentsOf: try Corpus.url("bookmigration/\(name).xcmappingmodel"))
      let model = try VersionedModel.load(
        contentsOf: try Corpus.url("bookmigration/Model.xcdatamodeld"))
      let versions = name.split(separator: "_").map { model.version(named: String($0)) }
      return try file.mappingModel(
        source: try #require(versions.first ?? nil), destination: try #require(versions.last ?? nil)
      ).entityMappings.map(\.name)
    }
    #expect(names == expected)
    #expect(names[0] != names[1])
  }
}
