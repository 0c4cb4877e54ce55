/// The order of a controller's results, and the values it goes by.
struct ResultOrder {
  private let descriptors: [SortDescriptor]
  private let paths: [Expression?]

  init(_ descriptors: [SortDescriptor]) {
    self.descriptors = descriptors
    paths = descriptors.map { $0.key.map { Expression(forKeyPath: $0) } }
  }

  /// - Throws: For a key that the object doesn't have.
  func keys(of object: ManagedObject) throws -> [Value] {
    try paths.map { try $0?.value(for: .object(object)) ?? .object(object) }
  }

  func compare(_ a: [Value], _ b: [Value]) -> ComparisonResult {
    for (position, descriptor) in descriptors.enumerated() {
      let order = descriptor.compare(a[position], b[position])
      if order != .orderedSame { return order }
    }
    return .orderedSame
  }
}
