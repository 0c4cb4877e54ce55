import AppKitNames
import UIKitNames

/// Modules of Apple's that have a small stand-in here, which an app's imports get.
enum FrameworkModules {
  /// The stand-ins' modules, by the names in sources.
  static let modules = [
    "os": "OSNames", "UIKit": "UIKitNames", "AppKit": "AppKitNames", "Combine": "CombineNames",
  ]
  /// Modules that only re-export another.
  static let umbrellas = ["Cocoa": "AppKit", "OSLog": "os"]

  /// What modules re-export that aren't here; UIKit stands for what the platform has of it.
  static let reexporting = [
    "SwiftUI": ["UIKit", "Combine", "Observation"], "CoreGraphics": ["UIKit"],
  ]

  static func isStandIn(_ module: String) -> Bool {
    modules[module] != nil || umbrellas[module] != nil
  }

  /// What of a module is here.
  static let contents = [
    "Combine": "AnyPublisher, subjects, Just, Future, @Published and plain operators",
    "os": "Logger, os_log, signposts and locks",
    "UIKit": "UIColor, CGColor and UIImage",
    "AppKit": "NSColor, CGColor and NSImage",
  ]

  /// Makes archives name classes as on a device.
  static func registerArchivedClasses() { _ = registration }

  private static let registration: Void = {
    registerArchivedClassesOfUIKit()
    registerArchivedClassesOfAppKit()
  }()
}
