// The result beside the one that Core Data made on a device.

extension ScenarioRun {
  private static let mostDifferences = 10

  /// Compares what the chain led to with the device's store, object by object, as one backend with the other.
  /// - Throws: What keeps that store from being read.
  func compareWithDevice(step: String?) throws {
    guard let device = scenario.scenario.device, let result = snapshots.last?.content else {
      return
    }
    let url = scenario.scenario.folder.resolving(device.value)
    let file: StoreFile
    do { file = try StoreFile(readingFrom: url) } catch let error as CoreDataError {
      throw error.at(file: device.value)
    }
    let versions = scenario.models.names(fitting: file.metadata)
    guard versions.contains(finalVersion) else {
      let found =
        versions.isEmpty
        ? "of no version of the scenario" : "of \(versions.joined(separator: ", "))"
      return count(
        [
          Failure(
            at: device.place, "the device's store", expected: "of \(finalVersion)", found: found)
        ],
        step: step)
    }
    let store = try SQLiteStore(file, model: try scenario.model(finalVersion))
    defer { close(store) }
    let content = try ContentSnapshot(of: store, provenance: Provenance())
    let found = result.withoutOrigins.differences(from: content)
    let more = found.count - Self.mostDifferences
    count(
      found.prefix(Self.mostDifferences).enumerated().map { index, difference in
        Failure(
          at: device.place, "\(difference.subject), as on the device", expected: difference.second,
          found: difference.first,
          notes: more > 0 && index == Self.mostDifferences - 1
            ? ["and \(more) more differences"] : [])
      }, step: step)
  }
}

extension ContentSnapshot {
  /// The same objects, whatever they came from.
  fileprivate var withoutOrigins: ContentSnapshot {
    ContentSnapshot(
      objects: objects.map {
        Object(entity: $0.entity, values: $0.values, links: $0.links, origins: [], label: $0.label)
      })
  }
}
