// What Foundation has on a device only, or has otherwise.

// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSEC_PER_MSEC: UInt64 = 1_000_000
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MAXFLOAT = Float.greatestFiniteMagnitude

extension Bundle {
  /// What SwiftPM makes for a target with resources: here there is the main bundle only.
  public static var module: Bundle { .main }

  /// What an app's `urls(forResourcesWithExtension:subdirectory:)` is rewritten to: Foundation's gives `NSURL` here.
  public func urls(withExtension name: String?, subdirectory: String?) -> [URL]? {
    urls(forResourcesWithExtension: name, subdirectory: subdirectory)?.map { $0 as URL }
  }
}

extension URL {
  public static var documentsDirectory: URL { standard(.documentDirectory) }
  public static var applicationSupportDirectory: URL { standard(.applicationSupportDirectory) }
  public static var cachesDirectory: URL { standard(.cachesDirectory) }
  public static var libraryDirectory: URL { standard(.libraryDirectory) }

  private static func standard(_ directory: FileManager.SearchPathDirectory) -> URL {
    FileManager.default.urls(for: directory, in: .userDomainMask).first ?? homeDirectory
  }
}

extension FileManager {
  /// The folder that an app shares with its extensions: here it has one of its own.
  public func containerURL(forSecurityApplicationGroupIdentifier name: String) -> URL? {
    let url = URL.libraryDirectory.appendingPathComponent("Group Containers/\(name)")
    return (try? createDirectory(at: url, withIntermediateDirectories: true)).map { url }
  }

  /// What an app's `replaceItemAt(_:withItemAt:)` does: Foundation's moves the original over the new item here, and then
  /// misses it. The original is in its place until the new item is, except where they are folders.
  public func replacing(
    _ original: URL, by new: URL, backupItemName: String?, options: ItemReplacementOptions
  ) throws -> URL {
    var isFolder: ObjCBool = false
    for item in [new, original] where !fileExists(atPath: item.path, isDirectory: &isFolder) {
      throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: item.path])
    }
    let backup = original.deletingLastPathComponent()
      .appendingPathComponent(backupItemName ?? ".replaced-\(UUID().uuidString)")
    if fileExists(atPath: backup.path) { try removeItem(at: backup) }
    if isFolder.boolValue {
      try moveItem(at: original, to: backup)
    } else {
      try linkItem(at: original, to: backup)
    }
    guard rename(new.path, original.path) == 0 else {
      let reason = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      if isFolder.boolValue { try moveItem(at: backup, to: original) }
      throw CocoaError(
        .fileWriteUnknown,
        userInfo: [NSFilePathErrorKey: original.path, NSUnderlyingErrorKey: reason])
    }
    if !options.contains(.withoutDeletingBackupItem) { try removeItem(at: backup) }
    return original
  }
}

// swift-format-ignore: AvoidRetroactiveConformances
/// A queue is an object on a device, and so comparable.
extension DispatchQueue: @retroactive Hashable {
  public static func == (one: DispatchQueue, other: DispatchQueue) -> Bool { one === other }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
