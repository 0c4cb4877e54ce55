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
