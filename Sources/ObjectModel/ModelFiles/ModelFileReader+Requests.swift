// Fetch requests and fetch indexes.

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
    typealias Vocabulary = ModelFileVocabulary
    var template = FetchRequestTemplate(
      name: try name(of: node), entityName: try required("entity", of: node),
      predicateFormat: text("predicateString", of: node))
    template.fetchLimit = try count("fetchLimit", of: node) ?? 0
    template.fetchBatchSize = try count("fetchBatchSize", of: node) ?? 0
    template.includesSubentities = flag(Vocabulary.subentities, of: node, absent: true)
    template.includesPropertyValues = flag(Vocabulary.propertyValues, of: node, absent: true)
    template.includesPendingChanges = flag(Vocabulary.pendingChanges, of: node, absent: true)
    template.returnsObjectsAsFaults = flag(Vocabulary.faults, of: node, absent: true)
    template.returnsDistinctResults = flag(Vocabulary.distinctResults, of: node, absent: false)
    template.resultType = resultType(of: node)
    return template
  }

  /// Core Data's number. How the editor spells it isn't known: anything else is noted.
  private func resultType(of node: XMLElementNode) -> UInt {
    guard let value = text("resultType", of: node) else { return 0 }
    if let number = UInt(value), [0, 1, 2, 4].contains(number) { return number }
    note("unknown resultType '\(value)' of <fetchRequest>; taken as objects", at: node)
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
    switch value.lowercased() {
    case "binary": return .binary
    case "rtree": return .rTree
    default: throw invalid(value, "type", of: node)
    }
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
