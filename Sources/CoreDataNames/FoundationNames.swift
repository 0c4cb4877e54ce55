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
  // Foundation: assumed to want an original.
  public func replacing(
    _ original: URL, by new: URL, backupItemName: String?, options: ItemReplacementOptions
  ) throws -> URL {
    let folder = original.deletingLastPathComponent()
    func neighbour(_ name: String? = nil) -> URL {
      folder.appendingPathComponent(name ?? ".replaced-\(UUID().uuidString)")
    }
    for item in [new, original] where !fileExists(atPath: item.path) {
      throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: item.path])
    }
    let (near, backup) = (neighbour(), neighbour(backupItemName))
    if [new, original].map(\.standardizedFileURL.path).contains(backup.standardizedFileURL.path) {
      throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: backup.path])
    }
    // It may come from another volume.
    try moveItem(at: new, to: near)
    do {
      if fileExists(atPath: backup.path) { try removeItem(at: backup) }
      try replace(original, by: near, keeping: backup)
    } catch {
      try moveItem(at: near, to: new)
      throw error
    }
    if !options.contains(.withoutDeletingBackupItem) { try removeItem(at: backup) }
    return original
  }

  private func replace(_ original: URL, by new: URL, keeping backup: URL) throws {
    var isFolder: ObjCBool = false
    _ = fileExists(atPath: original.path, isDirectory: &isFolder)
    if isFolder.boolValue {
      try moveItem(at: original, to: backup)
    } else {
      try linkItem(at: original, to: backup)
    }
    if rename(new.path, original.path) == 0 { return }
    let reason = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    if isFolder.boolValue {
      try moveItem(at: backup, to: original)
    } else {
      try removeItem(at: backup)
    }
    throw CocoaError(
      .fileWriteUnknown,
      userInfo: [NSFilePathErrorKey: original.path, NSUnderlyingErrorKey: reason])
  }
}

// swift-format-ignore: AvoidRetroactiveConformances
/// A queue is an object on a device, and so comparable.
extension DispatchQueue: @retroactive Hashable {
  public static func == (one: DispatchQueue, other: DispatchQueue) -> Bool { one === other }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
