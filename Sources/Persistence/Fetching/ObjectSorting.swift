/// Sorts objects by sort descriptors, in memory. Stable: equal objects keep their order.
struct ObjectSorting {
  private let orders: [ValueOrder]
  private let paths: [Expression?]
  private let descriptors: [SortDescriptor]

  init(_ descriptors: [SortDescriptor]) {
    self.descriptors = descriptors
    orders = descriptors.map { ValueOrder($0) }
    paths = descriptors.map { descriptor in
      guard let key = descriptor.key, key.contains(".") else { return nil }
      return Expression(forKeyPath: key)
    }
  }

  var isEmpty: Bool { descriptors.isEmpty }

  /// - Throws: For a key that the objects don't have.
  func sorted<Element>(
    _ elements: [Element], by object: (Element) -> any KeyValueCoding
  ) throws -> [Element] {
    if isEmpty || elements.count < 2 { return elements }
    let keyed = try elements.enumerated().map { index, element in
      (index: index, keys: try keys(of: object(element)), element: element)
    }
    return keyed.sorted { a, b in
      let order = compare(a.keys, b.keys)
      return order == .orderedSame ? a.index < b.index : order == .orderedAscending
    }.map(\.element)
  }

  /// The values an object is sorted by.
  func keys(of object: any KeyValueCoding) throws -> [Value] {
    try zip(descriptors, paths).map { descriptor, path in
      if let path { return try path.value(for: .object(object), variables: [:]) }
      guard let key = descriptor.key else { return .object(object) }
      return try object.typedValue(forKey: key)
    }
  }

  /// The values that anything else than a managed object is sorted by.
  func keys(of value: Value) throws -> [Value] {
    try descriptors.map { descriptor in
      guard let key = descriptor.key else { return value }
      return try Expression(forKeyPath: key).value(for: value, variables: [:])
    }
  }

  func compare(_ a: [Value], _ b: [Value]) -> ComparisonResult {
    for (position, order) in orders.enumerated() {
      let result = order.compare(a[position], b[position])
      if result != .orderedSame { return result }
    }
    return .orderedSame
  }
}

/// The order of values: nil before everything, numbers by value, texts by code unit unless a
/// selector says otherwise.
struct ValueOrder {
  private let texts: SortDescriptor.TextOrder
  /// The descriptor, where it compares by code.
  private let coded: SortDescriptor?
  private let isAscending: Bool

  init(_ descriptor: SortDescriptor) {
    texts = SortDescriptor.TextOrder(selectorName: descriptor.selectorName) ?? .binary
    coded = descriptor.comparator == nil ? nil : descriptor
    isAscending = descriptor.ascending
  }

  /// The natural order, upwards.
  static let natural = ValueOrder(SortDescriptor(key: nil, ascending: true))

  func compare(_ a: Value, _ b: Value) -> ComparisonResult {
    let order = ascendingOrder(a, b)
    return isAscending ? order : ComparisonResult(rawValue: -order.rawValue) ?? .orderedSame
  }

  private func ascendingOrder(_ a: Value, _ b: Value) -> ComparisonResult {
    if let comparator = coded?.comparator, let a = a.boxed, let b = b.boxed {
      return comparator(a, b)
    }
    return switch (a, b) {
    case (.null, .null): .orderedSame
    case (.null, _): .orderedAscending
    case (_, .null): .orderedDescending
    case (.string(let a), .string(let b)): texts.compare(a, b)
    case (.integer(let a), .integer(let b)): order(a, b)
    case (.date(let a), .date(let b)): order(a, b)
    case (.decimal(let a), .decimal(let b)): order(a, b)
    case (.uuid(let a), .uuid(let b)): order(a.uuidString, b.uuidString)
    case (.uri(let a), .uri(let b)): texts.compare(a.absoluteString, b.absoluteString)
    case (.data(let a), .data(let b)): ByteOrder.compare(a, b)
    case (.object(let a), .object(let b)): order(Self.key(of: a), Self.key(of: b))
    default: order(a.doubleValue ?? 0, b.doubleValue ?? 0)
    }
  }

  private func order<T: Comparable>(_ a: T, _ b: T) -> ComparisonResult {
    a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
  }

  private static func key(of object: AnyObject) -> Int64 {
    ((object as? any IdentifiedObject)?.identity as? ManagedObjectID)?.current.primaryKey ?? 0
  }
}

extension SortDescriptor {
  /// The order of two values in the descriptor's direction.
  func compare(_ a: Value, _ b: Value) -> ComparisonResult { ValueOrder(self).compare(a, b) }
}
