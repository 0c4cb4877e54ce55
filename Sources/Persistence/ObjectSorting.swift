/// Sorts objects by sort descriptors, in memory. Stable: equal objects keep their order.
struct ObjectSorting {
  private let descriptors: [SortDescriptor]

  init(_ descriptors: [SortDescriptor]) { self.descriptors = descriptors }

  /// - Throws: For a key that the objects don't have.
  func sorted(_ objects: [ManagedObject]) throws -> [ManagedObject] {
    if descriptors.isEmpty || objects.count < 2 { return objects }
    let keyed = try objects.enumerated().map { index, object in
      (index: index, keys: try keys(of: object), object: object)
    }
    return keyed.sorted { a, b in
      for (position, descriptor) in descriptors.enumerated() {
        let order = descriptor.compare(a.keys[position], b.keys[position])
        if order != .orderedSame { return order == .orderedAscending }
      }
      return a.index < b.index
    }.map(\.object)
  }

  private func keys(of object: ManagedObject) throws -> [Value] {
    try descriptors.map { descriptor in
      guard let key = descriptor.key else { return .object(object) }
      if !key.contains(".") { return try object.typedValue(forKey: key) }
      return try Expression(forKeyPath: key).value(for: .object(object), variables: [:])
    }
  }
}

extension SortDescriptor {
  /// The order of two values: nil before everything, numbers by value, texts by code unit unless
  /// a selector says otherwise.
  func compare(_ a: Value, _ b: Value) -> ComparisonResult {
    let order = ascendingOrder(a, b)
    return ascending ? order : ComparisonResult(rawValue: -order.rawValue) ?? .orderedSame
  }

  private func ascendingOrder(_ a: Value, _ b: Value) -> ComparisonResult {
    switch (a, b) {
    case (.null, .null): .orderedSame
    case (.null, _): .orderedAscending
    case (_, .null): .orderedDescending
    case (.string(let a), .string(let b)): textOrder(a, b)
    case (.integer(let a), .integer(let b)): order(a, b)
    case (.date(let a), .date(let b)): order(a, b)
    case (.decimal(let a), .decimal(let b)): order(a, b)
    case (.uuid(let a), .uuid(let b)): order(a.uuidString, b.uuidString)
    case (.uri(let a), .uri(let b)): textOrder(a.absoluteString, b.absoluteString)
    case (.data(let a), .data(let b)): Self.byteOrder(a, b)
    case (.object(let a as ManagedObject), .object(let b as ManagedObject)):
      order(a.objectID.primaryKey, b.objectID.primaryKey)
    default: order(a.doubleValue ?? 0, b.doubleValue ?? 0)
    }
  }

  private func order<T: Comparable>(_ a: T, _ b: T) -> ComparisonResult {
    a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
  }

  private func textOrder(_ a: String, _ b: String) -> ComparisonResult {
    switch selectorName {
    case "caseInsensitiveCompare:", "localizedCaseInsensitiveCompare:":
      return a.compare(b, options: .caseInsensitive)
    case "localizedCompare:": return a.compare(b, locale: Locale(identifier: "en_US_POSIX"))
    case "localizedStandardCompare:":
      return a.compare(b, options: [.caseInsensitive, .numeric, .widthInsensitive])
    default:
      return Self.byteOrder(a.utf8, b.utf8)
    }
  }

  private static func byteOrder(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>)
    -> ComparisonResult
  {
    if a.lexicographicallyPrecedes(b) { return .orderedAscending }
    return b.lexicographicallyPrecedes(a) ? .orderedDescending : .orderedSame
  }
}
