// What an app's `import UIKit` gets: the values that policies read and write, and no views.
@_exported import ArchivedValues
@_exported import CoreDataNames

/// A color, archived as on a device.
/// Sendable unchecked: nothing in it changes once it is made.
open class UIColor: NSObject, NSSecureCoding, NSCopying, ComponentColor, @unchecked Sendable {
  public let archivedComponents: ColorComponents

  public required init(archivedComponents: ColorComponents) {
    self.archivedComponents = archivedComponents
    super.init()
  }

  public convenience init(cgColor: CGColor) {
    self.init(archivedComponents: cgColor.archivedComponents)
  }

  // MARK: Archiving

  public class var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    guard let components = ColorComponents(uiColorIn: coder) else { return nil }
    archivedComponents = components
    super.init()
  }

  open func encode(with coder: NSCoder) { archivedComponents.encodeUIColor(in: coder) }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: Comparing

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? UIColor)?.archivedComponents == archivedComponents
  }

  open override var hash: Int { archivedComponents.hashValue }

  open override var description: String {
    let parts = cgColor.components?.map { "\($0)" }.joined(separator: " ") ?? ""
    let space = archivedComponents.isGrey ? "Gray" : "SRGB"
    return "UIExtended\(space)ColorSpace \(parts)"
  }
}

extension UIColor {
  /// Only a grey can be told as white.
  @discardableResult public func getWhite(
    _ white: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
  ) -> Bool {
    guard archivedComponents.isGrey else { return false }
    white?.pointee = archivedComponents.red
    alpha?.pointee = archivedComponents.alpha
    return true
  }
}
