/// Default values in archived models: numbers and text as such, other types as Foundation archives
/// them.
package enum ArchivedDefault {
  /// The value; nil for an object of a class that isn't known here.
  package static func value(of archived: ArchivedValue) -> Value? {
    switch archived {
    case .null: .null
    case .bool(let value): .integer(value ? 1 : 0)
    case .integer(let value): .integer(value)
    case .real(let value): .double(value)
    case .string(let value): .string(value)
    case .data(let value): .data(value)
    case .date(let value): .date(value)
    case .object(let object): value(of: object)
    case .array, .dictionary: nil
    }
  }

  private static func value(of object: ArchivedObject) -> Value? {
    let classNames = object.classNames
    if classNames.contains("NSDecimalNumber") { return decimal(object).map { .decimal($0) } }
    if classNames.contains("NSUUID") { return uuid(object["NS.uuidbytes"]).map { .uuid($0) } }
    if classNames.contains("NSURL") {
      return object["NS.relative"].stringValue.flatMap { URL(string: $0) }.map { .uri($0) }
    }
    return nil
  }

  private static func uuid(_ value: ArchivedValue) -> UUID? {
    guard let bytes = value.dataValue, bytes.count == 16 else { return nil }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// Digits in eight 16-bit parts, the least significant first, times a power of ten. The parts
  /// themselves are in the byte order that the archive names: 1 for little-endian.
  private static func decimal(_ object: ArchivedObject) -> Decimal? {
    guard let mantissa = object["NS.mantissa"].dataValue, mantissa.count == 16,
      let exponent = object["NS.exponent"].integerValue, (-128...127).contains(exponent),
      let length = object["NS.length"].integerValue, (0...8).contains(length)
    else { return nil }
    if length == 0, object["NS.negative"].isTrue { return .nan }
    let isLittleEndian = object["NS.mantissa.bo"].integerValue != 2
    let bytes = Array(mantissa)
    var digits = Decimal(0)
    for part in (0..<Int(length)).reversed() {
      let (low, high) = (UInt64(bytes[part * 2]), UInt64(bytes[part * 2 + 1]))
      digits = digits * 65_536 + Decimal(isLittleEndian ? high << 8 | low : low << 8 | high)
    }
    let isNegative = object["NS.negative"].isTrue
    return Decimal(sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: digits)
  }
}

// MARK: - Writing

extension ArchivedDefault {
  /// Adds a default value to an archive. Values of Transformable attributes have no archived form
  /// of their own and are left out, as Core Data's model files can't have them either.
  static func add(_ value: Value, to writer: KeyedArchiveWriter) -> KeyedArchiveWriter.Reference {
    switch value {
    case .integer(let value): writer.add(integer: value)
    case .double(let value): writer.add(real: value)
    case .string(let value): writer.add(value)
    case .data(let value): writer.add(data: value)
    case .date(let value):
      writer.add("NSDate", fields: ["NS.time": .real(value.timeIntervalSinceReferenceDate)])
    case .uuid(let value):
      writer.add("NSUUID", fields: ["NS.uuidbytes": .data(bytes(of: value))])
    case .uri(let value):
      writer.add(
        "NSURL",
        fields: [
          "NS.base": .reference(.null), "NS.relative": .reference(writer.add(value.absoluteString)),
        ])
    case .decimal(let value): add(value, to: writer)
    case .null, .transformable, .object, .collection: .null
    }
  }

  private static func bytes(of uuid: UUID) -> Data { withUnsafeBytes(of: uuid.uuid) { Data($0) } }

  private static func add(
    _ decimal: Decimal, to writer: KeyedArchiveWriter
  ) -> KeyedArchiveWriter.Reference {
    let parts = mantissa(of: decimal)
    let length = (parts.lastIndex { $0 != 0 } ?? -1) + 1
    return writer.add(
      "NSDecimalNumber", "NSNumber", "NSValue",
      fields: [
        "NS.exponent": .integer(Int64(decimal.exponent)),
        "NS.length": .integer(Int64(length)),
        "NS.negative": .bool(decimal.isSignMinus || decimal.isNaN),
        "NS.compact": .bool(true),
        "NS.mantissa.bo": .integer(1),
        "NS.mantissa": .data(Data(parts.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })),
      ])
  }

  /// The digits in eight 16-bit parts, the least significant first.
  private static func mantissa(of decimal: Decimal) -> [UInt16] {
    if decimal.isNaN { return Array(repeating: 0, count: 8) }
    var rest = decimal.significand
    return (0..<8).map { _ in
      var quotient = Decimal()
      var unrounded = rest / 65_536
      NSDecimalRound(&quotient, &unrounded, 0, .down)
      let part = NSDecimalNumber(decimal: rest - quotient * 65_536).uint16Value
      rest = quotient
      return part
    }
  }
}

extension KeyedArchiveWriter {
  /// Adds a simple value, as Foundation archives it; nil for null and what isn't simple.
  package func add(value: Value) -> Reference { ArchivedDefault.add(value, to: self) }
}
