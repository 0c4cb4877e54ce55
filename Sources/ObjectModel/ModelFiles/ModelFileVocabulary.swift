/// The elements and attributes of Xcode's model files, as found in the histories of 20 public apps
/// and in Apple's documentation; those without meaning for a store are listed too.
enum ModelFileVocabulary {
  struct Element {
    let attributes: Set<String>
    var children: Set<String> = []
  }

  static let elements: [String: Element] = [
    "model": Element(
      attributes: [
        "userDefinedModelVersionIdentifier", "type", "documentVersion", "lastSavedToolsVersion",
        "systemVersion", "minimumToolsVersion", "sourceLanguage", "macOSVersion", "iOSVersion",
        "name", "usedWithCloudKit", "usedWithSwiftData",
      ],
      children: ["entity", "fetchRequest", "configuration", "composite", "elements"]),
    "entity": Element(
      attributes: [
        "name", "representedClassName", "parentEntity", "isAbstract", "elementID",
        "renamingIdentifier", "versionHashModifier", "syncable", "codeGenerationType",
        "coreSpotlightDisplayNameExpression",
      ],
      children: [
        "attribute", "relationship", "fetchedProperty", "fetchIndex", "compoundIndexes",
        "uniquenessConstraints", "userInfo",
      ]),
    "attribute": Element(
      attributes: common.union([
        "attributeType", "defaultValueString", "defaultDateTimeInterval", "usesScalarValueType",
        "valueTransformerName", "customClassName", "allowsExternalBinaryDataStorage",
        "preserveAfterDeletion", "minValueString", "maxValueString", "minDateTimeInterval",
        "maxDateTimeInterval", "regularExpressionString", "derived", "derivationExpression",
        "composite", "allowsCloudEncryption",
      ]),
      children: ["userInfo"]),
    "relationship": Element(
      attributes: common.union([
        "destinationEntity", "inverseName", "inverseEntity", "toMany", "maxCount", "minCount",
        "ordered", "deletionRule", "deleteRule",
      ]),
      children: ["userInfo"]),
    "fetchedProperty": Element(attributes: common, children: ["fetchRequest", "userInfo"]),
    "fetchRequest": Element(
      attributes: Set(
        [
          ["name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "resultType"],
          subentities, propertyValues, pendingChanges, faults, distinctResults,
        ].joined())),
    "fetchIndex": Element(
      attributes: Set(["name"] + partialPredicate), children: ["fetchIndexElement"]),
    "fetchIndexElement": Element(
      attributes: Set(["property", "type", "order", "expressionType"] + indexExpression)),
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
  // is taken.
  static let subentities = ["includeSubentities", "includesSubentities"]
  static let propertyValues = ["includePropertyValues", "includesPropertyValues"]
  static let pendingChanges = ["includePendingChanges", "includesPendingChanges"]
  static let faults = ["returnObjectsAsFaults", "returnsObjectsAsFaults"]
  static let distinctResults = ["returnDistinctResults", "returnsDistinctResults"]
  static let partialPredicate = [
    "partialIndexPredicate", "partialIndexPredicateString", "predicateString",
  ]
  static let indexExpression = ["expression", "expressionString"]

  /// What attributes, relationships and fetched properties share.
  private static let common: Set<String> = [
    "name", "optional", "transient", "indexed", "elementID", "renamingIdentifier",
    "versionHashModifier", "spotlightIndexingEnabled", "storedInTruthFile", "syncable",
  ]
}
