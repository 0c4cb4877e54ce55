import ArchivedValues

/// An image: the data that it was made of, of which only the header is looked at.
/// Sendable unchecked: nothing in it changes once it is made.
open class UIImage: NSObject, NSSecureCoding, @unchecked Sendable {
  private let data: Data
  public let scale: CGFloat

  public init?(data: Data, scale: CGFloat = 1) {
    guard !data.isEmpty else { return nil }
    self.data = data
    self.scale = scale
    super.init()
  }

  public convenience init?(contentsOfFile path: String) {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    self.init(data: data)
  }

  /// In points, of PNG, GIF and JPEG: nothing here looks into other data.
  open var size: CGSize {
    guard let pixels = ImageHeader(data).pixels else {
      fatalError("UIImage: the size of other data than PNG, GIF and JPEG isn't known here")
    }
    return CGSize(width: pixels.width / scale, height: pixels.height / scale)
  }

  // MARK: Archiving

  public class var supportsSecureCoding: Bool { true }

  // Core Data: observed in property lists that apps on devices archived.
  public required init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "UIImageData") as Data? else {
      return nil
    }
    self.data = data
    let scale = coder.decodeDouble(forKey: "UIScale")
    self.scale = scale > 0 ? scale : 1
    super.init()
  }

  open func encode(with coder: NSCoder) {
    coder.encode(NSData(data: data), forKey: "UIImageData")
    coder.encode(Double(scale), forKey: "UIScale")
  }

  // MARK: Data

  /// The data, if it is PNG: there is nothing here that could convert another kind.
  open func pngData() -> Data? { data.starts(with: [0x89, 0x50, 0x4E, 0x47]) ? data : nil }

  /// The data, if it is JPEG: there is nothing here that could convert another kind.
  open func jpegData(compressionQuality: CGFloat) -> Data? {
    data.starts(with: [0xFF, 0xD8, 0xFF]) ? data : nil
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UIImage else { return false }
    return (other.data, other.scale) == (data, scale)
  }

  open override var hash: Int { data.hashValue }
}

/// Makes archives name the classes as on a device.
public func registerArchivedClassesOfUIKit() {
  ArchivedClassNames.note("UIColor", of: UIColor.self)
  ArchivedClassNames.note("UIImage", of: UIImage.self)
}
