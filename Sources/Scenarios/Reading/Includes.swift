/// What scenarios share: files whose models, seeds, policies and defaults stand for those that a scenario
/// doesn't write itself.
///
/// The file `defaults.scenario.yaml` beside a scenario is one of them without being named.
package struct Includes {
  /// What a shared file may say.
  static let keys = ["models", "policies", "seed", "store", "defaults"]
  /// The name of the file that all scenarios of a folder share.
  package static let folderFile = "defaults.scenario.yaml"

  private let collector: DiagnosticCollector
  /// The scenario's folder, and its path as messages show it.
  private let folder: URL
  private let shownFolder: String
  /// The files that were read.
  private(set) var files: [URL] = []
  /// What they say in vain, since the scenario or a file before them says it otherwise.
  private(set) var unused: [SourceNode.Entry] = []

  init(for file: SourceFile, in folder: URL, collector: DiagnosticCollector) {
    self.collector = collector
    self.folder = folder
    shownFolder = RelativePath.folder(of: file.path)
  }

  /// The scenario's entries with those that it shares and has none of. What the scenarios of its file
  /// share counts first; of the shared files those that are named first, and the folder's file last.
  mutating func completed(
    _ entries: [SourceNode.Entry], in file: [SourceNode.Entry]
  ) -> [SourceNode.Entry] {
    var result = entries
    for entry in file { add(entry, to: &result) }
    for path in paths(entries) {
      for entry in shared(path) where !add(entry, to: &result) { unused.append(entry) }
    }
    if let models = ProjectFile.current?.modelsEntry { add(models, to: &result) }
    return result
  }

  private func paths(_ entries: [SourceNode.Entry]) -> [Located<String>] {
    let named = entries.first { $0.key.value == "include" }
      .map { collector.texts($0.value, of: "include") }
    var paths = named ?? []
    let beside = folder.appending(path: Self.folderFile)
    if case .file = FileKind(of: beside) {
      let start = entries.first?.key.place ?? paths.first?.place
      if let start { paths.append(Located(Self.folderFile, at: start)) }
    }
    return paths
  }

  /// The entries of a shared file, with paths as the scenario would write them.
  private mutating func shared(_ path: Located<String>) -> [SourceNode.Entry] {
    guard collector.isFile(path, in: folder) else { return [] }
    let url = folder.resolving(path.value)
    files.append(url)
    let shown = (shownFolder as NSString).appendingPathComponent(path.value)
    guard
      let root = collector.attempt(
        at: path.place,
        { try SourceNode.yaml(SourceFile(contentsOf: url, shownAs: shown)) }),
      let entries = collector.map(root, of: path.value)
    else { return [] }
    let prefix = RelativePath.folder(of: path.value)
    return entries.filter(isKnown).map { $0.withPaths(below: prefix) }
  }

  private func isKnown(_ entry: SourceNode.Entry) -> Bool {
    if Self.keys.contains(entry.key.value) { return true }
    let hint = Spelling.hint(for: entry.key.value, among: Self.keys, called: "known keys")
    collector.report(
      "unknown key '\(entry.key.value)' in a shared file\(hint)", at: entry.key.place)
    return false
  }

  /// - Returns: Whether it counts.
  @discardableResult
  private func add(_ entry: SourceNode.Entry, to entries: inout [SourceNode.Entry]) -> Bool {
    // A scenario with a seed of its own has no need of a shared store, and the other way round.
    let same: Set =
      ["seed", "store"].contains(entry.key.value) ? ["seed", "store"] : [entry.key.value]
    guard let index = entries.firstIndex(where: { same.contains($0.key.value) }) else {
      entries.append(entry)
      return true
    }
    guard entry.key.value == "defaults" else { return false }
    entries[index] = entries[index].filled(by: entry, levels: 2)
    return true
  }
}

extension SourceNode.Entry {
  /// The map with the entries of another one that it has none of, to some depth.
  fileprivate func filled(by other: SourceNode.Entry, levels: Int) -> SourceNode.Entry {
    guard levels > 0, var own = value.map, let others = other.value.map else { return self }
    for entry in others {
      if let index = own.firstIndex(where: { $0.key.value == entry.key.value }) {
        own[index] = own[index].filled(by: entry, levels: levels - 1)
      } else {
        own.append(entry)
      }
    }
    return SourceNode.Entry(key: key, value: SourceNode(content: .map(own), place: value.place))
  }

  /// The entry with what are paths in it put below a folder.
  fileprivate func withPaths(below folder: String) -> SourceNode.Entry {
    if folder.isEmpty { return self }
    switch key.value {
    case "store": return SourceNode.Entry(key: key, value: value.withTexts(below: folder))
    case "models":
      return SourceNode.Entry(key: key, value: value.withModelPaths(below: folder))
    case "policies":
      return SourceNode.Entry(
        key: key, value: value.withPaths(below: folder, of: ["sources", "stubs"]))
    default: return self
    }
  }
}

extension SourceNode {
  /// With every text in it put below a folder.
  fileprivate func withTexts(below folder: String) -> SourceNode {
    switch content {
    case .scalar(let text, let isPlain):
      if isNull || text.hasPrefix("/") { return self }
      let path = (folder as NSString).appendingPathComponent(text)
      return SourceNode(content: .scalar(path, isPlain: isPlain), place: place)
    case .list(let items):
      return SourceNode(content: .list(items.map { $0.withTexts(below: folder) }), place: place)
    case .map(let entries):
      let moved = entries.map { Entry(key: $0.key, value: $0.value.withTexts(below: folder)) }
      return SourceNode(content: .map(moved), place: place)
    }
  }

  /// With the texts of some keys put below a folder, in a map or in each of a list.
  fileprivate func withPaths(below folder: String, of keys: Set<String>) -> SourceNode {
    if let items = list {
      let moved = items.map { $0.withPaths(below: folder, of: keys) }
      return SourceNode(content: .list(moved), place: place)
    }
    guard let entries = map else { return self }
    let moved = entries.map { entry in
      keys.contains(entry.key.value)
        ? Entry(key: entry.key, value: entry.value.withTexts(below: folder)) : entry
    }
    return SourceNode(content: .map(moved), place: place)
  }

  /// Paths of models stand alone, below `xcode`, or for a version; versions that are written aren't paths.
  fileprivate func withModelPaths(below folder: String) -> SourceNode {
    guard let entries = map else { return withTexts(below: folder) }
    if entries.contains(where: { $0.key.value == "xcode" }) {
      return withPaths(below: folder, of: ["xcode"])
    }
    let moved = entries.map { entry in
      entry.value.map == nil
        ? Entry(key: entry.key, value: entry.value.withTexts(below: folder)) : entry
    }
    return SourceNode(content: .map(moved), place: place)
  }
}

// MARK: - What isn't used

extension ScenarioReader {
  /// Reads what shared files say in vain, for the mistakes in it: else only the next scenario would meet them.
  func readUnused(_ entries: [SourceNode.Entry], into scenario: inout Scenario) {
    for entry in entries where entry.key.value == "models" {
      scenario.unusedModels.append(modelSource(entry.value))
    }
    let versions = ([scenario.models] + scenario.unusedModels).flatMap(\.versionNames)
    for entry in entries {
      switch entry.key.value {
      case "policies": _ = policies(entry.value)
      case "seed" where entry.value.text == nil: _ = seeds(entry.value, versions: versions)
      case "seed": _ = samplesPlace(entry.value)
      case "store": _ = stores(entry.value)
      default: break
      }
    }
  }
}

// MARK: - Defaults

extension ScenarioReader {
  /// `defaults: { Song: { length: 3 } }`: what rows of an entity say that don't say it themselves.
  func defaults(_ fields: Fields) -> [EntityDefaults] {
    guard let node = fields.node("defaults"), !node.isNull else { return [] }
    return (collector.map(node, of: "defaults") ?? []).map { entry in
      let values = values(entry.value, of: entry.key.value)
      for value in values where ["id", ".id"].contains(value.key.value) {
        collector.report("rows can't share a name", at: value.key.place)
      }
      return EntityDefaults(entity: entry.key, values: values)
    }
  }
}

extension Seed {
  /// The seed with each row's missing properties from the defaults of its entity.
  func filled(by defaults: [EntityDefaults], of scenario: Scenario) -> Seed {
    guard case .rows(let rows) = content, !defaults.isEmpty else { return self }
    let byEntity = Dictionary(firstOf: defaults.map { ($0.entity.value, $0.values) })
    var seed = self
    seed.content = .rows(
      rows.map { row in
        var row = row
        let written = Set(row.fields.map(\.key.value))
        let added = (byEntity[row.entity.value] ?? []).filter { !written.contains($0.key.value) }
        row.fields += added
        row.sharedFields = Set(added.map(\.key).filter { scenario.isShared($0.place) }.map(\.value))
        return row
      })
    return seed
  }
}
