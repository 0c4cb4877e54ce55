import ArchivedValues

/// An image: the data that it was made of, which nothing here looks into.
/// Sendable unchecked: nothing in it changes once it is made.
open class NSImage: NSObject, NSSecureCoding, @unchecked Sendable {
  private let data: Data

  public init?(data: Data) {
    guard !data.isEmpty else { return nil }
    self.data = data
    super.init()
  }

  public convenience init?(contentsOf url: URL) {
    guard let data = FileManager.default.contents(atPath: url.path) else { return nil }
    self.init(data: data)
  }

  // MARK: Archiving

  public class var supportsSecureCoding: Bool { true }

  // AppKit: assumed. A device archives an image as a list of representations, of which one is in
  // TIFF; that list isn't read here.
  public required init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "NSTIFFRepresentation") as Data?
    else { return nil }
    self.data = data
    super.init()
  }

  open func encode(with coder: NSCoder) {
    coder.encode(NSData(data: data), forKey: "NSTIFFRepresentation")
  }

  // MARK: Data

  /// The data, if it is TIFF: there is nothing here that could convert another kind.
  open var tiffRepresentation: Data? {
    data.starts(with: [0x49, 0x49, 0x2A, 0]) || data.starts(with: [0x4D, 0x4D, 0, 0x2A])
      ? data : nil
  }

  open override func isEqual(_ object: Any?) -> Bool { (object as? NSImage)?.data == data }

  open override var hash: Int { data.hashValue }
}

/// Makes archives name the classes as on a device.
public func registerArchivedClassesOfAppKit() {
  ArchivedClassNames.note("NSColor", of: NSColor.self)
  ArchivedClassNames.note("NSImage", of: NSImage.self)
}
