/// The oldest system that an app's stores are migrated on: `iOS 15`, `macOS 12.4`.
package struct TargetOS: Hashable, Sendable {
  let system: String
  let version: Double

  /// The first versions known to migrate a hierarchy whose root goes, by system.
  // Core Data: assumed; a public app says so of iOS 16, and systems of one year have one framework.
  private static let firstWithRemovedRoots = [
    "iOS": 16.0, "iPadOS": 16, "tvOS": 16, "macOS": 13, "watchOS": 9, "visionOS": 1,
  ]

  static var systems: [String] { firstWithRemovedRoots.keys.sorted() }

  init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, Self.firstWithRemovedRoots[String(words[0])] != nil,
      let version = Double(words[1]), version > 0
    else { return nil }
    (system, self.version) = (String(words[0]), version)
  }

  /// Whether a store is migrated whose hierarchy loses its root.
  package var migratesRemovedRoots: Bool { version >= Self.firstWithRemovedRoots[system] ?? 0 }
}

extension Fields {
  /// `target-os`, of a scenario or a project file.
  func targetOS() -> TargetOS? {
    guard let text = text("target-os") else { return nil }
    let system = TargetOS(text.value)
    if system == nil {
      collector.report(
        "'\(text.value)' isn't a system with a version, as in 'target-os: iOS 15'; the systems: "
          + TargetOS.systems.joined(separator: ", "), at: text.place)
    }
    return system
  }
}
