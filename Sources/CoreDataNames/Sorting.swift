// Foundation's collections sorted by this module's sort descriptors.

extension NSArray {
  public func sortedArray(using sortDescriptors: [SortDescriptor]) -> [Any] {
    sortDescriptors.sorted(map { $0 })
  }
}

extension NSMutableArray {
  public func sort(using sortDescriptors: [SortDescriptor]) {
    setArray(sortDescriptors.sorted(map { $0 }))
  }
}

extension NSSet {
  public func sortedArray(using sortDescriptors: [SortDescriptor]) -> [Any] {
    sortDescriptors.sorted(allObjects)
  }
}

extension NSOrderedSet {
  public func sortedArray(using sortDescriptors: [SortDescriptor]) -> [Any] {
    sortDescriptors.sorted((0..<count).map { object(at: $0) })
  }
}

extension NSMutableOrderedSet {
  public func sort(using sortDescriptors: [SortDescriptor]) {
    let sorted = sortedArray(using: sortDescriptors)
    removeAllObjects()
    addObjects(from: sorted)
  }
}

extension SortDescriptor {
  /// The order of one of Swift's, which compares texts as people do unless it says otherwise.
  public convenience init<Compared>(_ other: Foundation.SortDescriptor<Compared>) {
    let type = other.keyPath.map { Swift.type(of: $0).valueType }
    let isText = type == String.self || type == Optional<String>.self
    let isPlain = !isText || other.stringComparator == .lexical
    self.init(
      key: other.keyPath.map(KeyPathNames.text), ascending: other.order == .forward,
      selectorName: isPlain ? nil : "localizedStandardCompare:")
  }
}
