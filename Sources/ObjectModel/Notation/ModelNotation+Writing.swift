// Models in the short notation. What it has no words for is said in comments.

extension ModelNotation {
  /// Versions as `models` of a scenario file.
  package static func lines(of models: [ManagedObjectModel]) -> [String] {
    var lines = ["models:"]
    for model in models {
      lines.append("  \(yaml(model.name ?? "model")):")
      lines += unsaid(of: model).map { "    # " + $0 }
      for entity in model.entities { lines += Self.lines(of: entity).map { "    " + $0 } }
    }
    return lines
  }

  private static func unsaid(of model: ManagedObjectModel) -> [String] {
    let identifiers = model.versionIdentifiers.filter { !$0.isEmpty }
    return
      (identifiers.isEmpty ? [] : ["version identifier: " + identifiers.joined(separator: ", ")])
      + model.configurations.sorted { $0.key < $1.key }
      .map { "configuration \($0.key): " + $0.value.joined(separator: ", ") }
      + model.fetchRequestTemplates.sorted { $0.key < $1.key }
      .map { "fetch request \($0.key): \($0.value.summary)" }
  }

  private static func lines(of entity: EntityDescription) -> [String] {
    var (options, comments): ([String], [String]) = ([], [])
    func add(_ key: String, _ value: String?) {
      if let value { options.append("\(key): \(value)") }
    }
    add(".parent", entity.superentityName)
    add(".abstract", entity.isAbstract ? "true" : nil)
    add(".was", entity.explicitRenamingIdentifier)
    add(".modifier", entity.versionHashModifier.map(yaml))
    let className = entity.managedObjectClassName
    add(".class", className == entity.name ? nil : className)
    add(".unique", list(entity.uniquenessConstraints))
    let plain = entity.indexes.filter { index in
      index.elements == index.elements.map { .init(propertyName: $0.propertyName) }
        && index.partialPredicateFormat == nil
        && entity.attributesByName[index.name]?.isIndexed != true
    }
    add(".index", list(plain.map { $0.elements.map(\.propertyName) }))
    let userInfo = entity.userInfo.sorted { $0.key < $1.key }.map {
      "\(yaml($0.key)): \(yaml($0.value))"
    }
    add(".userInfo", userInfo.isEmpty ? nil : "{ \(userInfo.joined(separator: ", ")) }")
    comments += entity.coreSpotlightDisplayNameFormat.map { ["spotlight: \($0)"] } ?? []
    comments += entity.indexes.filter { index in
      !plain.contains(index) && entity.attributesByName[index.name]?.isIndexed != true
    }.map { "index \($0.summary)" }
    for property in entity.ownProperties.sorted(by: { XcodeModel.precedes($0.name, $1.name) }) {
      let (text, unsaid) = notated(property)
      add(property.name, text.map(yaml))
      comments += unsaid.map { "\(property.name): \($0)" }
    }
    let lines = options.map { "  " + $0 } + comments.map { "  # " + $0.replacing("\n", with: " ") }
    return ["\(entity.name):\(options.isEmpty ? " {}" : "")"] + lines
  }

  private static func list(_ groups: [[String]]) -> String? {
    groups.isEmpty
      ? nil
      : "[\(groups.map { $0.count == 1 ? $0[0] : "[\($0.joined(separator: ", "))]" }.joined(separator: ", "))]"
  }

  /// In quotation marks where YAML may take it for anything else.
  private static func yaml(_ text: String) -> String {
    if text.wholeMatch(of: /[A-Za-z][\w.? =]*/) != nil,
      !["true", "false", "null", "yes", "no"].contains(text.lowercased()), text.last != " "
    {
      return text
    }
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      .replacing("\n", with: "\\n").replacing("\t", with: "\\t")
    return "\"\(escaped)\""
  }

  /// The property's text, as far as reading it gives the same again, and what differs then.
  private static func notated(
    _ property: PropertyDescription
  ) -> (text: String?, unsaid: [String]) {
    let candidates = [true, false].lazy.compactMap { text(of: property, withDefault: $0) }
    let found = candidates.compactMap { text in
      (try? self.property(named: property.name, text)).map { (text: text, property: $0) }
    }.first
    let said = found.map { facts(of: $0.property) } ?? []
    return (found?.text, facts(of: property).filter { !said.contains($0) })
  }

  private static func facts(of property: PropertyDescription) -> [String] {
    let values = ModelFeature.values(of: property)
    return ModelFeature.allCases.compactMap { feature in
      values[feature].map { "\(feature.rawValue) \($0)" }
    } + ((property as? AttributeDescription)?.details ?? [])
  }
}

// MARK: - Properties

extension ModelNotation {
  private static func text(of property: PropertyDescription, withDefault: Bool) -> String? {
    let own: String?
    switch property {
    case let attribute as AttributeDescription: own = text(of: attribute, withDefault)
    case let relationship as RelationshipDescription: own = text(of: relationship)
    default: own = nil
    }
    let words = [
      property.isTransient ? "transient" : nil,
      property.explicitRenamingIdentifier.map { "was \($0)" },
      property.versionHashModifier.map { "modifier \"\($0)\"" },
    ]
    return own.map { ([$0] + words.compactMap(\.self)).joined(separator: " ") }
  }

  private static func text(of attribute: AttributeDescription, _ withDefault: Bool) -> String? {
    let type = attribute.attributeType
    guard let name = types.first(where: { $0.value == type })?.key else { return nil }
    let bounds = [attribute.minimum.notation, attribute.maximum.notation]
    var conditions =
      type == .composite
      ? attribute.elements.map { "\($0.name): \(text(of: $0, withDefault) ?? "")" } : []
    if bounds.contains(where: { $0 != nil }) {
      conditions.append("\(bounds[0] ?? "")...\(bounds[1] ?? "")")
    }
    conditions += attribute.regularExpression.map { ["/\($0)/"] } ?? []
    conditions += attribute.valueTransformerName.map { [$0] } ?? []
    if attribute.allowsExternalBinaryDataStorage { conditions.append("external") }
    let filter = attribute.filterPredicate.map { " where \($0)" } ?? ""
    let words = [
      withDefault ? defaultText(of: attribute).map { "= \($0)" } : nil,
      attribute.isIndexed ? "indexed" : nil,
      attribute.preservesValueInHistoryOnDeletion ? "preserved" : nil,
      attribute.derivationExpression.map { "derived(\($0)\(filter))" },
    ]
    let head = name + (conditions.isEmpty ? "" : "(\(conditions.joined(separator: ", ")))")
    return ([head + (attribute.isOptional ? "?" : "")] + words.compactMap(\.self)).joined(
      separator: " ")
  }

  private static func defaultText(of attribute: AttributeDescription) -> String? {
    switch attribute.typedDefaultValue {
    case .integer(let number) where attribute.attributeType == .boolean:
      number == 0 ? "false" : "true"
    case .data(let data): "0x" + data.hexadecimal
    case let value: value.notation
    }
  }

  private static func text(of relationship: RelationshipDescription) -> String {
    let (name, isOptional) = (relationship.destinationEntityName, relationship.isOptional)
    let (least, most) = (relationship.minCount, relationship.maxCount)
    let counts = least == 0 && most <= 0 ? "" : "(\(least)...\(most <= 0 ? "" : "\(most)"))"
    let rule = relationship.deleteRule == .noAction ? "no action" : "\(relationship.deleteRule)"
    let words = [
      relationship.isOrdered ? "ordered" : nil, relationship.inverseName.map { "<-> \($0)" },
      relationship.deleteRule == .nullify ? nil : rule,
    ]
    let head =
      relationship.isToMany
      ? "[\(name)]\(isOptional ? "" : "!")\(counts)" : name + (isOptional ? "?" : "")
    return ([head] + words.compactMap(\.self)).joined(separator: " ")
  }
}
