/// A mapping file that was given for a migration and plays no part in it.
package struct UnusedMapping: Hashable, Sendable, CustomStringConvertible {
  /// The file's name.
  package let name: String
  package let reason: String
  /// Whether it was made for a step between the store's version and the target, so that it was most likely
  /// meant to run.
  package let isMeant: Bool

  package var description: String { "\(name): \(reason)" }
}

/// The way that a store takes through a model's versions, and which mapping files are for it.
struct ModelWay {
  let model: VersionedModel
  let steps: [MigrationStep]
  /// From the store's version to the target, both included.
  let versions: ArraySlice<ManagedObjectModel>

  init(_ steps: [MigrationStep], in model: VersionedModel) {
    self.model = model
    self.steps = steps
    func place(_ version: ManagedObjectModel?) -> Int? {
      version.flatMap { wanted in model.versions.firstIndex { $0.name == wanted.name } }
    }
    guard let first = place(steps.first?.sourceModel),
      let last = place(steps.last?.destinationModel)
    else {
      versions = []
      return
    }
    versions = model.versions[min(first, last)...max(first, last)]
  }

  /// The files of a folder that don't run, in its order, and why not.
  func unused(of folder: MappingFolder) -> [UnusedMapping] {
    let running = steps.flatMap(\.runningMappings)
    return folder.mappings.compactMap { mapping in
      if let candidate = mapping.candidate,
        running.contains(where: { $0.model === candidate.model })
      {
        return nil
      }
      let (reason, isMeant) = judgement(on: mapping)
      return UnusedMapping(name: mapping.name, reason: reason, isMeant: isMeant)
    }
  }

  private func judgement(on mapping: PlacedMapping) -> (reason: String, isMeant: Bool) {
    switch mapping.place {
    case .elsewhere(let reason), .ofOtherModel(let reason): (reason, false)
    case .outdated(let source, let destination, let error):
      (
        "it is stale: made for \(VersionPair(source, destination)), which it no longer fits: "
          + error.reason, isOnTheWay(source, destination)
      )
    case .versions(let source, let destination, _):
      judgement(onOneFor: source, destination, mapping)
    case .byHashes(let compiled): judgement(on: compiled, mapping)
    }
  }

  private func judgement(
    onOneFor source: ManagedObjectModel, _ destination: ManagedObjectModel, _ mapping: PlacedMapping
  ) -> (reason: String, isMeant: Bool) {
    let pair = VersionPair(source, destination)
    let made = "it was made for \(pair)"
    if let better = better(than: mapping) {
      return ("\(made), where \(better) runs", isOnTheWay(source, destination))
    }
    return ("\(made), which isn't a step on this path", isOnTheWay(source, destination))
  }

  /// The mapping models that run in a step that this one is for, too.
  private func better(than mapping: PlacedMapping) -> String? {
    guard let candidate = mapping.candidate else { return nil }
    let step = steps.first {
      candidate.model.fits(source: $0.sourceModel, destination: $0.destinationModel)
    }
    let names = (step?.runningMappings ?? []).map(\.name)
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  // MARK: Compiled mapping models

  /// They don't say what they are for; what they fit, or nearly fit, does.
  private func judgement(
    on compiled: MappingModel, _ mapping: PlacedMapping
  ) -> (reason: String, isMeant: Bool) {
    let pairs = model.versions.flatMap { source in
      model.versions.filter { $0 !== source }.map { (source: source, destination: $0) }
    }
    let misfits = pairs.map { compiled.misfits(source: $0.source, destination: $0.destination) }
    let least = misfits.min { $0.count < $1.count } ?? []
    guard pairs.count > 0, !least.allSatisfy({ $0.reason == .missing }) || least.isEmpty else {
      return ("it has nothing in common with '\(model.name)'", false)
    }
    let nearest = zip(pairs, misfits).filter { $0.1.count == least.count }.map(\.0)
    let isMeant = nearest.contains { isOnTheWay($0.source, $0.destination) }
    let name = nearest.first.map { "\(VersionPair($0.source, $0.destination))" } ?? ""
    guard least.isEmpty else {
      let details = least.prefix(3).map(\.description).joined(separator: ", ")
      return (
        "it fits no two versions of '\(model.name)'; nearest is \(name), where \(details)", isMeant
      )
    }
    if let better = better(than: mapping) {
      return ("it fits \(name), where \(better) runs", isMeant)
    }
    return ("it fits \(name), which isn't a step on this path", isMeant)
  }

  private func isOnTheWay(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) -> Bool {
    [source, destination].allSatisfy { version in versions.contains { $0.name == version.name } }
  }
}

extension MigrationStep {
  /// The mapping models that the step runs; those on offer where it fails, for its error names them.
  fileprivate var runningMappings: [MappingCandidate] {
    guard let choice = try? chooseMapping() else { return mappings }
    return choice.mappings
  }
}
