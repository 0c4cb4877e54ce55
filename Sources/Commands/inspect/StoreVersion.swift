/// Which of an app's versions a store is.
package struct StoreVersion: Sendable {
  /// A version that fits.
  package struct Match: Sendable {
    /// The version's name, with its model's where there are several.
    package let name: String
    package let match: ModelIdentification.Match
  }

  /// Where the models came from, as the user named it.
  package let origin: String
  /// The models, as seen from the working folder.
  let paths: [String]
  /// How many versions came into question.
  package let candidateCount: Int
  /// All versions that fit; several are equal to Core Data.
  package let matches: [Match]
  /// The version that the rows are checked against.
  package let best: Match?
  /// The nearest version, with its name, when none fits.
  package let nearest: (name: String, version: ModelIdentification.Nearest)?
  /// The versions of the model that the best match is of, in their order.
  package let order: VersionOrder?
  /// What the store's metadata calls its version.
  package let identifiers: [String]

  init(of inspector: StoreInspector, among families: [VersionedModel]) {
    let models = families.flatMap(\.versions)
    let identification = ModelIdentification(
      ofStoreWith: inspector.metadata, cachedModel: inspector.cachedModel, among: models)
    let names = Self.names(of: families)
    func name(_ model: ManagedObjectModel) -> String {
      names[ObjectIdentifier(model)] ?? model.shownName
    }
    paths = families.map { ShownPath.of($0.url.path) }
    origin = families.map(\.url.lastPathComponent).joined(separator: ", ")
    candidateCount = models.count
    matches = identification.matches.map { Match(name: name($0.model), match: $0) }
    let best = identification.best
    self.best = best.map { Match(name: name($0.model), match: $0) }
    order = best.flatMap { best in
      families.first { $0.versions.contains { $0 === best.model } }?.order
    }
    nearest = identification.nearest.map { (name($0.model), $0) }
    identifiers = inspector.metadata["NSStoreModelVersionIdentifiers"] as? [String] ?? []
  }

  private static func names(of families: [VersionedModel]) -> [ObjectIdentifier: String] {
    let pairs = families.flatMap { family in
      family.versions.map { version in
        let name = version.shownName
        let isPlain = families.count == 1 || name.hasPrefix(family.name)
        return (ObjectIdentifier(version), isPlain ? name : "\(family.name): \(name)")
      }
    }
    return Dictionary(firstOf: pairs)
  }

  /// That the store is of none of the versions is something to find.
  var finding: IntegrityFinding? {
    guard matches.isEmpty else { return nil }
    let near =
      nearest.map { "; the nearest is \($0.name)" } ?? ", and has no entity in common with them"
    let versions =
      candidateCount == 1 ? "not the version" : "none of the \(candidateCount) versions"
    return IntegrityFinding(.versionUnknown, detail: "the store is \(versions) in \(origin)\(near)")
  }
}
