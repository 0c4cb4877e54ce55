import ObjectModel

/// Follows entities and properties back through versions, as step after step of inferred migrations
/// carries them.
struct VersionTrail {
  /// Oldest first.
  let versions: [ManagedObjectModel]

  /// The version in between that lacks a property of the newest version which the oldest has; nil
  /// where the way is unbroken, or the oldest doesn't have it either.
  /// - Parameter name: `Entity.property`, or `Entity`.
  func gap(of name: String) -> String? {
    let parts = name.split(separator: ".").map(String.init)
    guard let newest = versions.last, var entity = newest.entity(named: parts[0]) else {
      return nil
    }
    var property = parts.count > 1 ? entity.property(named: parts[1]) : nil
    for version in versions.dropLast().reversed() {
      guard let source = InferredPairs.source(of: entity, in: version) else {
        return version.name ?? ""
      }
      if let current = property {
        guard let original = InferredPairs.source(of: current, in: source) else {
          return version.name ?? ""
        }
        property = original
      }
      entity = source
    }
    return nil
  }
}
