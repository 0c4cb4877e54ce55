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

// swift-format-ignore: AvoidRetroactiveConformances
/// A queue is an object on a device, and so comparable.
extension DispatchQueue: @retroactive Hashable {
  public static func == (one: DispatchQueue, other: DispatchQueue) -> Bool { one === other }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
