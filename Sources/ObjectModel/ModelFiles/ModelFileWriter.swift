/// Writes one version of a model as Xcode 16 does: the file `contents`, which ``ModelFileReader`` reads.
///
/// What Xcode's files have no form for is missing; see ``losses(of:in:)``.
package struct ModelFileWriter {
  private var composites: [String: [Node]] = [:]

  package static func contents(of model: ManagedObjectModel) -> Data {
    var writer = ModelFileWriter()
    let entities = model.entities.sorted { XcodeModel.precedes($0.name, $1.name) }
      .map { writer.node($0) }
    let requests = model.fetchRequestTemplates.sorted { XcodeModel.precedes($0.key, $1.key) }
      .map { node($0.value) }
    func isMarked(_ names: [String]) -> Bool {
      model.entitiesUsedWithCloudKit.contains { Set($0) == Set(names) }
    }
    let configurations = model.configurations.sorted { XcodeModel.precedes($0.key, $1.key) }
      .map { name, members in
        Node(
          "configuration", ["name": name, "usedWithCloudKit": flag(isMarked(members))],
          members.map { Node("memberEntity", ["name": $0]) })
      }
    let composites = writer.composites.sorted { XcodeModel.precedes($0.key, $1.key) }
      .map { Node("composite", ["name": $0.key], $0.value) }
    let root = Node(
      "model",
      [
        "type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0",
        "lastSavedToolsVersion": "23507", "systemVersion": "24B83",
        "minimumToolsVersion": "Automatic", "sourceLanguage": "Swift",
        "usedWithCloudKit": flag(isMarked(model.entities.map(\.name))),
        "userDefinedModelVersionIdentifier": model.versionIdentifiers.first,
      ], entities + requests + configurations + composites)
    let head = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
    // Xcode ends the file without a line break.
    return Data("\(head)\n\(root.lines(indent: "").joined(separator: "\n"))".utf8)
  }

  /// The file `.xccurrentversion`.
  package static func currentVersion(_ name: String) throws -> Data {
    try PropertyListSerialization.data(
      fromPropertyList: ["_XCCurrentVersionName": "\(name).xcdatamodel"], format: .xml, options: 0)
  }

  /// An element whose attributes are written in the order of the vocabulary.
  private struct Node: Equatable {
    let name: String
    let attributes: [String: String]
    let children: [Node]

    init(_ name: String, _ attributes: [String: String?] = [:], _ children: [Node] = []) {
      (self.name, self.attributes, self.children) = (
        name, attributes.compactMapValues(\.self), children
      )
    }

    func lines(indent: String) -> [String] {
      let order = ModelFileVocabulary.elements[name]?.attributes ?? []
      let start = order.reduce("\(indent)<\(name)") { text, key in
        attributes[key].map { "\(text) \(key)=\"\(Self.escaped($0))\"" } ?? text
      }
      if children.isEmpty { return [start + "/>"] }
      return [start + ">"] + children.flatMap { $0.lines(indent: indent + "    ") } + [
        "\(indent)</\(name)>"
      ]
    }

    /// Without the characters that XML has no form for.
    static func escaped(_ text: String) -> String {
      text.unicodeScalars.reduce(into: "") { escaped, scalar in
        switch scalar {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
        case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": break
        default: escaped.unicodeScalars.append(scalar)
        }
      }
    }
  }
}

// MARK: - Entities

extension ModelFileWriter {
  private mutating func node(_ entity: EntityDescription) -> Node {
    let properties = entity.ownProperties.sorted { XcodeModel.precedes($0.name, $1.name) }
    let attributes = properties.compactMap { $0 as? AttributeDescription }.map { node($0) }
    let constraints = entity.uniquenessConstraints.map { names in
      Node("uniquenessConstraint", [:], names.map { Node("constraint", ["value": $0]) })
    }
    return Node(
      "entity",
      [
        "name": entity.name, "representedClassName": entity.managedObjectClassName,
        "parentEntity": entity.superentityName, "isAbstract": Self.flag(entity.isAbstract),
        "elementID": entity.explicitRenamingIdentifier,
        "versionHashModifier": entity.versionHashModifier,
        "coreSpotlightDisplayNameExpression": entity.coreSpotlightDisplayNameFormat,
        "syncable": "YES",
      ],
      attributes + properties.compactMap { $0 as? RelationshipDescription }.map(Self.node)
        + properties.compactMap { $0 as? FetchedPropertyDescription }.map(Self.node)
        + Self.indexes(of: entity)
        + (constraints.isEmpty ? [] : [Node("uniquenessConstraints", [:], constraints)])
        + Self.userInfo(entity.userInfo))
  }

  /// Without those that a marked attribute stands for.
  private static func indexes(of entity: EntityDescription) -> [Node] {
    let plain = entity.ownAttributes.filter(\.isIndexed).map {
      FetchIndexDescription(name: $0.name, elements: [.init(propertyName: $0.name)])
    }
    return entity.indexes.filter { !plain.contains($0) }.map { index in
      Node(
        "fetchIndex",
        [
          "name": index.name, ModelFileVocabulary.partialPredicate[0]: index.partialPredicateFormat,
        ],
        index.elements.map { element in
          Node(
            "fetchIndexElement",
            [
              "property": element.expressionFormat == nil ? element.propertyName : nil,
              ModelFileVocabulary.indexExpression[0]: element.expressionFormat,
              "expressionType": element.expressionType == .undefined
                ? nil : element.expressionType.name,
              "type": name(of: element.collation, in: ModelFileVocabulary.collations),
              "order": element.isAscending ? "ascending" : "descending",
            ])
        })
    }
  }

  private static func node(_ request: FetchRequestTemplate) -> Node {
    let plain = FetchRequestTemplate(name: "", entityName: "")
    var attributes: [String: String?] = [
      "name": request.name, "entity": request.entityName,
      "predicateString": request.predicateFormat,
      "fetchLimit": number(request.fetchLimit), "fetchBatchSize": number(request.fetchBatchSize),
      "resultType": number(Int(request.resultType)),
    ]
    for (names, setting) in ModelFileVocabulary.requestFlags
    where request[keyPath: setting] != plain[keyPath: setting] {
      attributes[names[0]] = request[keyPath: setting] ? "YES" : "NO"
    }
    return Node("fetchRequest", attributes)
  }

  private static func userInfo(_ userInfo: [String: String]) -> [Node] {
    let entries = userInfo.sorted { $0.key < $1.key }.map {
      Node("entry", ["key": $0.key, "value": $0.value])
    }
    return entries.isEmpty ? [] : [Node("userInfo", [:], entries)]
  }

  private static func flag(_ isSet: Bool) -> String? { isSet ? "YES" : nil }
  private static func number(_ number: Int) -> String? { number == 0 ? nil : "\(number)" }
  private static func name<Value: Equatable>(of value: Value, in names: [String: Value]) -> String?
  {
    names.first { $0.value == value }?.key
  }
}

// MARK: - Properties

extension ModelFileWriter {
  private static func node(
    _ element: String, _ property: PropertyDescription, _ own: [String: String?],
    _ children: [Node] = []
  ) -> Node {
    let common = [
      "name": property.name, "optional": flag(property.isOptional),
      // A fetched property always is, and doesn't say so.
      "transient": flag(property.isTransient && !(property is FetchedPropertyDescription)),
      "elementID": property.explicitRenamingIdentifier,
      "versionHashModifier": property.versionHashModifier,
      "spotlightIndexingEnabled": flag(property.isIndexedBySpotlight),
      "storedInTruthFile": flag(property.isStoredInExternalRecord),
    ]
    return Node(element, common.merging(own) { $1 }, children + userInfo(property.userInfo))
  }

  private static func node(_ relationship: RelationshipDescription) -> Node {
    let ordinary = relationship.isToMany ? 0 : -1
    return node(
      "relationship", relationship,
      [
        "toMany": flag(relationship.isToMany), "minCount": number(relationship.minCount),
        "maxCount": relationship.maxCount == ordinary ? nil : "\(relationship.maxCount)",
        "deletionRule": name(of: relationship.deleteRule, in: ModelFileVocabulary.deleteRules),
        "ordered": flag(relationship.isOrdered),
        "destinationEntity": relationship.destinationEntityName,
        "inverseName": relationship.inverseName,
        "inverseEntity": relationship.inverseName.map { _ in
          relationship.inverseRelationship?.entity.name ?? relationship.destinationEntityName
        },
      ])
  }

  private static func node(_ property: FetchedPropertyDescription) -> Node {
    node("fetchedProperty", property, [:], [node(property.fetchRequest)])
  }

  private mutating func node(_ attribute: AttributeDescription) -> Node {
    let type = attribute.attributeType
    let isDate = type == .date
    let (minimum, maximum) = (
      Self.text(attribute.minimum, of: type), Self.text(attribute.maximum, of: type)
    )
    return Self.node(
      "attribute", attribute,
      [
        "attributeType": type == .undefined ? nil : type.name,
        "minValueString": isDate ? nil : minimum, "maxValueString": isDate ? nil : maximum,
        "minDateTimeInterval": isDate ? minimum : nil,
        "maxDateTimeInterval": isDate ? maximum : nil,
        "defaultDateTimeInterval": isDate ? Self.text(attribute.typedDefaultValue, of: type) : nil,
        "defaultValueString": Self.defaultText(of: attribute),
        "regularExpressionString": attribute.regularExpression,
        "valueTransformerName": attribute.valueTransformerName,
        "allowsExternalBinaryDataStorage": Self.flag(attribute.allowsExternalBinaryDataStorage),
        "derived": Self.flag(attribute.isDerived),
        "derivationExpression": attribute.derivationExpression,
        "usesScalarValueType": attribute.usesScalarValueType.map { $0 ? "YES" : "NO" },
        "customClassName": attribute.attributeValueClassName,
        "composite": type == .composite ? composite(of: attribute) : nil,
        "indexed": Self.flag(attribute.isIndexed),
        "preserveAfterDeletion": Self.flag(attribute.preservesValueInHistoryOnDeletion),
        "allowsCloudEncryption": Self.flag(attribute.allowsCloudEncryption),
      ])
  }

  /// The name of the type that has the attribute's parts. Types of one name and other parts, as archives may have them,
  /// get a number.
  private mutating func composite(of attribute: AttributeDescription) -> String {
    let wanted =
      attribute.compositeName ?? attribute.name.prefix(1).uppercased() + attribute.name.dropFirst()
    let parts = attribute.elements.map { node($0) }
    var (name, number) = (wanted, 1)
    while let others = composites[name], others != parts {
      number += 1
      name = "\(wanted)\(number)"
    }
    composites[name] = parts
    return name
  }

  /// The text that the default was read of, where it still says it: Xcode keeps it, too.
  private static func defaultText(of attribute: AttributeDescription) -> String? {
    let (type, value) = (attribute.attributeType, attribute.typedDefaultValue)
    if let text = attribute.defaultValueString,
      type == .date || LenientValue.parse(text, as: type) == value
    {
      return attribute.hasUnknownDefault ? nil : text
    }
    return type == .date ? nil : Self.text(value, of: type)
  }

  /// A default or a bound as ``LenientValue`` reads it; nil for what has no such form.
  private static func text(_ value: Value, of type: AttributeType) -> String? {
    switch value {
    case .integer(let number): type == .boolean ? (number == 0 ? "NO" : "YES") : "\(number)"
    case .double(let number): type == .float ? "\(Float(number))" : "\(number)"
    case .decimal(let number): "\(number)"
    case .string(let text): text
    case .uuid(let uuid): uuid.uuidString
    case .uri(let url): url.absoluteString
    case .date(let date):
      Int(exactly: date.timeIntervalSinceReferenceDate).map { "\($0)" }
        ?? "\(date.timeIntervalSinceReferenceDate)"
    case .null, .data, .transformable, .object, .collection: nil
    }
  }
}

extension AttributeDescription {
  /// Whether an archive has an object for the default of which only the class is known, as `<NSColor>`.
  fileprivate var hasUnknownDefault: Bool {
    typedDefaultValue.isNull && defaultValueString?.wholeMatch(of: /<\w+>/) != nil
  }

  /// What differences of models leave out: the name of a composite type, all of its parts, and such a default.
  package var details: [String] {
    let type = compositeName.map { ["of type \($0)"] } ?? []
    let unknown = hasUnknownDefault ? ["default \(defaultValueString ?? "")"] : []
    return type + unknown
      + elements.flatMap { part in
        ModelFeature.allCases.compactMap { feature in
          ModelFeature.values(of: part)[feature].map { "\(part.name): \(feature.rawValue) \($0)" }
        } + part.details.map { "\(part.name): \($0)" }
      }
  }
}

// MARK: - What is lost

extension ModelFileWriter {
  /// What a file of Xcode's says for Xcode alone, and a file that is written of its model says otherwise or not at all.
  /// - Throws: ``ModelFileError`` for a file that isn't XML.
  package static func settingsForXcode(lostFrom contents: Data) throws -> [String] {
    let root = try XMLTreeBuilder.root(of: contents, file: "contents")
    func lost(_ attribute: String, of node: XMLElementNode, besides kept: String?) -> String? {
      node.attributes[attribute].flatMap { $0 == kept ? nil : "\(attribute) \($0)" }
    }
    let ofModel =
      [("sourceLanguage", "Swift"), ("minimumToolsVersion", "Automatic")]
      .compactMap { lost($0, of: root, besides: $1) }
      + [lost("usedWithSwiftData", of: root, besides: nil)].compactMap(\.self)
    let ofEntities = root.children(named: "entity").flatMap { node in
      [("codeGenerationType", nil), ("syncable", "YES")].compactMap { attribute, kept in
        lost(attribute, of: node, besides: kept).map { ($0, node.attributes["name"] ?? "") }
      }
    }
    let names = Dictionary(grouping: ofEntities, by: \.0).sorted { $0.key < $1.key }
      .map { "\($0.key) of \($0.value.map(\.1).joined(separator: ", "))" }
    return ofModel + names + (root.children(named: "elements").isEmpty ? [] : ["layout"])
  }

  /// What of a model Xcode's files have no form for: what differs in the file that was written of it, line by line.
  /// - Throws: ``ModelFileError`` for a file that can't be read as a model.
  package static func losses(of model: ManagedObjectModel, in contents: Data) throws -> [String] {
    let read = try ModelFileReader(contents, file: "contents").model(named: model.name ?? "")
    var lines = ModelDifference(from: model, to: read).description.split(separator: "\n").map(
      String.init)
    func compare(_ name: String, _ values: [String], _ written: [String]) {
      lines += values.filter { !written.contains($0) }.map { "- \(name): \($0)" }
    }
    compare(
      "used with CloudKit",
      model.entitiesUsedWithCloudKit.map { $0.sorted().joined(separator: ", ") },
      read.entitiesUsedWithCloudKit.map { $0.sorted().joined(separator: ", ") })
    compare("version identifiers", model.versionIdentifiers, read.versionIdentifiers)
    compare(
      "fetch request",
      model.fetchRequestTemplates.map { "\($0.key): \($0.value.summary)" }.sorted(),
      read.fetchRequestTemplates.map { "\($0.key): \($0.value.summary)" })
    for attribute in model.entities.flatMap(\.attributes) where !attribute.details.isEmpty {
      let entity = read.entitiesByName[attribute.entity.name]
      compare(
        "\(attribute.entity.name).\(attribute.name)", attribute.details,
        entity?.attributesByName[attribute.name]?.details ?? [])
    }
    return lines.uniqued()
  }
}
