import Synchronization

/// What section caches were made for, by their names: a controller that changes its request under a
/// cache is refused.
///
/// Core Data keeps the sections themselves in a file, to save time. Here nothing is saved by that;
/// only the rule remains that a test would notice.
enum SectionCache {
  /// All that sections follow from.
  struct Configuration: Equatable, Sendable {
    let entity: String
    let predicate: String
    let sorting: String
    let sectionNameKeyPath: String?
  }

  private static let configurations = Mutex<[String: Configuration]>([:])

  /// What the cache with a name was made for; nil when there is none.
  static func configuration(named name: String) -> Configuration? {
    configurations.withLock { $0[name] }
  }

  static func keep(_ configuration: Configuration, named name: String) {
    configurations.withLock { $0[name] = configuration }
  }

  /// - Parameter name: nil for all caches.
  static func delete(named name: String?) {
    configurations.withLock { caches in
      if let name { caches[name] = nil } else { caches = [:] }
    }
  }
}
