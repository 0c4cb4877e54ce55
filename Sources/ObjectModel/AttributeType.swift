/// The type of an attribute. Raw values are Core Data's own: they stand in model caches and are
/// part of version hashes.
public enum AttributeType: UInt, Sendable, Hashable, CaseIterable {
  case undefined = 0
  case integer16 = 100
  case integer32 = 200
  case integer64 = 300
  case decimal = 400
  case double = 500
  case float = 600
  case string = 700
  case boolean = 800
  case date = 900
  case binaryData = 1000
  case uuid = 1100
  case uri = 1200
  case transformable = 1800
  case objectID = 2000
  case composite = 2100
}

extension AttributeType {
  /// The name in Xcode's model files, and in messages.
  public var name: String {
    switch self {
    case .undefined: "Undefined"
    case .integer16: "Integer 16"
    case .integer32: "Integer 32"
    case .integer64: "Integer 64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Boolean"
    case .date: "Date"
    case .binaryData: "Binary"
    case .uuid: "UUID"
    case .uri: "URI"
    case .transformable: "Transformable"
    case .objectID: "Object ID"
    case .composite: "Composite"
    }
  }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// The type that Xcode's model files call `name`.
  public init?(xcodeName name: String) {
    guard let type = Self.byName[name] else { return nil }
    self = type
  }

  /// Whether values are numbers that lightweight migration converts among each other.
  public var isNumeric: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: true
    default: false
    }
  }

  /// The Foundation class Core Data names in its messages ("desired type = NSString").
  public var valueClassName: String? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binaryData: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .composite: "NSDictionary"
    case .undefined, .transformable, .objectID: nil
    }
  }
}
