/// What a store that CloudKit mirrors can't have. The container refuses to load such a model (134060), so each is an
/// error; only the version that the app opens counts.
// Core Data: documented; Apple's page on models for CloudKit, and the messages of public logs that name the same rules.
struct CloudKitRules {
  let model: VersionedModel
  let current: ManagedObjectModel
  /// The configurations that somebody names; those that the model file marks count, too.
  let given: [String]

  /// Core Data's name for all entities.
  static let whole = "Default"

  /// - Throws: ``Diagnostics`` for a configuration that the current version doesn't have.
  init(_ model: VersionedModel, current: ManagedObjectModel, given: [String]) throws {
    (self.model, self.current) = (model, current)
    // A project file may say `cloudkit: true`.
    self.given = given.map { ["", "true"].contains($0) ? Self.whole : $0 }
    let known = current.configurations.keys.sorted() + [Self.whole]
    for name in self.given where !known.contains(name) {
      let hint = Spelling.hint(for: name, among: known, called: "configurations")
      throw Diagnostics([
        Diagnostic(file: "--cloudkit", "\(current.shownName) has no configuration '\(name)'\(hint)")
      ])
    }
  }

  var findings: [CheckFinding] {
    let names = (given + marked).uniqued()
    let entities =
      names.contains(Self.whole)
      ? current.entities : names.flatMap { current.entities(forConfigurationName: $0) ?? [] }
    return entities.uniqued().flatMap { entity in
      entity.uniquenessConstraints.map {
        finding(
          .cloudKitConstraint, entity, $0[0],
          "a uniqueness constraint names it: CloudKit has none",
          "Remove the constraint, and merge equal objects in the app.")
      } + entity.ownProperties.filter { !$0.isTransient }.flatMap { findings(of: $0, in: entity) }
    }
  }

  private func findings(of property: PropertyDescription, in entity: EntityDescription)
    -> [CheckFinding]
  {
    func found(_ isFound: Bool, _ rule: CheckRule, _ message: String, _ advice: String)
      -> [CheckFinding]
    {
      isFound ? [finding(rule, entity, property.name, message, advice)] : []
    }
    if let attribute = property as? AttributeDescription {
      return found(
        !attribute.isOptional && attribute.defaultValue == nil && !attribute.isDerived,
        .cloudKitRequired,
        "is required and has no default value: CloudKit may bring objects without it",
        "Make it optional, or give it a default value.")
        + found(
          [.undefined, .objectID].contains(attribute.attributeType) && !attribute.isDerived,
          .cloudKitType,
          "has no type that CloudKit takes", "Choose another type.")
    }
    guard let relationship = property as? RelationshipDescription else { return [] }
    return found(
      !relationship.isOptional, .cloudKitRequired,
      "is required: CloudKit may bring the object before what it leads to", "Make it optional.")
      + found(
        relationship.inverseRelationship == nil, .cloudKitInverse,
        "has no inverse, which CloudKit asks for", "Add an inverse relationship.")
      + found(
        relationship.deleteRule == .deny, .cloudKitDeny,
        "has the delete rule Deny, which CloudKit doesn't keep", "Choose Nullify or Cascade.")
      + found(
        relationship.isOrdered, .cloudKitOrdered, "is ordered, which CloudKit doesn't keep",
        "Keep the order in an attribute of the objects at the other end.")
  }

  private func finding(
    _ rule: CheckRule, _ entity: EntityDescription, _ property: String, _ message: String,
    _ advice: String
  ) -> CheckFinding {
    CheckFinding(
      rule,
      CheckFinding.Subject(version: current.shownName, entity: entity.name, property: property),
      message,
      advice: advice, code: 134060)
  }

  /// The configurations that Xcode's file of the current version marks.
  private var marked: [String] {
    let folder =
      model.url.pathExtension == "xcdatamodeld"
      ? model.url.appending(path: "\(current.shownName).xcdatamodel") : model.url
    guard folder.pathExtension == "xcdatamodel",
      let contents = try? Data(reading: folder.appending(path: "contents"))
    else { return [] }
    return String(decoding: contents, as: UTF8.self).matches(of: #/<(model|configuration)\b[^>]*>/#)
      .compactMap { tag in
        guard tag.0.contains(#/usedWithCloudKit="(?i:yes|true|1)"/#) else { return nil }
        return tag.1 == "model"
          ? Self.whole : tag.0.firstMatch(of: #/\bname="([^"]*)"/#).map { String($0.1) }
      }
  }
}

/// Properties that are named like a method of every managed object: Xcode and Core Data refuse them.
// Core Data: documented; NSPropertyDescription's name can't be that of a method of NSObject or NSManagedObject without
// parameters. Core Data: observed; two public apps have an attribute `hash`, so that one isn't refused.
struct ReservedNameRule: VersionRule {
  private static let names: Set = [
    "autorelease", "awakeFromFetch", "awakeFromInsert", "changedValues",
    "changedValuesForCurrentEvent", "class",
    "copy", "dealloc", "debugDescription", "description", "didSave", "didTurnIntoFault", "entity",
    "faultingState",
    "finalize", "hasChanges", "hasPersistentChangedValues", "init", "isDeleted", "isFault",
    "isInserted",
    "isProxy", "isUpdated", "managedObjectContext", "mutableCopy", "objectID", "prepareForDeletion",
    "release",
    "retain", "retainCount", "self", "superclass", "willSave", "willTurnIntoFault", "zone",
  ]

  func findings(in version: ManagedObjectModel) -> [LintFinding] {
    version.entities.flatMap(\.ownProperties).filter { Self.names.contains($0.name) }.map {
      LintFinding(
        .reservedName, $0,
        "is named like a method of every managed object: Xcode may refuse to compile the model",
        advice: "Give it another name, and its present one as the renaming identifier.")
    }
  }
}
