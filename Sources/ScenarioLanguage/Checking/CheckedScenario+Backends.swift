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

  /// The versions that some start passes, or a later release has, in the order of the scenario.
  private var passedVersions: [String] {
    let passed = Set(
      starts.flatMap { [$0] + steps(from: $0).flatMap(\.passedVersions) }
        + scenario.laterReleases.flatMap { $0.versions.map(\.value) })
    return models.names.filter(passed.contains)
  }
}
