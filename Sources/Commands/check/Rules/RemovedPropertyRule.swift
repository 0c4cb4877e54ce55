/// Properties that go, and those that may only have been renamed.
struct RemovedPropertyRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    guard situation.isLightweight else { return [] }
    return situation.pairs.flatMap(\.exchanges).flatMap { pairs in
      pairs.removed.map { finding(on: $0, among: pairs, in: situation) }
    }.uniqued()
  }

  private func finding(
    on property: PropertyDescription, among pairs: PropertyPairs, in situation: StepSituation
  ) -> CheckFinding {
    let subject = situation.subject(property.entity, property)
    let what = property is RelationshipDescription ? "links" : "values"
    guard let successor = successor(of: property, among: pairs) else {
      return CheckFinding(
        .removedProperty, about: subject, "is removed: its \(what) are lost without an error")
    }
    return .lostRename(subject, of: property, to: successor, lost: "its \(what)")
  }

  /// The new property that the old one may have become: of the same kind, and either the only one
  /// that it can be or of a similar name.
  private func successor(
    of property: PropertyDescription, among pairs: PropertyPairs
  ) -> PropertyDescription? {
    let candidates = pairs.added.filter { $0.hasSameShape(as: property) }
    if let claimant = candidates.first(where: { $0.renamingIdentifier == property.name }) {
      return claimant
    }
    let rivals = pairs.removed.filter { $0.hasSameShape(as: property) }
    if candidates.count == 1, rivals.count == 1 { return candidates[0] }
    return candidates.filter { Similarity.areSimilar($0.name, property.name) }
      .min { Spelling.distance($0.name, property.name) < Spelling.distance($1.name, property.name) }
  }
}

extension PropertyDescription {
  fileprivate func hasSameShape(as other: PropertyDescription) -> Bool {
    switch (self, other) {
    case (let a as AttributeDescription, let b as AttributeDescription):
      a.attributeType == b.attributeType
    case (let a as RelationshipDescription, let b as RelationshipDescription):
      a.destinationEntityName == b.destinationEntityName && a.isToMany == b.isToMany
    default: false
    }
  }
}

/// Entities that go, and those that may only have been renamed.
struct RemovedEntityRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    guard situation.isLightweight else { return [] }
    return situation.removed.filter { !$0.isAbstract }.map { finding($0, situation) }
  }

  private func finding(_ entity: EntityDescription, _ situation: StepSituation) -> CheckFinding {
    let subject = situation.subject(entity)
    let claimant = situation.added.first { $0.renamingIdentifier == entity.name }
    guard let successor = claimant ?? situation.added.first(where: { Self.areAlike($0, entity) })
    else {
      return CheckFinding(
        .removedEntity, about: subject, "is removed: its objects are lost without an error")
    }
    return .lostRename(subject, of: entity, to: successor, lost: "its objects")
  }

  /// Whether most of the properties are the same.
  private static func areAlike(_ a: EntityDescription, _ b: EntityDescription) -> Bool {
    let (x, y) = (Set(a.propertiesByName.keys), Set(b.propertiesByName.keys))
    let common = x.intersection(y).count
    return common > 0 && common * 3 >= max(x.count, y.count) * 2
  }
}

extension CheckFinding {
  /// What is lost where the new element isn't known by the canonical name of the old one: it has no identifier, or one
  /// that is nobody's.
  fileprivate static func lostRename(
    _ subject: Subject, of old: some RenamableElement, to new: some RenamableElement, lost: String
  ) -> CheckFinding {
    let hasIdentifier = new.renamingIdentifier != new.name
    var finding = CheckFinding(
      hasIdentifier
        ? .lostIdentifier : old is EntityDescription ? .possibleEntityRename : .possibleRename,
      about: subject,
      hasIdentifier
        ? "is removed, and '\(new.name)' has the renaming identifier '\(new.renamingIdentifier)', which nothing is "
          + "known as in the version before: \(lost) are lost without an error"
        : "is removed and '\(new.name)' added: if this is a rename, \(lost) are lost without an error",
      advice: "Set the renaming identifier of '\(new.name)' to '\(old.renamingIdentifier)'"
        + (old.renamingIdentifier != old.name ? ", as '\(old.name)' has it." : "."))
    finding.successor = new.name
    return finding
  }
}

/// Whether one name may be another one, changed.
enum Similarity {
  static func areSimilar(_ a: String, _ b: String) -> Bool {
    let (a, b) = (a.lowercased(), b.lowercased())
    let (short, long) = a.count < b.count ? (a, b) : (b, a)
    if short.count >= 4, long.contains(short) { return true }
    return Spelling.distance(a, b) <= max(1, short.count / 4)
  }
}
