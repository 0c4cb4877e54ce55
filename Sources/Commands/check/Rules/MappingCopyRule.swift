/// Copies of the versions that Xcode's mapping editor keeps in the file: as they were at the last
/// refresh. The editor shows them, and Core Data takes no notice of them.
struct MappingCopyRule {
  let mapping: PlacedMapping
  let source: ManagedObjectModel
  let destination: ManagedObjectModel

  var findings: [CheckFinding] {
    // Copies that can't be read can't be told to be old; the mapping itself doesn't need them.
    guard case .source(let file) = mapping.file, let copies = try? file.modelSnapshots() else {
      return []
    }
    return [(copies.source, source), (copies.destination, destination)].compactMap {
      copy, version in
      let changed = copy.map { changes(from: $0, to: version) } ?? []
      return changed.isEmpty ? nil : finding(on: version, changed)
    }
  }

  private func finding(on version: ManagedObjectModel, _ changed: [String]) -> CheckFinding {
    return CheckFinding(
      .mappingCopyOutdated,
      about: CheckFinding.Subject(
        step: VersionPair(source, destination), file: mapping.file.url.lastPathComponent),
      "its copy of \(version.shownName), which Xcode's editor shows, differs from it: "
        + changed.listed(most: 3),
      advice: "Refresh the data models in Xcode's mapping editor before editing it.")
  }

  /// The entities that differ by hash. Copies know no derived and composite attributes.
  private func changes(from copy: ManagedObjectModel, to version: ManagedObjectModel) -> [String] {
    let names = version.entitiesThatDiffer(from: copy.entityVersionHashesByName)
    return names.filter { name in
      let attributes = version.entity(named: name)?.attributes ?? []
      return !attributes.contains { $0.isDerived || $0.attributeType == .composite }
    }
  }
}
