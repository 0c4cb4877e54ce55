extension ScenarioReader {
  private static let entityOptions = [
    ".parent", ".abstract", ".unique", ".index", ".was", ".modifier", ".class", ".userInfo",
  ]

  func modelSource(_ node: SourceNode) -> ModelSource {
    if node.isNull { return .inline([], place: node.place) }
    collector.refuseEmptyList(node, of: "models")
    if node.map == nil { return .xcode(collector.texts(node, of: "models"), versions: []) }
    let entries = (node.map ?? []).filter { $0.key.value != Self.inCode }
    guard entries.contains(where: { $0.key.value == "xcode" }) else {
      if let versions = entries.first(where: { $0.key.value == "versions" }),
        versions.value.list != nil
      {
        collector.report(
          "'versions' needs 'xcode', the path of the model that has them",
          at: versions.key.place)
        return .inline([], place: node.place)
      }
      return .inline(modelVersions(entries), place: node.place)
    }
    let fields = Fields(
      entries, of: "models from Xcode", known: ["xcode", "versions"], at: node.place, to: collector)
    for key in ["xcode", "versions"] { collector.refuseEmptyList(fields.node(key), of: key) }
    return .xcode(fields.texts("xcode"), versions: fields.texts("versions"))
  }

  private static let inCode = ".inCode"

  /// `.inCode: true` among the models.
  func areInCode(_ node: SourceNode) -> Bool {
    let entries = (node.map ?? []).filter { $0.key.value == Self.inCode }
    return Fields(entries, of: "models", known: [Self.inCode], at: node.place, to: collector)
      .flag(Self.inCode) ?? false
  }

  private func modelVersions(_ entries: [SourceNode.Entry]) -> [ModelVersion] {
    entries.reduce(into: []) { $0.append(modelVersion($1, after: $0.last)) }
  }

  private func modelVersion(
    _ entry: SourceNode.Entry, after previous: ModelVersion?
  ) -> ModelVersion {
    if entry.key.value.contains("->") {
      collector.report(
        "'\(entry.key.value)' can't be the name of a version: '->' separates the two versions of a step",
        at: entry.key.place)
    }
    if let path = entry.value.text {
      return ModelVersion(
        name: entry.key, definition: .file(Located(path, at: entry.value.place)))
    }
    let entities = entry.value.isNull ? [] : collector.map(entry.value, of: entry.key.value) ?? []
    let (options, names) = entities.optionsAndNames
    let fields = Fields(
      options, of: "the options of a version", known: [".rest", ".gone"], at: entry.value.place,
      to: collector)
    let written = names.map(entity)
    return ModelVersion(
      name: entry.key, definition: .entities(rest(fields, written, of: previous) + written))
  }

  /// With `.rest: copy` the entities of the version before that aren't written anew, and aren't gone.
  private func rest(
    _ fields: Fields, _ written: [EntityNotation], of previous: ModelVersion?
  ) -> [EntityNotation] {
    let gone = differing(fields, ".gone")
    guard let node = fields.node(".rest") else {
      if let entry = fields.entry(".gone") {
        collector.report("'.gone' can be used with '.rest: copy' only", at: entry.key.place)
      }
      return []
    }
    guard word("copy", node, of: ".rest") else { return [] }
    guard case .entities(let known)? = previous?.definition else {
      collector.report(
        "'.rest: copy' copies the entities of the previous version, which must be written in the scenario",
        at: node.place)
      return []
    }
    let names = Set(known.map(\.name.value))
    for name in gone where !names.contains(name.value) {
      collector.report(
        "the previous version has no entity", unknown: name, among: names, called: "entities")
    }
    for name in gone where written.contains(where: { $0.name.value == name.value }) {
      collector.report(
        "'\(name.value)' is written in this version, so it can't be gone", at: name.place)
    }
    let others = Set(written.map(\.name.value) + gone.map(\.value))
    return known.filter { !others.contains($0.name.value) }
  }

  private func entity(_ entry: SourceNode.Entry) -> EntityNotation {
    checkName(entry.key, of: "an entity")
    let entries = entry.value.isNull ? [] : collector.map(entry.value, of: entry.key.value) ?? []
    let (options, names) = entries.optionsAndNames
    var entity = EntityNotation(name: entry.key)
    read(options, at: entry.value.place, into: &entity)
    entity.properties = names.compactMap { property in
      checkName(property.key, of: "a property")
      return collector.text(property.value, of: property.key.value).map {
        PropertyNotation(name: property.key, text: $0)
      }
    }
    return entity
  }

  /// What NSObject and NSManagedObject answer without an argument: a property of such a name would be
  /// another one (Apple's reference of `NSPropertyDescription.name`). These are the ones that all systems have.
  private static let takenNames: Set = [
    "autorelease", "class", "copy", "dealloc", "debugDescription", "description", "entity", "hash",
    "hasChanges", "hasPersistentChangedValues", "init", "isDeleted", "isFault", "isInserted",
    "isProxy", "isUpdated", "managedObjectContext", "mutableCopy", "objectID", "observationInfo",
    "release", "retain", "retainCount", "self", "superclass", "zone",
  ]

  /// Reports names that Xcode refuses.
  private func checkName(_ name: Located<String>, of owner: String) {
    let letters = name.value.unicodeScalars
    let isWord =
      letters.allSatisfy {
        // Combining marks belong to letters: to accents as macOS writes them, and to Indic ones.
        $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
          || [.nonspacingMark, .spacingMark].contains($0.properties.generalCategory)
      }
      && letters.first.map { $0 == "_" || $0.properties.isAlphabetic } ?? false
    if !isWord {
      collector.report(
        "'\(name.value)' can't be the name of \(owner): it begins with a letter, and has letters, digits "
          + "and '_' only", at: name.place)
    } else if owner == "a property", Self.takenNames.contains(name.value) {
      collector.report(
        "'\(name.value)' can't be the name of a property: every managed object has a method of this name",
        at: name.place)
    }
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
    entity.was = fields.text(".was")
    entity.modifier = fields.text(".modifier")?.value
    entity.className = fields.text(".class").map(className)
    entity.userInfo =
      fields.node(".userInfo").map {
        collector.dictionary($0, of: ".userInfo")
      } ?? [:]
  }

  private func className(_ name: Located<String>) -> String {
    if name.value.wholeMatch(of: #/\.?[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*/#) == nil {
      collector.report(
        "'\(name.value)' can't be the name of a class, which is written as 'Song' or 'Songbook.Song'",
        at: name.place)
    }
    return name.value
  }

  /// `name`, `[name, [city, street]]`: single properties and lists of properties.
  private func propertyLists(_ fields: Fields, _ key: String) -> [[Located<String>]] {
    guard let node = fields.node(key) else { return [] }
    collector.refuseEmptyList(node, of: key)
    let items = node.list ?? [node]
    return items.map { item in
      collector.refuseEmptyList(item, of: key)
      return collector.texts(item, of: key)
    }
  }

  func policies(_ node: SourceNode) -> [PolicyModule] {
    let modules = readPolicies(node)
    var seen: Set<String> = []
    for module in modules {
      if !seen.insert(module.name.value).inserted {
        collector.report(
          "the module '\(module.name.value)' is given twice: list all its files in one 'sources'",
          at: module.name.place)
      }
      if module.name.value.wholeMatch(of: #/[\p{L}_][\p{L}\p{N}_]*/#) == nil {
        collector.report(
          "'\(module.name.value)' can't be the name of a Swift module: use the app's product module name, "
            + "in which every character that can't be part of a Swift name is '_'",
          at: module.name.place)
      }
      if Self.systemModules.contains(module.name.value) {
        collector.report(
          "'\(module.name.value)' is a system module, which policies import: write the app's module "
            + "name", at: module.name.place)
      }
    }
    return modules
  }

  private static let systemModules: Set = [
    "AppKit", "Combine", "CoreData", "CoreFoundation", "Darwin", "Dispatch", "Foundation", "Glibc",
    "ObjectiveC", "Observation", "Swift", "SwiftUI", "UIKit", "XCTest", "os",
  ]

  private func readPolicies(_ node: SourceNode) -> [PolicyModule] {
    (node.list ?? [node]).compactMap { item in
      guard let entries = item.map else {
        collector.report(
          item, of: "policies", mustBe: "a map, as in '{ module: App, sources: Policies/*.swift }'")
        return nil
      }
      let fields = Fields(
        entries, of: "policies",
        known: ["module", "sources", "stubs", "prefix", "platform", "defines"], at: item.place,
        to: collector)
      guard let module = fields.text("module") else {
        if fields.entry("module") == nil {
          collector.report("policies need a 'module', as in 'module: Songbook'", at: item.place)
        }
        return nil
      }
      let sources = differing(fields, "sources")
      collector.refuseEmptyList(fields.node("sources"), of: "sources")
      if fields.entry("sources") == nil {
        collector.report(
          "policies need 'sources', as in 'sources: Policies/*.swift'", at: item.place)
      }
      let prefix = fields.text("prefix")
      if let prefix, !prefix.value.hasSuffix(".") {
        collector.report(
          "'prefix' is put before the names of classes as it is: end it with a dot, as in '\(module.value).'",
          at: prefix.place)
      }
      return PolicyModule(
        name: module, sources: sources, prefix: prefix?.value,
        stubs: fields.stubs, conditions: conditions(fields))
    }
  }

  /// `platform: macos`, `defines: DEBUG`
  private func conditions(_ fields: Fields) -> BuildConditions {
    var conditions = BuildConditions()
    if let text = fields.text("platform") {
      if let platform = BuildConditions.Platform(rawValue: text.value) {
        conditions.platform = platform
      } else {
        let known = BuildConditions.Platform.allCases.map(\.rawValue).joined(separator: ", ")
        collector.report("'platform' is one of \(known)", at: text.place)
      }
    }
    if let node = fields.node("defines") {
      for name in collector.texts(node, of: "defines") {
        if name.value.wholeMatch(of: #/[A-Za-z_]\w*/#) == nil {
          collector.report("'\(name.value)' can't be asked for by #if", at: name.place)
        }
        conditions.defines.append(name.value)
      }
    }
    return conditions
  }
}

extension Fields {
  /// `stubs: { HealthKit: Stubs/HealthKit.swift }`
  var stubs: [PolicyModule] {
    (node("stubs").flatMap { collector.map($0, of: "stubs") } ?? []).map { entry in
      PolicyModule(name: entry.key, sources: collector.texts(entry.value, of: entry.key.value))
    }
  }
}
