// Models in the short notation. What it has no words for is said in comments.

extension ModelNotation {
  /// Versions as `models` of a scenario file.
  package static func lines(of models: [ManagedObjectModel]) -> [String] {
    var lines = ["models:"]
    for model in models {
      lines.append("  \(Notation.text(model.name ?? "model").yaml(inFlow: false)):")
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
    var fields: [Notation.Field] = []
    func add(_ key: String, _ value: Notation?) {
      if let value { fields.append(Notation.Field(key: key, value: value)) }
    }
    let className = entity.managedObjectClassName
    let marked = Set(entity.attributes.filter { $0.ObjectModel::isIndexed }.map { $0.name })
    let indexes = entity.indexes.filter { !marked.contains($0.name) }
    let plain = indexes.filter { index in
      let names = index.elements.map {
        FetchIndexDescription.Element(propertyName: $0.propertyName)
      }
      return index.elements == names && index.partialPredicateFormat == nil
    }
    add(".parent", entity.superentityName.map { .text($0) })
    add(".abstract", entity.isAbstract ? .text("true") : nil)
    add(".was", entity.explicitRenamingIdentifier.map { .text($0) })
    add(".modifier", entity.versionHashModifier.map { .text($0) })
    add(".class", className == entity.name ? nil : className.map { .text($0) })
    add(".unique", list(entity.uniquenessConstraints))
    add(".index", list(plain.map { index in index.elements.map { $0.propertyName } }))
    let userInfo = entity.userInfo.sorted { $0.key < $1.key }
      .map { Notation.Field(key: $0.key, value: .text($0.value)) }
    add(".userInfo", userInfo.isEmpty ? nil : .map(userInfo))
    var comments = entity.coreSpotlightDisplayNameFormat.map { ["spotlight: \($0)"] } ?? []
    comments += indexes.filter { !plain.contains($0) }.map { "index \($0.summary)" }
    for property in entity.ownProperties.sorted(by: { XcodeModel.precedes($0.name, $1.name) }) {
      let (text, unsaid) = notated(property)
      add(property.name, text.map { .text($0) })
      comments += unsaid.map { "\(property.name): \($0)" }
    }
    return ["\(entity.name):\(fields.isEmpty ? " {}" : "")"]
      + fields.map { "  " + Notation.entry($0.key, $0.value).yaml(inFlow: false) }
      + comments.map { "  # " + $0.replacing("\n", with: " ") }
  }

  private static func list(_ groups: [[String]]) -> Notation? {
    let items = groups.map { names in
      names.count == 1 ? Notation.text(names[0]) : .list(names.map { .text($0) })
    }
    return items.isEmpty ? nil : .list(items)
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
      attribute.ObjectModel::isIndexed ? "indexed" : nil,
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
