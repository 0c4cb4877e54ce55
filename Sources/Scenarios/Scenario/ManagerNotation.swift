import Foundation

/// The app's own migration manager as `manager` of a scenario or project file, or `.manager` of a step, sets it up.
///
///     manager:
///       class: App.StoreMigrationManager
///       userInfo: { region: DE, limit: 3 }
package struct ManagerNotation: Sendable {
  /// The app's class, as `Module.Class`; nil for `NSMigrationManager` itself.
  package fileprivate(set) var className: Located<String>?
  /// Whether it leaves an inferred mapping to Core Data's migration inside the store.
  package fileprivate(set) var usesStoreSpecificMigrationManager = true
  fileprivate var entries: [SourceNode.Entry] = []
  /// Where it is written.
  package fileprivate(set) var place: SourcePlace

  /// Whether it is of `NSMigrationManager` itself, and policies find nothing in it.
  package var isPlain: Bool { className == nil && entries.isEmpty }

  /// What policies find in the manager's `userInfo`: texts, numbers, dates, lists and maps, as in a Transformable
  /// value.
  /// - Throws: ``Diagnostic`` for bytes that aren't whole.
  package var userInfo: [AnyHashable: Any]? {
    get throws {
      if entries.isEmpty { return nil }
      return try entries.reduce(into: [:]) { all, entry in
        all[entry.key.value] = try TransformableNotation.object(entry.value)
      }
    }
  }
}

extension Scenario {
  /// The app's own migration manager in a step; nil where Core Data migrates by itself.
  package func manager(of step: ChainStep) -> ManagerNotation? {
    if step.saysManager { return step.manager }
    return step.stages == nil && step.migratesAutomatically ? manager : nil
  }
}

extension Fields {
  /// The manager that an entry sets up: nil without it, and for `false`.
  func manager(_ key: String) -> ManagerNotation? {
    guard let node = node(key) else { return nil }
    guard let entries = node.map else {
      return flag(key) == true ? ManagerNotation(place: node.place) : nil
    }
    let fields = Fields(
      entries, of: key, known: ["class", "userInfo", "usesStoreSpecificMigrationManager"],
      at: node.place, to: collector)
    var manager = ManagerNotation(place: node.place)
    manager.className = fields.text("class")
    manager.usesStoreSpecificMigrationManager =
      fields.flag("usesStoreSpecificMigrationManager") ?? true
    manager.entries =
      fields.node("userInfo").flatMap { collector.map($0, of: "userInfo") } ?? []
    do { _ = try manager.userInfo } catch {
      if let mistake = error as? Diagnostic { collector.report(mistake) }
    }
    return manager
  }
}
