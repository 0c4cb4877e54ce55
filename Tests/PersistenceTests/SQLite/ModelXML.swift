import Persistence

/// Writes a model as Xcode would, as far as the checker reads it.
enum ModelXML {
  static func text(of model: ManagedObjectModel) -> String {
    let identifier = model.versionIdentifiers.first ?? ""
    let entities = model.entities.map(text(of:)).joined()
    let composites = model.entities.flatMap(\.ownProperties).compactMap {
      ($0 as? AttributeDescription).flatMap(composite)
    }.joined()
    return """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model userDefinedModelVersionIdentifier="\(identifier)">\(entities)\(composites)</model>
      """
  }

  private static func text(of entity: EntityDescription) -> String {
    let attributes = [
      ("name", entity.name), ("parentEntity", entity.superentityName),
      ("isAbstract", entity.isAbstract ? "YES" : nil),
      ("versionHashModifier", entity.versionHashModifier),
    ]
    // Sorted, as Xcode writes them.
    let properties = entity.ownProperties.sorted { $0.name < $1.name }.map(text(of:)).joined()
    return element(
      "entity", attributes, properties + indexes(of: entity) + constraints(of: entity))
  }

  private static func text(of property: PropertyDescription) -> String {
    let common = [
      ("name", property.name), ("optional", property.isOptional ? "YES" : nil),
      ("transient", property.isTransient ? "YES" : nil),
      ("versionHashModifier", property.versionHashModifier),
    ]
    switch property {
    case let attribute as AttributeDescription:
      return element("attribute", common + facts(of: attribute))
    case let relationship as RelationshipDescription:
      return element("relationship", common + facts(of: relationship))
    default: return ""
    }
  }

  /// The type of a composite attribute, one for each.
  private static func composite(of attribute: AttributeDescription) -> String? {
    guard attribute.attributeType == .composite else { return nil }
    return element(
      "composite", [("name", name(of: attribute))], attribute.elements.map(text(of:)).joined())
  }

  private static func name(of composite: AttributeDescription) -> String {
    "\(composite.entity.name)_\(composite.name)"
  }

  private static func facts(of attribute: AttributeDescription) -> [(String, String?)] {
    [
      ("attributeType", attribute.attributeType.name),
      ("composite", attribute.attributeType == .composite ? name(of: attribute) : nil),
      ("indexed", attribute.isIndexed ? "YES" : nil),
      (
        "allowsExternalBinaryDataStorage",
        attribute.allowsExternalBinaryDataStorage ? "YES" : nil
      ),
    ]
  }

  private static func facts(of relationship: RelationshipDescription) -> [(String, String?)] {
    [
      ("toMany", relationship.isToMany ? "YES" : nil),
      ("maxCount", relationship.isToMany ? nil : "1"),
      ("ordered", relationship.isOrdered ? "YES" : nil),
      ("destinationEntity", relationship.destinationEntityName),
      ("inverseName", relationship.inverseName),
    ]
  }

  private static func indexes(of entity: EntityDescription) -> String {
    entity.indexes.map { index in
      let elements = index.elements.map {
        element(
          "fetchIndexElement",
          [
            ("property", $0.propertyName), ("order", $0.isAscending ? "ascending" : "descending"),
            ("type", $0.collation == .rTree ? "RTree" : "Binary"),
          ])
      }
      return element(
        "fetchIndex",
        [("name", index.name), ("partialIndexPredicate", index.partialPredicateFormat)],
        elements.joined())
    }.joined()
  }

  private static func constraints(of entity: EntityDescription) -> String {
    let constraints = entity.uniquenessConstraints.map { names in
      element(
        "uniquenessConstraint", [], names.map { element("constraint", [("value", $0)]) }.joined())
    }
    return element("uniquenessConstraints", [], constraints.joined())
  }

  private static func element(
    _ name: String, _ attributes: [(String, String?)], _ content: String = ""
  ) -> String {
    let shown = attributes.compactMap { key, value in value.map { " \(key)=\"\($0)\"" } }.joined()
    return "<\(name)\(shown)>\(content)</\(name)>"
  }
}
