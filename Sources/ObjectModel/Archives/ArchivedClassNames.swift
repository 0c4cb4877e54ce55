import Synchronization

/// The names by which keyed archives call classes.
///
/// On a device that is a class's name in Objective-C: the bare one of a framework's class, or what `@objc(Name)` says.
/// Here a class has only its Swift name, with its module, and `NSKeyedArchiver.setClassName(_:for:)`
/// does nothing.
public enum ArchivedClassNames {
  private struct Table: Sendable {
    var names: [String: String] = [:]
    var known: Set<String> = []
  }
  private static let table = Mutex(Table())

  /// Notes the name of a class, for archives that are written and for those that are read.
  public static func note(_ name: String?, of type: AnyClass) {
    table.withLock { table in
      table.names[String(reflecting: type)] = name
      if let name { table.known.insert(name) }
    }
    if let name { NSKeyedUnarchiver.setClass(type, forClassName: name) }
  }

  /// What archives call a class; nil where that is its Swift name.
  public static func name(of type: AnyClass) -> String? {
    table.withLock { $0.names[String(reflecting: type)] }
  }

  /// An archive with the names that a device gives its classes.
  /// - Parameter others: Names that one archiver has for itself, by Swift names.
  public static func applied(to archive: Data, and others: [String: String] = [:]) -> Data {
    let names = table.withLock { $0.names }.merging(others) { _, other in other }
    // Most processes know no such class.
    return names.isEmpty ? archive : CanonicalArchive.data(archive, renaming: names)
  }

  /// The name for a class that an archive names as this process does.
  static var all: [String: String] { table.withLock { $0.names } }

  /// Whether this process has a class for a name in an archive.
  static func isKnown(_ name: String) -> Bool {
    NSClassFromString(name) != nil || table.withLock { $0.known.contains(name) }
  }
}
