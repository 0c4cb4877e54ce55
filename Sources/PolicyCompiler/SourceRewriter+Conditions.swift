// Conditions on the platform: policies are compiled as the app is for its devices, and not for this system.

/// For which system policies are compiled, and with which conditions of the app's own.
package struct BuildConditions: Hashable, Sendable {
  package enum Platform: String, CaseIterable, Sendable {
    case ios, macos, tvos, watchos, visionos

    /// As `os(…)` calls it.
    var swiftName: String {
      switch self {
      case .ios: "iOS"
      case .macos: "macOS"
      case .tvos: "tvOS"
      case .watchos: "watchOS"
      case .visionos: "visionOS"
      }
    }
  }

  package var platform = Platform.ios
  /// What `#if` finds to be set: `DEBUG` and the like.
  package var defines: [String] = []

  package init(platform: Platform = .ios, defines: [String] = []) {
    self.platform = platform
    self.defines = defines
  }

  /// Whether a condition on the platform holds; nil for one that the compiler answers.
  fileprivate func holds(_ condition: String, _ name: String) -> Bool? {
    switch condition {
    case "os": name == platform.swiftName || (name == "OSX" && platform == .macos)
    case "targetEnvironment": false
    case "canImport":
      switch name {
      case "UIKit": platform != .macos
      case "AppKit", "Cocoa": platform == .macos
      default: nil
      }
    default: nil
    }
  }
}

extension SourceRewriter {
  /// Answers what a line with `#if` or `#elseif` asks of the platform.
  mutating func rewriteCondition(at index: Int) {
    var place = index + 1
    var asked: [String] = []
    while place + 3 < tokens.count, !startsLine(place) {
      if isMark(place + 1, "("), isMark(place + 3, ")"),
        let answer = conditions.holds(text(place), text(place + 2))
      {
        let range = tokens[place].range.lowerBound..<tokens[place + 3].range.upperBound
        replace(range, by: answer ? "true" : "false")
        asked.append("\(text(place))(\(text(place + 2))) is \(answer)")
        place += 3
      }
      place += 1
    }
    if !asked.isEmpty {
      platformConditions.append((position(ofToken: index), asked.joined(separator: ", ")))
    }
  }
}
