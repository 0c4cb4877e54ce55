// What an app's `import AppKit` gets: the values that policies read and write, and no views.
import ArchivedValues
@_exported import CoreDataNames

/// A color, archived as on a device.
/// Sendable unchecked: nothing in it changes once it is made.
open class NSColor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  private let components: ColorComponents

  private init(_ components: ColorComponents) {
    self.components = components
    super.init()
  }

  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(ColorComponents(red: red, green: green, blue: blue, alpha: alpha))
  }

  public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(red: red, green: green, blue: blue, alpha: alpha)
  }

  public convenience init(
    calibratedRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat
  ) {
    self.init(red: red, green: green, blue: blue, alpha: alpha)
  }

  public convenience init(
    deviceRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat
  ) {
    self.init(red: red, green: green, blue: blue, alpha: alpha)
  }

  public convenience init(white: CGFloat, alpha: CGFloat) {
    self.init(ColorComponents(white: white, alpha: alpha))
  }

  public convenience init(
    hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat
  ) {
    self.init(
      ColorComponents(hue: hue, saturation: saturation, brightness: brightness, alpha: alpha))
  }

  // MARK: Archiving

  public class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    guard let components = ColorComponents(nsColorIn: coder) else { return nil }
    self.components = components
    super.init()
  }

  open func encode(with coder: NSCoder) { components.encodeNSColor(in: coder) }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: Comparing

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSColor)?.components == components
  }

  open override var hash: Int { components.hashValue }
}

extension NSColor {
  public var redComponent: CGFloat { components.red }
  public var greenComponent: CGFloat { components.green }
  public var blueComponent: CGFloat { components.blue }
  public var alphaComponent: CGFloat { components.alpha }
  public var hueComponent: CGFloat { components.hueSaturationBrightness.hue }
  public var saturationComponent: CGFloat { components.hueSaturationBrightness.saturation }
  public var brightnessComponent: CGFloat { components.hueSaturationBrightness.brightness }

  public func getRed(
    _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
    blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
  ) {
    red?.pointee = components.red
    green?.pointee = components.green
    blue?.pointee = components.blue
    alpha?.pointee = components.alpha
  }

  public func withAlphaComponent(_ alpha: CGFloat) -> NSColor {
    var changed = components
    changed.alpha = alpha
    return NSColor(changed)
  }

  public class var black: NSColor { NSColor(white: 0, alpha: 1) }
  public class var darkGray: NSColor { NSColor(white: 1.0 / 3, alpha: 1) }
  public class var lightGray: NSColor { NSColor(white: 2.0 / 3, alpha: 1) }
  public class var white: NSColor { NSColor(white: 1, alpha: 1) }
  public class var gray: NSColor { NSColor(white: 0.5, alpha: 1) }
  public class var clear: NSColor { NSColor(white: 0, alpha: 0) }
  public class var red: NSColor { NSColor(red: 1, green: 0, blue: 0, alpha: 1) }
  public class var green: NSColor { NSColor(red: 0, green: 1, blue: 0, alpha: 1) }
  public class var blue: NSColor { NSColor(red: 0, green: 0, blue: 1, alpha: 1) }
  public class var cyan: NSColor { NSColor(red: 0, green: 1, blue: 1, alpha: 1) }
  public class var yellow: NSColor { NSColor(red: 1, green: 1, blue: 0, alpha: 1) }
  public class var magenta: NSColor { NSColor(red: 1, green: 0, blue: 1, alpha: 1) }
  public class var orange: NSColor { NSColor(red: 1, green: 0.5, blue: 0, alpha: 1) }
  public class var purple: NSColor { NSColor(red: 0.5, green: 0, blue: 0.5, alpha: 1) }
  public class var brown: NSColor { NSColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1) }
}
