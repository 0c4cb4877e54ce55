/// Versions of a model that Core Data can't tell apart.
enum EqualVersions {
  /// The versions with equal hashes, where there are several.
  static func groups(among versions: [ManagedObjectModel]) -> [[ManagedObjectModel]] {
    groups(versions) { $0.versionHashesDigest }
  }

  /// What is to be said about the first version of a group, by the versions' names.
  static func text(of names: [String]) -> String {
    "has the same hashes as " + names.dropFirst().joined(separator: ", ")
      + ": Core Data can't tell them apart"
  }

  /// Versions with the same key, where there are several.
  static func groups(
    _ versions: [ManagedObjectModel], by key: (ManagedObjectModel) -> String
  ) -> [[ManagedObjectModel]] {
    var order: [String] = []
    var groups: [String: [ManagedObjectModel]] = [:]
    for version in versions {
      let key = key(version)
      if groups[key] == nil { order.append(key) }
      groups[key, default: []].append(version)
    }
    return order.compactMap { groups[$0] }.filter { $0.count > 1 }
  }
}
