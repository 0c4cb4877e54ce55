/// Reads the file `contents` of one model version.
///
/// Attributes and elements that aren't known are passed over and noted: Xcode adds some every few
/// years.
final class ModelFileReader {
  private let file: String
  private let data: Data
  private lazy var places = SourcePlaces(data)
  private(set) var notes: [ModelFileNote] = []
  private var noted: Set<String> = []
  private(set) var composites = CompositeReader()

  init(_ data: Data, file: String) {
    self.data = data
    self.file = file
  }

  /// - Throws: ``ModelFileError`` with the place of the first mistake.
  func model(named name: String) throws -> ManagedObjectModel {
    let root = try XMLTreeBuilder.root(of: data, file: file)
    guard root.name == "model" else { throw error(.unexpectedRoot(root.name), at: root) }
    noteUnknown(in: root)
    composites = try CompositeReader(root, of: self)
    let nodes = root.children(named: "entity")
    let entities = try nodes.map(entity)
    do {
      let configurations = try configurations(in: root)
      let model = try ManagedObjectModel(
        entities: entities, name: name,
        versionIdentifiers: root.attributes["userDefinedModelVersionIdentifier"].map { [$0] } ?? [],
        configurations: configurations, fetchRequestTemplates: fetchRequestTemplates(in: root))
      let marked = root.children(named: "configuration").filter { flag("usedWithCloudKit", of: $0) }
      model.entitiesUsedWithCloudKit =
        (flag("usedWithCloudKit", of: root) ? [entities.map(\.name)] : [])
        + marked.compactMap { $0.attributes["name"].flatMap { configurations[$0] } }
      return model
    } catch let contradiction as ModelError {
      let place = nodes.last { $0.attributes["name"] == contradiction.entity } ?? root
      throw error(.contradiction(contradiction), at: place)
    }
  }

  private func configurations(in root: XMLElementNode) throws -> [String: [String]] {
    var configurations: [String: [String]] = [:]
    for node in root.children(named: "configuration") {
      configurations[try name(of: node)] = try node.children(named: "memberEntity").map(name)
    }
    return configurations
  }
}

// MARK: - Entities

extension ModelFileReader {
  private func entity(_ node: XMLElementNode) throws -> EntityDescription {
    let entity = EntityDescription(name: try name(of: node))
    entity.managedObjectClassName = node.attributes["representedClassName"]
    entity.superentityName = node.attributes["parentEntity"]
    entity.isAbstract = flag("isAbstract", of: node)
    entity.explicitRenamingIdentifier = renamingIdentifier(of: node)
    entity.versionHashModifier = text("versionHashModifier", of: node)
    entity.userInfo = try userInfo(of: node)
    entity.coreSpotlightDisplayNameFormat = text("coreSpotlightDisplayNameExpression", of: node)
    entity.ownProperties = try node.children.compactMap(property)
    entity.uniquenessConstraints = try groups(
      "uniquenessConstraints", "uniquenessConstraint", in: node)
    entity.indexes = try node.children(named: "fetchIndex").map(fetchIndex)
    entity.addIndexes(fromCompounds: try groups("compoundIndexes", "compoundIndex", in: node))
    return entity
  }

  private func property(_ node: XMLElementNode) throws -> PropertyDescription? {
    let reader = PropertyReader(reader: self, node: node)
    switch node.name {
    case "attribute": return try reader.attribute()
    case "relationship": return try reader.relationship()
    case "fetchedProperty": return try reader.fetchedProperty()
    default: return nil
    }
  }

  /// Lists of names in two levels of elements, as constraints and compound indexes have them.
  private func groups(
    _ outer: String, _ inner: String, in node: XMLElementNode
  ) throws -> [[String]] {
    try node.children(named: outer).flatMap { $0.children(named: inner) }.map { group in
      try group.children.map { try required("value", of: $0) }
    }
  }

  func userInfo(of node: XMLElementNode) throws -> [String: String] {
    var userInfo: [String: String] = [:]
    for entry in node.children(named: "userInfo").flatMap({ $0.children(named: "entry") }) {
      userInfo[try required("key", of: entry)] = entry.attributes["value"] ?? ""
    }
    return userInfo
  }
}

// MARK: - Attributes of elements

extension ModelFileReader {
  func error(_ kind: ModelFileError.Kind, at node: XMLElementNode) -> ModelFileError {
    let place = places.tagStart(endingAt: node.tagEnd)
    return ModelFileError(kind, file: file, line: place.line, column: place.column)
  }

  func required(_ attribute: String, of node: XMLElementNode) throws -> String {
    guard let value = node.attributes[attribute] else {
      throw error(.missingAttribute(attribute, element: node.name), at: node)
    }
    return value
  }

  func name(of node: XMLElementNode) throws -> String {
    let name = try required("name", of: node)
    if name.isEmpty { throw invalid(name, "name", of: node) }
    return name
  }

  /// A text; nil when absent or empty.
  func text(_ attribute: String, of node: XMLElementNode) -> String? {
    node.attributes[attribute].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Xcode writes `YES` or nothing; people and other tools write `true` and `false` too.
  func flag(_ attribute: String, of node: XMLElementNode, absent: Bool = false) -> Bool {
    guard let value = node.attributes[attribute] else { return absent }
    return value == "YES" || ["yes", "true", "1"].contains(value.lowercased())
  }

  /// A count: from 0 to the largest that Core Data's files have room for.
  func count(_ attribute: String, of node: XMLElementNode, least: Int32 = 0) throws -> Int? {
    guard let value = text(attribute, of: node) else { return nil }
    guard let number = Int32(value), number >= least else {
      throw invalid(value, attribute, of: node)
    }
    return Int(number)
  }

  func invalid(_ value: String, _ attribute: String, of node: XMLElementNode) -> ModelFileError {
    error(.invalidValue(value, attribute: attribute, element: node.name), at: node)
  }

  /// The former name. Xcode writes `elementID`; other tools write `renamingIdentifier`.
  func renamingIdentifier(of node: XMLElementNode) -> String? {
    let identifier = text("elementID", of: node) ?? text("renamingIdentifier", of: node)
    return identifier == node.attributes["name"] ? nil : identifier
  }
}

// MARK: - Notes

extension ModelFileReader {
  /// Notes what isn't known about an element and all below it, each thing once per file.
  private func noteUnknown(in root: XMLElementNode) {
    var open = [root]
    while let node = open.popLast() {
      guard let known = ModelFileVocabulary.elements[node.name] else { continue }
      let unknown = node.attributes.keys.filter { !known.attributeNames.contains($0) }
      let line = unknown.isEmpty ? 0 : line(of: node)
      for attribute in unknown.sorted() {
        note("unknown attribute '\(attribute)' of <\(node.name)>", line: line)
      }
      for child in node.children where !known.children.contains(child.name) {
        note("unknown element <\(child.name)> in <\(node.name)>", at: child)
      }
      open += node.children.filter { known.children.contains($0.name) }.reversed()
    }
  }

  private func line(of node: XMLElementNode) -> Int { places.tagStart(endingAt: node.tagEnd).line }

  func note(_ message: String, at node: XMLElementNode) { note(message, line: line(of: node)) }

  private func note(_ message: String, line: @autoclosure () -> Int) {
    guard noted.insert(message).inserted else { return }
    notes.append(ModelFileNote(message: message, file: file, line: line()))
  }
}

// MARK: - Fetch requests

extension ModelFileReader {
  func fetchRequestTemplates(in root: XMLElementNode) throws -> [String: FetchRequestTemplate] {
    var templates: [String: FetchRequestTemplate] = [:]
    for node in root.children(named: "fetchRequest") {
      let template = try fetchRequest(node)
      if templates[template.name] == nil {
        templates[template.name] = template
      } else {
        note("a second fetch request named '\(template.name)'", at: node)
      }
    }
    return templates
  }

  /// What isn't written is as in a new request of Core Data's.
  func fetchRequest(_ node: XMLElementNode) throws -> FetchRequestTemplate {
    var template = FetchRequestTemplate(
      name: try name(of: node), entityName: try required("entity", of: node),
      predicateFormat: text("predicateString", of: node))
    template.fetchLimit = try count("fetchLimit", of: node) ?? 0
    template.fetchBatchSize = try count("fetchBatchSize", of: node) ?? 0
    for (names, setting) in ModelFileVocabulary.requestFlags {
      template[keyPath: setting] = flag(names, of: node, absent: template[keyPath: setting])
    }
    template.resultType = resultType(of: node)
    return template
  }

  /// Core Data's number. How the editor spells it isn't known: anything else is noted.
  private func resultType(of node: XMLElementNode) -> UInt {
    guard let value = text("resultType", of: node) else { return 0 }
    if let number = UInt(value), [0, 1, 2, 4].contains(number) { return number }
    note("unknown resultType '\(value)' of <fetchRequest>; read as objects", at: node)
    return 0
  }

  func fetchIndex(_ node: XMLElementNode) throws -> FetchIndexDescription {
    FetchIndexDescription(
      name: try name(of: node),
      elements: try node.children(named: "fetchIndexElement").map(fetchIndexElement),
      partialPredicateFormat: text(ModelFileVocabulary.partialPredicate, of: node))
  }

  private func fetchIndexElement(
    _ node: XMLElementNode
  ) throws -> FetchIndexDescription.Element {
    let isAscending = node.attributes["order"] != "descending"
    var element =
      if let property = text("property", of: node) {
        FetchIndexDescription.Element(propertyName: property, isAscending: isAscending)
      } else if let expression = text(ModelFileVocabulary.indexExpression, of: node) {
        FetchIndexDescription.Element(
          expressionFormat: expression, type: try expressionType(of: node),
          isAscending: isAscending)
      } else {
        throw error(.missingAttribute("property", element: node.name), at: node)
      }
    element.collation = try collation(of: node)
    return element
  }

  private func expressionType(of node: XMLElementNode) throws -> AttributeType {
    guard let value = text("expressionType", of: node) else { return .undefined }
    guard let type = AttributeType(xcodeName: value) else {
      throw invalid(value, "expressionType", of: node)
    }
    return type
  }

  private func collation(of node: XMLElementNode) throws -> FetchIndexDescription.Collation {
    guard let value = text("type", of: node) else { return .binary }
    let known = ModelFileVocabulary.collations.first {
      $0.key.caseInsensitiveCompare(value) == .orderedSame
    }
    guard let known else { throw invalid(value, "type", of: node) }
    return known.value
  }

  /// The first text under one of several names of an attribute; nil when absent or empty.
  private func text(_ names: [String], of node: XMLElementNode) -> String? {
    names.lazy.compactMap { self.text($0, of: node) }.first
  }

  private func flag(_ names: [String], of node: XMLElementNode, absent: Bool) -> Bool {
    let written = names.first { node.attributes[$0] != nil }
    return written.map { flag($0, of: node) } ?? absent
  }
}
