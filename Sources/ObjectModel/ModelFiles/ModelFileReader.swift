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

  init(_ data: Data, file: String) {
    self.data = data
    self.file = file
  }

  /// - Throws: ``ModelFileError`` with the place of the first mistake.
  func model(named name: String) throws -> ManagedObjectModel {
    let root = try XMLTreeBuilder.root(of: data, file: file)
    guard root.name == "model" else { throw error(.unexpectedRoot(root.name), at: root) }
    noteUnknown(in: root)
    let nodes = root.children(named: "entity")
    let entities = try nodes.map(entity)
    do {
      return try ManagedObjectModel(
        entities: entities, name: name,
        versionIdentifiers: root.attributes["userDefinedModelVersionIdentifier"].map { [$0] } ?? [],
        configurations: configurations(in: root),
        fetchRequestTemplates: fetchRequestTemplates(in: root))
    } catch let contradiction as ModelError {
      let place = nodes.last { $0.attributes["name"] == contradiction.entity } ?? root
      throw error(.contradiction(contradiction), at: place)
    }
  }

  private func configurations(in root: XMLElementNode) throws -> [String: [String]] {
    var configurations: [String: [String]] = [:]
    for node in root.children(named: "configuration") {
      noteUnknown(in: node)
      configurations[try name(of: node)] = try node.children(named: "memberEntity").map(name)
    }
    return configurations
  }

  private func fetchRequestTemplates(
    in root: XMLElementNode
  ) throws -> [String: FetchRequestTemplate] {
    let templates = try root.children(named: "fetchRequest").map(fetchRequest)
    return Dictionary(templates.map { ($0.name, $0) }) { first, _ in first }
  }

  func fetchRequest(_ node: XMLElementNode) throws -> FetchRequestTemplate {
    noteUnknown(in: node)
    var template = FetchRequestTemplate(
      name: try name(of: node), entityName: try required("entity", of: node),
      predicateFormat: node.attributes["predicateString"])
    template.fetchLimit = try integer("fetchLimit", of: node) ?? 0
    template.includesSubentities = flag("includeSubentities", of: node, absent: true)
    return template
  }
}

// MARK: - Entities

extension ModelFileReader {
  private func entity(_ node: XMLElementNode) throws -> EntityDescription {
    noteUnknown(in: node)
    let entity = EntityDescription(name: try name(of: node))
    entity.managedObjectClassName = node.attributes["representedClassName"]
    entity.superentityName = node.attributes["parentEntity"]
    entity.isAbstract = flag("isAbstract", of: node)
    entity.explicitRenamingIdentifier = renamingIdentifier(of: node)
    entity.versionHashModifier = text("versionHashModifier", of: node)
    entity.userInfo = try userInfo(of: node)
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

  private func fetchIndex(_ node: XMLElementNode) throws -> FetchIndexDescription {
    noteUnknown(in: node)
    let elements = node.children(named: "fetchIndexElement").compactMap { element in
      noteUnknown(in: element)
      // An element over an expression has no property; it isn't supported.
      return element.attributes["property"].map { property in
        FetchIndexDescription.Element(
          propertyName: property, isAscending: element.attributes["order"] != "descending")
      }
    }
    return FetchIndexDescription(name: try name(of: node), elements: elements)
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
    guard let value = node.attributes[attribute]?.lowercased() else { return absent }
    return ["yes", "true", "1"].contains(value)
  }

  func integer(_ attribute: String, of node: XMLElementNode) throws -> Int? {
    guard let value = text(attribute, of: node) else { return nil }
    guard let number = Int(value) else { throw invalid(value, attribute, of: node) }
    return number
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
  /// Notes what isn't known about an element, each thing once per file.
  func noteUnknown(in node: XMLElementNode) {
    guard let known = ModelFileVocabulary.elements[node.name] else { return }
    for attribute in node.attributes.keys.sorted() where !known.attributes.contains(attribute) {
      note("unknown attribute '\(attribute)' of <\(node.name)>", at: node)
    }
    for child in node.children where !known.children.contains(child.name) {
      note("unknown element <\(child.name)> in <\(node.name)>", at: child)
    }
  }

  func note(_ message: String, at node: XMLElementNode) {
    guard noted.insert(message).inserted else { return }
    notes.append(
      ModelFileNote(message: message, file: file, line: places.tagStart(endingAt: node.tagEnd).line)
    )
  }
}
