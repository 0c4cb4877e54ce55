/// Foundation's archiver, with the names of classes that a device's would write: what `@objc(Name)`
/// says, a framework's own, or those set by `setClassName(_:for:)`, which Foundation passes over here.
///
/// Foundation's has no initializer that a subclass could call, so this one hands everything on to it.
open class NSKeyedArchiver: NSCoder {
  private let archiver: Foundation.NSKeyedArchiver
  private var ownNames: [String: String] = [:]
  private var output: NSMutableData?

  public init(requiringSecureCoding: Bool) {
    archiver = Foundation.NSKeyedArchiver(requiringSecureCoding: requiringSecureCoding)
  }

  public convenience init(forWritingWith data: NSMutableData) {
    self.init(requiringSecureCoding: false)
    output = data
  }

  open class func archivedData(
    withRootObject object: Any, requiringSecureCoding: Bool
  ) throws -> Data {
    try PlainArchive.data(of: object)
      ?? ArchivedClassNames.applied(
        to: try Foundation.NSKeyedArchiver.archivedData(
          withRootObject: object, requiringSecureCoding: requiringSecureCoding))
  }

  /// Raises where an object can't be archived.
  open class func archivedData(withRootObject object: Any) -> Data {
    do {
      return try archivedData(withRootObject: object, requiringSecureCoding: false)
    } catch {
      ExceptionTrap.raise(error)
      return Data()
    }
  }

  // MARK: Names

  open class func setClassName(_ codedName: String?, for cls: AnyClass) {
    ArchivedClassNames.note(codedName, of: cls)
  }

  open func setClassName(_ codedName: String?, for cls: AnyClass) {
    ownNames[String(reflecting: cls)] = codedName
  }

  open class func className(for cls: AnyClass) -> String? { ArchivedClassNames.name(of: cls) }

  open func className(for cls: AnyClass) -> String? {
    ownNames[String(reflecting: cls)]
  }

  // MARK: The archive

  open var encodedData: Data {
    ArchivedClassNames.applied(to: archiver.encodedData, and: ownNames)
  }

  open func finishEncoding() {
    archiver.finishEncoding()
    output?.setData(encodedData)
  }

  open var outputFormat: PropertyListSerialization.PropertyListFormat {
    get { archiver.outputFormat }
    set { archiver.outputFormat = newValue }
  }

  open var delegate: (any NSKeyedArchiverDelegate)? {
    get { archiver.delegate }
    set { archiver.delegate = newValue }
  }

  open override var requiresSecureCoding: Bool { archiver.requiresSecureCoding }
  open override var allowsKeyedCoding: Bool { true }

  // MARK: Values

  open override func encode(_ object: Any?) { archiver.encode(object) }
  open override func encode(_ object: Any?, forKey key: String) {
    archiver.encode(object, forKey: key)
  }
  open override func encodeConditionalObject(_ object: Any?, forKey key: String) {
    archiver.encodeConditionalObject(object, forKey: key)
  }
  open override func encode(_ value: Bool, forKey key: String) {
    archiver.encode(value, forKey: key)
  }
  open override func encode(_ value: Int32, forKey key: String) {
    archiver.encode(value, forKey: key)
  }
  open override func encode(_ value: Int64, forKey key: String) {
    archiver.encode(value, forKey: key)
  }
  open override func encode(_ value: Int, forKey key: String) {
    archiver.encode(value, forKey: key)
  }
  open override func encode(_ value: Float, forKey key: String) {
    archiver.encode(value, forKey: key)
  }
  open override func encode(_ value: Double, forKey key: String) {
    archiver.encode(value, forKey: key)
  }
  open override func encodeBytes(
    _ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String
  ) {
    archiver.encodeBytes(bytes, length: length, forKey: key)
  }
  open override func encode(_ data: Data) { archiver.encode(data) }
}

extension NSKeyedUnarchiver {
  public static func unarchivedArrayOfObjects<Element: NSObject & NSCoding>(
    ofClass type: Element.Type, from data: Data
  ) throws -> [Element]? {
    try unarchivedObject(ofClasses: [NSArray.self, type], from: data) as? [Element]
  }
}
