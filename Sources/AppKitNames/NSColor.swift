// What an app's `import AppKit` gets: the values that policies read and write, and no views.
@_exported import ArchivedValues
@_exported import CoreDataNames

/// A color, archived as on a device.
/// Sendable unchecked: nothing in it changes once it is made.
open class NSColor: NSObject, NSSecureCoding, NSCopying, ComponentColor, @unchecked Sendable {
  public let archivedComponents: ColorComponents

  public required init(archivedComponents: ColorComponents) {
    self.archivedComponents = archivedComponents
    super.init()
  }

  public convenience init?(cgColor: CGColor) {
    self.init(archivedComponents: cgColor.archivedComponents)
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

  // MARK: Archiving

  public class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    guard let components = ColorComponents(nsColorIn: coder) else { return nil }
    archivedComponents = components
    super.init()
  }

  open func encode(with coder: NSCoder) { archivedComponents.encodeNSColor(in: coder) }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: Comparing

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSColor)?.archivedComponents == archivedComponents
  }

  open override var hash: Int { archivedComponents.hashValue }
}

extension NSColor {
  public var redComponent: CGFloat { archivedComponents.red }
  public var greenComponent: CGFloat { archivedComponents.green }
  public var blueComponent: CGFloat { archivedComponents.blue }
  public var alphaComponent: CGFloat { archivedComponents.alpha }
  public var hueComponent: CGFloat { archivedComponents.hueSaturationBrightness.hue }
  public var saturationComponent: CGFloat {
    archivedComponents.hueSaturationBrightness.saturation
  }
  public var brightnessComponent: CGFloat {
    archivedComponents.hueSaturationBrightness.brightness
  }
}
