extension ScenarioReader {
  private static let entityOptions = [
    ".parent", ".abstract", ".unique", ".index", ".was", ".modifier", ".class", ".userInfo",
  ]

  func modelSource(_ node: SourceNode) -> ModelSource {
    if node.isNull { return .inline([], place: node.place) }
    if node.map == nil { return .xcode(collector.texts(node, of: "models"), versions: []) }
    let entries = node.map ?? []
    guard entries.contains(where: { $0.key.value == "xcode" }) else {
      return .inline(entries.map(modelVersion), place: node.place)
    }
    let fields = Fields(
      entries, of: "models from Xcode", known: ["xcode", "versions"], at: node.place, to: collector)
    return .xcode(fields.texts("xcode"), versions: fields.texts("versions"))
  }

  private func modelVersion(_ entry: SourceNode.Entry) -> ModelVersion {
    if let path = entry.value.text {
      return ModelVersion(
        name: entry.key, definition: .file(Located(path, at: entry.value.place)))
    }
    let entities = entry.value.isNull ? [] : collector.map(entry.value, of: entry.key.value) ?? []
    return ModelVersion(name: entry.key, definition: .entities(entities.map(entity)))
  }

  private func entity(_ entry: SourceNode.Entry) -> EntityNotation {
    let entries = entry.value.isNull ? [] : collector.map(entry.value, of: entry.key.value) ?? []
    let (options, names) = entries.optionsAndNames
    var entity = EntityNotation(name: entry.key)
    read(options, at: entry.value.place, into: &entity)
    entity.properties = names.compactMap { property in
      collector.text(property.value, of: property.key.value).map {
        PropertyNotation(name: property.key, text: $0)
      }
    }
    return entity
  }

  private func read(
    _ options: [SourceNode.Entry], at place: SourcePlace, into entity: inout EntityNotation
  ) {
    let fields = Fields(
      options, of: "the options of an entity", known: Self.entityOptions, at: place, to: collector)
    entity.parent = fields.text(".parent")
    entity.isAbstract = fields.flag(".abstract") ?? false
    entity.unique = propertyLists(fields, ".unique")
    entity.indexes = propertyLists(fields, ".index")
    entity.was = fields.text(".was")?.value
    entity.modifier = fields.text(".modifier")?.value
    entity.className = fields.text(".class")?.value
    entity.userInfo =
      fields.node(".userInfo").map {
        collector.dictionary($0, of: ".userInfo")
      } ?? [:]
  }

  /// `name`, `[name, [city, street]]`: single properties and lists of properties.
  private func propertyLists(_ fields: Fields, _ key: String) -> [[Located<String>]] {
    guard let node = fields.node(key) else { return [] }
    let items = node.list ?? [node]
    return items.map { collector.texts($0, of: key) }
  }

  func policies(_ node: SourceNode) -> [PolicyModule] {
    (node.list ?? [node]).compactMap { item in
      guard let entries = collector.map(item, of: "policies") else { return nil }
      let fields = Fields(
        entries, of: "policies", known: ["module", "sources", "stubs", "prefix"], at: item.place,
        to: collector)
      guard let module = fields.text("module") else {
        if fields.entry("module") == nil {
          collector.report("policies need a 'module', as in 'module: Songbook'", at: item.place)
        }
        return nil
      }
      let sources = fields.texts("sources")
      if fields.entry("sources") == nil {
        collector.report(
          "policies need 'sources', as in 'sources: Policies/*.swift'", at: item.place)
      }
      return PolicyModule(
        name: module, sources: sources, prefix: fields.text("prefix")?.value,
        stubs: fields.node("stubs").map(stubs) ?? [])
    }
  }

  /// `{ HealthKit: Stubs/HealthKit.swift }`
  private func stubs(_ node: SourceNode) -> [PolicyModule] {
    (collector.map(node, of: "stubs") ?? []).map { entry in
      PolicyModule(
        name: entry.key, sources: collector.texts(entry.value, of: entry.key.value))
    }
  }
}
