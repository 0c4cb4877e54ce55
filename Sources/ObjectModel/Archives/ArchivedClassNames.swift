import Synchronization

/// The names by which keyed archives call classes.
///
/// On a device that is a class's name in Objective-C: the bare one of a framework's class, or what `@objc(Name)` says.
/// Here a class has only its Swift name, with its module, and `NSKeyedArchiver.setClassName(_:for:)`
/// does nothing.
public enum ArchivedClassNames {
  /// By Swift names.
  private static let names = Mutex<[String: String]>([:])

  /// Notes the name of a class, for archives that are written and for those that are read.
  public static func note(_ name: String?, of type: AnyClass) {
    names.withLock { $0[String(reflecting: type)] = name }
    if let name { NSKeyedUnarchiver.setClass(type, forClassName: name) }
  }

  /// What archives call a class; nil where that is its Swift name.
  public static func name(of type: AnyClass) -> String? {
    all[String(reflecting: type)]
  }

  /// An archive with the names that a device gives its classes.
  /// - Parameter others: Names that one archiver has for itself, by Swift names.
  public static func applied(to archive: Data, and others: [String: String] = [:]) -> Data {
    let names = all.merging(others) { _, other in other }
    // Most processes know no such class.
    return names.isEmpty ? archive : CanonicalArchive.data(archive, renaming: names)
  }

  /// The names that were noted, by Swift names.
  static var all: [String: String] { names.withLock(\.self) }

  /// Whether this process has a class for a name in an archive.
  static func isKnown(_ name: String) -> Bool {
    NSClassFromString(name) != nil || NSKeyedUnarchiver.class(forClassName: name) != nil
  }
}
