extension Value {
  /// Another value of the same kind for each number, where a copy of a value must be unique.
  /// - Returns: Nil for kinds of which there is none.
  func distinct(_ number: Int) -> Value? {
    switch self {
    case .string(let text): .string("\(text) \(number)")
    case .integer(let whole): .integer(whole &+ Int64(number) &* 1_000_003)
    case .uuid(let uuid): .uuid(uuid.distinct(number))
    case .uri(let url): url.distinct(number).map { .uri($0) }
    case .null, .double, .decimal, .date, .data, .transformable, .object, .collection: nil
    }
  }
}

extension AttributeDescription {
  /// Another value for each number, where a copy of a value must be unique.
  /// - Returns: Nil where the type has none: a Boolean, or a number that is too large for it.
  package func distinct(_ value: Value, _ number: Int) -> Value? {
    guard let other = value.distinct(number) else { return nil }
    switch (attributeType, other) {
    case (.boolean, _): return nil
    case (.integer16, .integer(let whole)): return Int16(exactly: whole).map { _ in other }
    case (.integer32, .integer(let whole)): return Int32(exactly: whole).map { _ in other }
    default: return other
    }
  }
}

extension Value {
  /// Whether a number can stand after it.
  var isTextOrURI: Bool {
    switch self {
    case .string, .uri: true
    case .null, .integer, .double, .decimal, .date, .data, .uuid, .transformable, .object,
      .collection:
      false
    }
  }
}

extension UUID {
  /// Of chance that both decide: counting on would meet others that were given one after the other.
  fileprivate func distinct(_ number: Int) -> UUID {
    let halves = withUnsafeBytes(of: uuid) { $0.loadUnaligned(as: (UInt64, UInt64).self) }
    var first = Chance(state: halves.0 ^ UInt64(number).byteSwapped)
    var second = Chance(state: halves.1 ^ first.next())
    var bytes = withUnsafeBytes(of: (first.next(), second.next())) { Array($0) }
    // Version 8 is for whatever an application makes.
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

extension URL {
  /// The same place with another fragment, which leaves every other part as it is.
  fileprivate func distinct(_ number: Int) -> URL? {
    URL(string: absoluteString + (fragment == nil ? "#" : "-") + "\(number)")
  }
}
