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
    "fetchRequest": Element(attributes: [
      "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "resultType",
      "includeSubentities", "includePropertyValues", "includesPendingChanges",
      "returnObjectsAsFaults", "returnDistinctResults",
    ]),
    "fetchIndex": Element(attributes: ["name"], children: ["fetchIndexElement"]),
    "fetchIndexElement": Element(attributes: [
      "property", "type", "order", "expression", "expressionType",
    ]),
    "configuration": Element(
      attributes: ["name", "usedWithCloudKit"], children: ["memberEntity"]),
  ]

  /// What attributes, relationships and fetched properties share.
  private static let common: Set<String> = [
    "name", "optional", "transient", "indexed", "elementID", "renamingIdentifier",
    "versionHashModifier", "spotlightIndexingEnabled", "storedInTruthFile", "syncable",
  ]
}
