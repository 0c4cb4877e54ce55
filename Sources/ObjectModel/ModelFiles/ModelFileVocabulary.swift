/// The elements and attributes of Xcode's model files, as found in the histories of 20 public apps
/// and in Apple's documentation; those without meaning for a store are listed too. What is read and what is
/// written goes by this list.
enum ModelFileVocabulary {
  struct Element {
    /// In the order in which Xcode writes them.
    let attributes: [String]
    let children: [String]
    let attributeNames: Set<String>

    init(attributes: [String], children: [String] = []) {
      (self.attributes, self.children) = (attributes, children)
      attributeNames = Set(attributes)
    }
  }

  static let elements: [String: Element] = [
    "model": Element(
      attributes: [
        "name", "type", "documentVersion", "lastSavedToolsVersion", "systemVersion",
        "minimumToolsVersion", "sourceLanguage", "usedWithCloudKit", "usedWithSwiftData",
        "userDefinedModelVersionIdentifier", "macOSVersion", "iOSVersion",
      ],
      children: ["entity", "fetchRequest", "configuration", "composite", "elements"]),
    "entity": Element(
      attributes: [
        "name", "representedClassName", "parentEntity", "isAbstract", "elementID",
        "renamingIdentifier", "versionHashModifier", "coreSpotlightDisplayNameExpression",
        "syncable", "codeGenerationType",
      ],
      children: [
        "attribute", "relationship", "fetchedProperty", "fetchIndex", "compoundIndexes",
        "uniquenessConstraints", "userInfo",
      ]),
    "attribute": Element(
      attributes: first + [
        "attributeType", "minValueString", "maxValueString", "minDateTimeInterval",
        "maxDateTimeInterval", "defaultDateTimeInterval", "defaultValueString",
        "regularExpressionString", "valueTransformerName", "allowsExternalBinaryDataStorage",
        "derived", "derivationExpression", "usesScalarValueType", "customClassName", "composite",
      ] + last + ["preserveAfterDeletion", "allowsCloudEncryption"],
      children: ["userInfo"]),
    "relationship": Element(
      attributes: first + [
        "toMany", "minCount", "maxCount", "deletionRule", "deleteRule", "ordered",
        "destinationEntity", "inverseName", "inverseEntity",
      ] + last,
      children: ["userInfo"]),
    "fetchedProperty": Element(attributes: first + last, children: ["fetchRequest", "userInfo"]),
    "fetchRequest": Element(
      attributes: [
        "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "resultType",
      ] + requestFlags.flatMap(\.names)),
    "fetchIndex": Element(
      attributes: ["name"] + partialPredicate, children: ["fetchIndexElement"]),
    "fetchIndexElement": Element(
      attributes: ["property"] + indexExpression + ["expressionType", "type", "order"]),
    "compoundIndexes": Element(attributes: [], children: ["compoundIndex"]),
    "compoundIndex": Element(attributes: [], children: ["index"]),
    "index": Element(attributes: ["value"]),
    "uniquenessConstraints": Element(attributes: [], children: ["uniquenessConstraint"]),
    "uniquenessConstraint": Element(attributes: [], children: ["constraint"]),
    "constraint": Element(attributes: ["value"]),
    "userInfo": Element(attributes: [], children: ["entry"]),
    "entry": Element(attributes: ["key", "value"]),
    "memberEntity": Element(attributes: ["name"]),
    "composite": Element(
      attributes: ["name", "elementID", "versionHashModifier"], children: ["attribute", "userInfo"]),
    "configuration": Element(
      attributes: ["name", "usedWithCloudKit"], children: ["memberEntity"]),
  ]

  // Attributes that no file at hand has. Where Apple's own name and the model editor's differ, either
  // is taken, and the first is written.
  static let requestFlags:
    [(names: [String], setting: WritableKeyPath<FetchRequestTemplate, Bool> & Sendable)] = [
      (["includeSubentities", "includesSubentities"], \.includesSubentities),
      (["includePropertyValues", "includesPropertyValues"], \.includesPropertyValues),
      (["includesPendingChanges", "includePendingChanges"], \.includesPendingChanges),
      (["returnObjectsAsFaults", "returnsObjectsAsFaults"], \.returnsObjectsAsFaults),
      (["returnDistinctResults", "returnsDistinctResults"], \.returnsDistinctResults),
    ]
  static let partialPredicate = [
    "partialIndexPredicate", "partialIndexPredicateString", "predicateString",
  ]
  static let indexExpression = ["expression", "expressionString"]

  static let deleteRules: [String: DeleteRule] = [
    "No Action": .noAction, "Nullify": .nullify, "Cascade": .cascade, "Deny": .deny,
  ]
  static let collations: [String: FetchIndexDescription.Collation] = [
    "Binary": .binary, "RTree": .rTree,
  ]

  /// What attributes, relationships and fetched properties share, before their own and after.
  private static let first = ["name", "optional", "transient"]
  private static let last = [
    "indexed", "elementID", "renamingIdentifier", "versionHashModifier", "spotlightIndexingEnabled",
    "storedInTruthFile", "syncable",
  ]
}
