// What an app's `import os` and `import os.log` get: logging that goes to standard error.
//
// On a device the system keeps messages and shows them to whoever asks. Here those of the levels
// that it always keeps are written down, each in a line; `info` and `debug` messages, of which
// policies write one for each object, are only put together.
//
// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@_exported import CoreDataNames

/// The levels of messages.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public init(_ rawValue: UInt8) { self.rawValue = rawValue }

  public static let `default` = OSLogType(0x00)
  public static let info = OSLogType(0x01)
  public static let debug = OSLogType(0x02)
  public static let error = OSLogType(0x10)
  public static let fault = OSLogType(0x11)

  fileprivate var isShown: Bool { self != .info && self != .debug }
}

/// A subject that messages belong to.
/// Sendable unchecked: nothing in it changes once it is made.
public final class OSLog: NSObject, @unchecked Sendable {
  public struct Category: Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
    public static let dynamicTracing = Category(rawValue: "DynamicTracing")
    public static let dynamicStackTracing = Category(rawValue: "DynamicStackTracing")
  }

  fileprivate let label: String
  private let isDisabled: Bool

  private init(label: String, isDisabled: Bool) {
    self.label = label
    self.isDisabled = isDisabled
    super.init()
  }

  public convenience init(subsystem: String, category: String) {
    self.init(label: "\(subsystem) \(category): ", isDisabled: false)
  }

  public convenience init(subsystem: String, category: Category) {
    self.init(subsystem: subsystem, category: category.rawValue)
  }

  public static let `default` = OSLog(label: "", isDisabled: false)
  public static let disabled = OSLog(label: "", isDisabled: true)

  public var signpostsEnabled: Bool { false }

  public func isEnabled(type: OSLogType) -> Bool { !isDisabled && type.isShown }

  fileprivate func write(_ type: OSLogType, _ message: @autoclosure () -> String) {
    guard isEnabled(type: type) else { return }
    FileHandle.standardError.write(Data("\(label)\(message())\n".utf8))
  }
}

/// Writes a message with C's placeholders, such as `%{public}@` and `%d`.
public func os_log(
  _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default,
  type: OSLogType = .default, _ arguments: Any?...
) {
  log.write(type, formatted(message, arguments))
}

public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default,
  _ message: StaticString, _ arguments: Any?...
) {
  log.write(type, formatted(message, arguments))
}

@_disfavoredOverload
public func os_log(
  _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: OSLogMessage
) {
  log.write(type, message.text)
}

@_disfavoredOverload
public func os_log(_ message: OSLogMessage) { OSLog.default.write(.default, message.text) }

/// The message with its arguments. What stands in braces after `%` says who may read a value, and is no
/// matter of the value's form; objects are described.
private func formatted(_ message: StaticString, _ arguments: [Any?]) -> String {
  let placeholder = #/%%|%[-+ 0#]*\d*(?:\.\d+)?(?:hh|h|ll|l|q|z|t|j)?[a-zA-Z@]/#
  var format = message.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    .replacing(#/%\{[^}]*\}/#, with: "%")
  var values: [any CVarArg] = []
  var next = arguments[...]
  format = format.replacing(placeholder) { match in
    let text = String(match.output)
    guard text != "%%", let value = next.popFirst() else { return text }
    let isObject = text.hasSuffix("@") || text.hasSuffix("s")
    guard !isObject, let number = value as? any CVarArg else {
      return (value.map { "\($0)" } ?? "(null)").replacing("%", with: "%%")
    }
    values.append(number)
    return text
  }
  return String(format: format, arguments: values)
}

// MARK: - Logger

/// Writes messages of one subject.
public struct Logger: Sendable {
  private let log: OSLog

  public init() { log = .default }
  public init(_ log: OSLog) { self.log = log }
  public init(subsystem: String, category: String) {
    log = OSLog(subsystem: subsystem, category: category)
  }

  public func log(_ message: OSLogMessage) { log.write(.default, message.text) }
  public func log(level: OSLogType, _ message: OSLogMessage) { log.write(level, message.text) }
  public func trace(_ message: OSLogMessage) { log.write(.debug, message.text) }
  public func debug(_ message: OSLogMessage) { log.write(.debug, message.text) }
  public func info(_ message: OSLogMessage) { log.write(.info, message.text) }
  public func notice(_ message: OSLogMessage) { log.write(.default, message.text) }
  public func warning(_ message: OSLogMessage) { log.write(.error, message.text) }
  public func error(_ message: OSLogMessage) { log.write(.error, message.text) }
  public func critical(_ message: OSLogMessage) { log.write(.fault, message.text) }
  public func fault(_ message: OSLogMessage) { log.write(.fault, message.text) }
}

/// A message as an interpolated text; privacy and the layout in columns have no effect.
public struct OSLogMessage: ExpressibleByStringInterpolation {
  let text: String

  public init(stringLiteral value: String) { text = value }
  public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

public struct OSLogInterpolation: StringInterpolationProtocol {
  var text = ""

  public init(literalCapacity: Int, interpolationCount: Int) {
    text.reserveCapacity(literalCapacity)
  }

  public mutating func appendLiteral(_ literal: String) { text += literal }

  public mutating func appendInterpolation<Value>(
    _ value: @autoclosure () -> Value, align: OSLogStringAlignment = .none,
    privacy: OSLogPrivacy = .auto
  ) {
    // Unlike Swift's own interpolation, which says Optional(…).
    let value: Any = value()
    text += describe(value)
  }

  public mutating func appendInterpolation<Value: BinaryInteger>(
    _ value: @autoclosure () -> Value, format: OSLogIntegerFormatting,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    text += format.text(value())
  }

  public mutating func appendInterpolation<Value: BinaryFloatingPoint>(
    _ value: @autoclosure () -> Value, format: OSLogFloatFormatting,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    text += format.text(Double(value()))
  }

  private func describe(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return "\(value)" }
    return mirror.children.first.map { describe($0.value) } ?? "nil"
  }
}

/// Who may read a value in a device's log.
public struct OSLogPrivacy: Sendable {
  public enum Mask: Sendable { case none, hash }
  public static let `public` = OSLogPrivacy()
  public static let `private` = OSLogPrivacy()
  public static let sensitive = OSLogPrivacy()
  public static let auto = OSLogPrivacy()
  public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
  public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
  public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy() }
}

public struct OSLogStringAlignment: Sendable {
  public static let none = OSLogStringAlignment()
  public static func left(columns: @autoclosure () -> Int) -> OSLogStringAlignment { none }
  public static func right(columns: @autoclosure () -> Int) -> OSLogStringAlignment { none }
}

public struct OSLogIntegerFormatting: Sendable {
  let radix: Int

  func text(_ value: some BinaryInteger) -> String { String(value, radix: radix) }

  public static let decimal = OSLogIntegerFormatting(radix: 10)
  public static let hex = OSLogIntegerFormatting(radix: 16)
  public static let octal = OSLogIntegerFormatting(radix: 8)
  public static func decimal(
    explicitPositiveSign: Bool = false, minDigits: Int = 0
  ) -> OSLogIntegerFormatting { decimal }
  public static func hex(
    explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
    minDigits: Int = 0
  ) -> OSLogIntegerFormatting { hex }
}

public struct OSLogFloatFormatting: Sendable {
  let precision: Int

  func text(_ value: Double) -> String { String(format: "%.\(precision)f", value) }

  public static let fixed = OSLogFloatFormatting(precision: 6)
  public static func fixed(
    precision: Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false
  ) -> OSLogFloatFormatting { OSLogFloatFormatting(precision: precision) }
}
