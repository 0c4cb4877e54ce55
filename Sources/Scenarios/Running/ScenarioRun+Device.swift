// The result beside the one that Core Data made on a device.

extension ScenarioRun {
  /// Compares what the chain led to with the device's store, object by object, as one backend with the other.
  /// - Throws: What keeps that store from being read.
  func compareWithDevice(step: String?) throws {
    guard let device = scenario.scenario.device else { return }
    guard facts.failure == nil, let result = snapshots.last?.content else {
      // An error that nobody expected says enough.
      if result.expectedError == nil { return }
      return count(
        [
          Failure(
            at: device.place, "the device's store", expected: "a result to compare with it",
            found: "none: the chain ended with an error, and the device's didn't")
        ], step: step)
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
    count(
      try unread(in: store).map { finding in
        Failure(
          at: device.place, "the device's store\(finding.place.map { ", \($0)" } ?? "")",
          expected: "values to compare with", found: finding.message,
          notes: [
            "what can't be read reads as nil, or as something else; to accept that:",
            "accept: [{ finding: \(finding.kind.rawValue), because: … }]",
          ])
      }
        + found.failures {
          Failure(
            at: device.place, "\($0.subject), as on the device", expected: $0.second,
            found: $0.first)
        }, step: step)
  }

  /// What the device's store should have and hasn't: it reads as something else, as if the device had made that.
  private func unread(in store: SQLiteStore) throws -> [IntegrityFinding] {
    try Self.damage(of: store).filter {
      IntegrityFinding.Kind.misread.contains($0.kind) && !accepts($0)
    }
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
