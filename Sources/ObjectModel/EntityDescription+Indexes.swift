extension EntityDescription {
  /// Adds the fetch indexes that Core Data makes from the kinds of index before Xcode 9: for each
  /// attribute marked as indexed, one of the attribute's name; for each compound index, one named
  /// by its properties joined with `_`.
  /// Core Data: observed in model caches since framework 847.
  func addIndexes(fromCompounds compounds: [[String]]) {
    let marked = ownProperties.compactMap { $0 as? AttributeDescription }.filter(\.isIndexed)
    var known = Set(indexes.map(\.name))
    for names in marked.map({ [$0.name] }) + compounds where !names.isEmpty {
      let name = names.joined(separator: "_")
      guard known.insert(name).inserted else { continue }
      indexes.append(
        FetchIndexDescription(name: name, elements: names.map { .init(propertyName: $0) }))
    }
  }
}
