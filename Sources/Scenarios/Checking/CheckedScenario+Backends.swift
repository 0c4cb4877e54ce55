// On which backends a scenario is played.

extension CheckedScenario {
  /// Those that it names, all unless it names some; without memory where a device refuses a store in memory.
  package var backends: [Backend] {
    let named = scenario.backends ?? Backend.allCases
    return derivedAttribute == nil ? named : named.filter { $0 != .memory }
  }

  /// What its reports have to say before anything else.
  package var notes: [String] {
    guard let derivedAttribute, scenario.backends?.contains(.memory) ?? true else {
      return scenario.passedOver
    }
    let refusal = "a device rejects an in-memory store of \(derivedAttribute)"
    return scenario.passedOver + ["run on sqlite only: \(refusal)"]
  }

  func findDerivedAttribute() -> String? {
    for version in passedVersions {
      for entity in models[version]?.entities ?? [] {
        guard let attribute = entity.firstDerivedAttribute else { continue }
        return "'\(version)', whose \(entity.name).\(attribute.name) is derived"
      }
    }
    return nil
  }

  /// Reports root entities of which SQLite would make one table: no store of such a version can be made there.
  func reportSharedTables(to collector: DiagnosticCollector) {
    guard backends.contains(.sqlite) else { return }
    for version in passedVersions {
      for names in models[version]?.entities.rootsOfOneTable ?? [] {
        // That one is named first.
        let place = scenario.models.place(of: names[1], in: version)
        collector.report(
          "\(SharedTable.problem(names)): \(SharedTable.advice)",
          at: place ?? scenario.title.place)
      }
    }
  }

  /// The versions that some start passes, or a later release has, in the order of the scenario.
  private var passedVersions: [String] {
    let passed = Set(
      starts.flatMap { [$0] + steps(from: $0).flatMap(\.passedVersions) }
        + scenario.laterReleases.flatMap { $0.versions.map(\.value) })
    return models.names.filter(passed.contains)
  }
}

extension ModelSource {
  /// Where an entity of a version is written, or the path of the file that has it.
  fileprivate func place(of entity: String, in version: String) -> SourcePlace? {
    switch self {
    case .xcode(let paths, _): return paths.first?.place
    case .inline(let versions, _):
      guard let version = versions.first(where: { $0.name.value == version }) else { return nil }
      switch version.definition {
      case .file(let path): return path.place
      case .entities(let entities):
        return entities.first(where: { $0.name.value == entity })?.name.place
      }
    }
  }
}
