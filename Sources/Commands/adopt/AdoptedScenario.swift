/// A scenario with a device's store in it: the text that its file gets.
struct AdoptedScenario {
  let file: SourceFile
  /// What paths in the scenario are relative to.
  let folder: URL
  let before: URL
  let after: URL

  /// Most objects of an entity that are looked at one by one; all are counted.
  private static let mostObjects = 5

  /// - Throws: ``Diagnostics`` for a file that has several scenarios or a seed of its own, or whose models the
  ///   stores don't fit.
  func text() throws -> String {
    let scenario = try ScenarioReader.read(file, in: folder)
    let models = try scenario.loadModels()
    let version = try version(of: after, models)
    _ = try self.version(of: before, models)
    guard let entries = try SourceNode.yamlDocuments(file).first?.map, scenario.number == nil else {
      throw Diagnostics(file: file.path, "adopt needs a file with one scenario")
    }
    func entry(_ key: String) -> SourceNode.Entry? { entries.first { $0.key.value == key } }
    if let seed = entry("seed") {
      throw refusal(
        "the scenario has a seed; leave it out, since the store before takes its place",
        seed.key.place)
    }
    let paths = [("store", before), ("device", after)]
    for (key, url) in paths {
      guard let node = entry(key)?.value, folder.resolving(node.text ?? "").realPath != url.realPath
      else { continue }
      throw refusal(
        "the scenario has another '\(key)'; write a scenario of its own for this one", node.place)
    }
    let parts = ScenarioParts(folder: folder)
    let missing = paths.filter { entry($0.0) == nil }.map { "\($0.0): \(parts.path(to: $0.1))" }
    if missing.isEmpty { return file.text }
    var lines = file.text.components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() }
    let items = try ScenarioParts.expectations(expectations(models[version]))
    if let expect = entry("expect") {
      try insert(Array(items.dropFirst()), into: &lines, after: expect, among: entries)
    } else {
      lines += items
    }
    let place = (entry("chain") ?? entry("expect"))?.key.place.line ?? lines.count + 1
    lines.insert(contentsOf: missing, at: place - 1)
    let text = lines.joined(separator: "\n") + "\n"
    // What was written must be read as a whole, or nothing is written.
    _ = try CheckedScenario.check(
      try ScenarioReader.read(SourceFile(path: file.path, text: text), in: folder))
    return text
  }

  private func refusal(_ text: String, _ place: SourcePlace) -> Diagnostics {
    Diagnostics(text, at: place)
  }

  private func version(of store: URL, _ models: VersionedModels) throws -> String {
    do {
      let found = models.names(fitting: try StoreFile(readingFrom: store).metadata)
      if let version = found.last { return version }
    } catch let error as CoreDataError { throw error.at(file: store.relativePath) }
    throw Diagnostics(file: store.relativePath, "this store is of no version of the scenario")
  }

  /// Puts items at the end of the list that is there, with its indentation.
  private func insert(
    _ items: [String], into lines: inout [String], after expect: SourceNode.Entry,
    among entries: [SourceNode.Entry]
  ) throws {
    guard let first = expect.value.list?.first, first.place.line > expect.key.place.line else {
      throw refusal("write 'expect' as a list with a line for each item", expect.key.place)
    }
    let indentation = lines[first.place.line - 1].prefix { $0 == " " }
    let next = entries.map(\.key.place.line).filter { $0 > expect.key.place.line }.min()
    var end = (next ?? lines.count + 1) - 1
    while end > first.place.line,
      lines[end - 1].allSatisfy(\.isWhitespace) || lines[end - 1].hasPrefix("#")
    {
      end -= 1
    }
    lines.insert(contentsOf: items.map { "\(indentation)\($0.dropFirst(2))" }, at: end)
  }

  // MARK: What the device's store holds

  private func expectations(_ model: ManagedObjectModel?) throws -> [Notation] {
    guard let model else { return [] }
    let store = try SQLiteStore.openReadOnly(at: after, model: model)
    defer { store.closeUnchanged() }
    let content = try ContentSnapshot(of: store, provenance: Provenance())
    // Each value would be expected to be nil; links are expected nowhere.
    let unread = store.findings.filter { $0.kind.isReadAsNil && $0.object != nil }
      .prefix(Self.mostObjects)
    if !unread.isEmpty {
      throw Diagnostics(unread.map { Diagnostic(file: after.relativePath, "\($0)") })
    }
    let entities = model.entities.filter { !$0.isAbstract }
    return content.countExpectations(of: entities.map(\.name))
      + entities.flatMap { entity in objects(of: entity, content) }
  }

  /// Some objects by a text or number that each of the entity has for itself.
  private func objects(of entity: EntityDescription, _ content: ContentSnapshot) -> [Notation] {
    let all = content.objects.filter { $0.entity.isKindOf(entity: entity) }
    // A text says more of an object than a number does.
    let keys = [[AttributeType.string], [.integer16, .integer32, .integer64]].flatMap { types in
      entity.attributes.filter { types.contains($0.attributeType) }
    }
    let key = keys.first { attribute in
      let values = all.map { $0.value(of: attribute.name) }
      return !values.contains(where: \.isNull) && Set(values).count == values.count
    }
    guard let key else { return [] }
    let own = all.filter { $0.entity === entity }
    return own.prefix(Self.mostObjects).compactMap { object in
      let constant = Expression(forConstantValue: object.value(of: key.name).boxed)
      let fields = zip(entity.attributes, object.values).compactMap {
        attribute, value -> Notation.Field? in
        guard attribute.isStored, let notation = value.notation(as: attribute),
          notation != .text("any"), notation != .text("present"),
          notation.yaml(inFlow: false).count <= 80
        else { return nil }
        return .init(key: attribute.name, value: notation)
      }
      return .object(
        "\(entity.name) where \(key.name) == \(constant)", has: fields)
    }
  }
}

extension ContentSnapshot.Object {
  fileprivate func value(of attribute: String) -> Value {
    zip(entity.attributes, values).first { $0.0.name == attribute }?.1 ?? .null
  }
}
