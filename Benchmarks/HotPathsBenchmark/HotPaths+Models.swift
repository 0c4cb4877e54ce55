import Benchmark
import Commands

/// The songbook's model, in Xcode's form, with all its versions.
private let file = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../Scenarios/Songbook/SongbookModel.xcdatamodeld").standardizedFileURL

func addModels() {
  Benchmark("model, parse Xcode's files", configuration: Limits.of()) { benchmark in
    let model = try VersionedModel.load(contentsOf: file)
    benchmark.stopMeasurement()
    try WrongResult.check(!model.versions.isEmpty, model.versions.count)
  }
  Benchmark("version hash, all entities of a new model", configuration: Limits.of()) { benchmark in
    let model = try Library.model()
    benchmark.startMeasurement()
    let hashes = model.entityVersionHashesByName
    benchmark.stopMeasurement()
    try WrongResult.check(hashes.count == 2 && hashes["Book"]?.count == 32, hashes)
  }
  Benchmark("keyed archive, write a model", configuration: Limits.of()) { benchmark, model in
    let data = try ModelArchive.encode(model)
    benchmark.stopMeasurement()
    try WrongResult.check(data.count > 500, data.count)
  } setup: {
    try songbook()
  }
  Benchmark("keyed archive, read a model", configuration: Limits.of()) { benchmark, archive in
    let model = try ModelArchive.decode(archive)
    benchmark.stopMeasurement()
    try WrongResult.check(model.entities.count > 2, model.entities.count)
  } setup: {
    try ModelArchive.encode(songbook())
  }
}

private func songbook() throws -> ManagedObjectModel {
  try VersionedModel.load(contentsOf: file).requiredCurrentVersion()
}
