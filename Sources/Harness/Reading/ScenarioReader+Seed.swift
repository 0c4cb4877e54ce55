extension ScenarioReader {
  /// Rows per entity, or such a map per version.
  func seeds(_ node: SourceNode, versions: [String]) -> [Seed] {
    guard !node.isNull, let entries = collector.map(node, of: "seed") else { return [] }
    // Rows are lists, so a map below the first level can only be a version's.
    guard entries.contains(where: { $0.value.map != nil || versions.contains($0.key.value) }) else {
      return [Seed(version: nil, content: .rows(rows(entries)))]
    }
    return entries.map { entry in
      let ofVersion = entry.value.isNull ? [] : collector.map(entry.value, of: entry.key.value)
      return Seed(version: entry.key, content: .rows(rows(ofVersion ?? [])))
    }
  }

  /// `store: file.sqlite`, or a path per version.
  func stores(_ node: SourceNode) -> [Seed] {
    guard let entries = node.map else {
      guard let path = collector.text(node, of: "store") else { return [] }
      return [Seed(version: nil, content: .store(path))]
    }
    return entries.compactMap { entry in
      collector.text(entry.value, of: entry.key.value).map {
        Seed(version: entry.key, content: .store($0))
      }
    }
  }

  private func rows(_ entries: [SourceNode.Entry]) -> [SeedRow] {
    entries.flatMap { entry -> [SeedRow] in
      if entry.value.isNull { return [] }
      guard let items = collector.list(entry.value, of: entry.key.value) else { return [] }
      return items.compactMap { item in
        if item.isNull { return SeedRow(entity: entry.key, place: item.place, fields: []) }
        guard let fields = collector.map(item, of: entry.key.value) else { return nil }
        return SeedRow(entity: entry.key, place: item.place, fields: values(fields))
      }
    }
  }

  func values(_ entries: [SourceNode.Entry]) -> [PropertyValue] {
    entries.map { PropertyValue(key: $0.key, value: $0.value) }
  }

  func values(_ node: SourceNode?, of key: String) -> [PropertyValue] {
    node.flatMap { collector.map($0, of: key) }.map(values) ?? []
  }
}
