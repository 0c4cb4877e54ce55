// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// What UIColor and NSColor have in common.
public protocol ComponentColor: NSObject {
  init(archivedComponents: ColorComponents)
  /// The name is long so that an app's own `components` have a place beside it.
  var archivedComponents: ColorComponents { get }
}

extension ComponentColor {
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(
      archivedComponents: ColorComponents(red: red, green: green, blue: blue, alpha: alpha))
  }

  public init(white: CGFloat, alpha: CGFloat) {
    self.init(archivedComponents: ColorComponents(white: white, alpha: alpha))
  }

  public init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
    self.init(
      archivedComponents: ColorComponents(
        hue: hue, saturation: saturation, brightness: brightness, alpha: alpha))
  }

  public var cgColor: CGColor { CGColor(archivedComponents) }

  public func withAlphaComponent(_ alpha: CGFloat) -> Self {
    var changed = archivedComponents
    changed.alpha = alpha
    return Self(archivedComponents: changed)
  }

  @discardableResult public func getRed(
    _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
    blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
  ) -> Bool {
    red?.pointee = archivedComponents.red
    green?.pointee = archivedComponents.green
    blue?.pointee = archivedComponents.blue
    alpha?.pointee = archivedComponents.alpha
    return true
  }

  @discardableResult public func getHue(
    _ hue: UnsafeMutablePointer<CGFloat>?, saturation: UnsafeMutablePointer<CGFloat>?,
    brightness: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
  ) -> Bool {
    let parts = archivedComponents.hueSaturationBrightness
    hue?.pointee = parts.hue
    saturation?.pointee = parts.saturation
    brightness?.pointee = parts.brightness
    alpha?.pointee = archivedComponents.alpha
    return true
  }

  public static var black: Self { Self(white: 0, alpha: 1) }
  public static var darkGray: Self { Self(white: 1.0 / 3, alpha: 1) }
  public static var lightGray: Self { Self(white: 2.0 / 3, alpha: 1) }
  public static var white: Self { Self(white: 1, alpha: 1) }
  public static var gray: Self { Self(white: 0.5, alpha: 1) }
  public static var clear: Self { Self(white: 0, alpha: 0) }
  public static var red: Self { Self(red: 1, green: 0, blue: 0, alpha: 1) }
  public static var green: Self { Self(red: 0, green: 1, blue: 0, alpha: 1) }
  public static var blue: Self { Self(red: 0, green: 0, blue: 1, alpha: 1) }
  public static var cyan: Self { Self(red: 0, green: 1, blue: 1, alpha: 1) }
  public static var yellow: Self { Self(red: 1, green: 1, blue: 0, alpha: 1) }
  public static var magenta: Self { Self(red: 1, green: 0, blue: 1, alpha: 1) }
  public static var orange: Self { Self(red: 1, green: 0.5, blue: 0, alpha: 1) }
  public static var purple: Self { Self(red: 0.5, green: 0, blue: 0.5, alpha: 1) }
  public static var brown: Self { Self(red: 0.6, green: 0.4, blue: 0.2, alpha: 1) }
}

/// A color of Core Graphics: a grey with its alpha, or red, green and blue with it.
public final class CGColor: Hashable, Sendable {
  public let archivedComponents: ColorComponents

  public init(_ components: ColorComponents) { archivedComponents = components }

  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(ColorComponents(red: red, green: green, blue: blue, alpha: alpha))
  }

  public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(red: red, green: green, blue: blue, alpha: alpha)
  }

  public convenience init(gray: CGFloat, alpha: CGFloat) {
    self.init(ColorComponents(white: gray, alpha: alpha))
  }

  public convenience init?(colorSpace space: CGColorSpace, components: UnsafePointer<CGFloat>) {
    switch space.model {
    case .rgb:
      self.init(
        red: components[0], green: components[1], blue: components[2], alpha: components[3])
    case .monochrome: self.init(gray: components[0], alpha: components[1])
    }
  }

  public var alpha: CGFloat { archivedComponents.alpha }
  public var numberOfComponents: Int { components?.count ?? 0 }
  public var colorSpace: CGColorSpace? {
    CGColorSpace(model: archivedComponents.isGrey ? .monochrome : .rgb)
  }
  public var components: [CGFloat]? {
    let color = archivedComponents
    return (color.isGrey ? [color.red] : [color.red, color.green, color.blue]) + [color.alpha]
  }

  public func copy(alpha: CGFloat) -> CGColor? {
    var changed = archivedComponents
    changed.alpha = alpha
    return CGColor(changed)
  }

  public static func == (a: CGColor, b: CGColor) -> Bool {
    a.archivedComponents == b.archivedComponents
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(archivedComponents) }
}

public enum CGColorSpaceModel: Int32, Sendable {
  case monochrome = 0
  case rgb = 1
}

public final class CGColorSpace: Sendable {
  public let model: CGColorSpaceModel
  init(model: CGColorSpaceModel) { self.model = model }
}

public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace(model: .rgb) }
public func CGColorSpaceCreateDeviceGray() -> CGColorSpace { CGColorSpace(model: .monochrome) }
