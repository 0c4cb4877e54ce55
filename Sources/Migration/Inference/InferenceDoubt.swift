/// Something about an inferred mapping of which nobody knows whether, or how, a device does it: seen from the models
/// alone, before any store is.
public struct InferenceDoubt: Hashable, Sendable, Codable, CustomStringConvertible {
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Tables of several root entities become one.
    // Core Data: assumed to be done; Apple's guide rules out that entities without a common ancestor get one, and is
    // silent on an entity that moves under one that was a root before, and stays one.
    case joinedTables
    /// An entity leaves a hierarchy whose root goes.
    // Core Data: observed up to iOS 15, in a public app's test, to fail without any row; said to pass from iOS 16 on.
    case rootRemoved
    /// A root and an entity below it change places.
    // Core Data: assumed to be inferred, and to keep all objects; nobody is known to have tried it.
    case rootExchanged
    /// The table that a relationship's objects are in changes, or the column that names their entity.
    // Core Data: assumed to be inferred, as three public apps open such stores; what becomes of the links isn't known,
    // and within a hierarchy SQLite's errors were seen on devices.
    case destinationChanged
    /// A to-many relationship becomes to-one.
    // Core Data: assumed to be inferred, after two public apps; which of several links stays isn't known.
    case manyToOne
    /// A to-many relationship has no inverse any more, whose column, or join table with it, had its links.
    // Core Data: assumed to keep the links; nobody is known to have tried it.
    case inverseRemoved
    /// What is new has the column of what goes: an attribute and a to-one relationship of one name or identifier, names
    /// that differ in case only, an attribute and an element of a composite; or, as a root entity whose name differs in
    /// case only, the table.
    // Core Data: assumed to be removed and added; known is that of a to-many relationship, which has no column.
    case kindChanged
    /// A required to-many relationship gets a minimum count.
    // Core Data: assumed to be passed, as without a minimum; nobody is known to have tried it with rows.
    case minimumAdded
    /// Elements of one name have other canonical names, or canonical names of other code points for the same text.
    // Core Data: assumed to go on for their name; by the definition they are two elements, and nobody is known to have
    // tried it.
    case identifierChanged
    /// An attribute of rows that are there is derived now, or otherwise than before.
    // Core Data: assumed to be computed at once; documented is that it is when objects are saved, and nobody is known
    // to have tried it.
    case derivationChanged
    /// An attribute's values may be in files beside the store from now on, or no more.
    // Core Data: assumed to keep the values, and to take them out of their files or out of the mark that goes before
    // those in the column; nobody is known to have tried it.
    case externalStorageChanged
    /// A composite of rows that are there gets an element that is required now, or has a default value; or rows get a
    /// composite with a required element.
    // Core Data: assumed to concern the rows that have the composite, and to end in 134110 without a default; a crash
    // is reported, its code isn't.
    case elementFilled
    /// An entity with objects of its own becomes abstract.
    // Core Data: assumed to end in 134110; nobody is known to have tried it.
    case madeAbstract
  }

  public let kind: Kind
  /// In the destination model.
  public let entity: String
  public var property: String?
  /// What it was before.
  public let before: [String]
  /// What it is now.
  public let after: String
  /// The entity in the source whose rows it is about; nil where rows make no difference.
  public var rows: String?

  public var description: String {
    kind == .joinedTables
      ? change : "\([entity, property].compactMap { $0 }.joined(separator: ".")) \(change)"
  }

  /// What is said of the element.
  package var change: String {
    let before = before.joined(separator: " and ")
    return switch kind {
    case .joinedTables:
      "\(before), with tables of their own, become one entity hierarchy below \(entity)"
    case .rootRemoved: "leaves the hierarchy of \(before), which goes"
    case .destinationChanged: "led to \(before) and leads to \(after)"
    case .manyToOne: "was to-many and is to-one"
    case .rootExchanged: "is above \(before) now, and was below it"
    case .kindChanged where after.isEmpty:
      "has the \(property == nil ? "table" : "column") of the \(before), which goes"
    case .kindChanged: "was \(before) and is \(after) now"
    case .inverseRemoved: "had the inverse '\(after)' and has none now"
    case .minimumAdded: "must lead to \(after) or more now, and could lead to \(before)"
    case .identifierChanged where before == after:
      "was known as '\(Self.codes(before))' and is known as '\(Self.codes(after))' now"
    case .identifierChanged: "was known as '\(before)' and is known as '\(after)' now"
    case .madeAbstract: "is abstract now"
    case .derivationChanged: "is derived from \(after) now"
    case .elementFilled:
      "is \(after) now, in a composite that \(before.isEmpty ? "is new" : "was there")"
    case .externalStorageChanged:
      after.isEmpty ? "allows no external storage now" : "allows external storage now"
    }
  }

  /// A text that looks like another.
  private static func codes(_ text: String) -> String {
    text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
  }

  /// What a device may do.
  public var doubt: String {
    switch kind {
    case .joinedTables:
      "It may end in 134190, \"Cannot merge multiple root entity source tables into one destination entity "
        + "root table\", as where both get a new parent."
    case .rootRemoved:
      "Up to iOS 15 and macOS 12 the store can't be opened, even without rows: 134110, \"Cannot migrate store "
        + "in-place: I/O error … \(Self.noTable(before.first ?? ""))\". From iOS 16 and macOS 13 on it is said to pass."
    case .destinationChanged:
      "A device may drop or keep the links, end in an error of SQLite, or raise when they are fetched."
    case .manyToOne:
      "A device may refuse the step with 134190, and of several links any one may stay."
    case .rootExchanged:
      "A device may refuse the step, or end in an error of SQLite: the table has the former root's name."
    case .kindChanged:
      "A device may refuse the step, end in an error of SQLite, or leave what was in the "
        + "\(property == nil ? "table" : "column") of that name."
    case .inverseRemoved:
      "A device may drop the links: without an inverse they are in another column."
    case .minimumAdded:
      "A device may end in 134110, and objects with fewer can't be saved afterwards."
    case .identifierChanged:
      "By the definition these are two elements, so that its content is lost; a device may keep it for its name."
    case .madeAbstract:
      "A device may refuse the store, drop the entity's own objects, or keep rows that no fetch finds."
    case .derivationChanged:
      "A device may leave rows without a value, or with the former one, until they are saved, or end in 134110 where it is "
        + "required."
    case .elementFilled:
      "A device may give objects a default value although their composite is nil, and end in another error than 134110, or "
        + "crash, where there is none."
    case .externalStorageChanged:
      "A device may give the bytes with Core Data's mark before them, the name of a file in place of what is in it, or nil."
    }
  }

  /// Whether it is about what is inferred, not about tables and columns, which make no difference to a manager.
  var isOfInference: Bool {
    switch kind {
    case .joinedTables, .rootExchanged, .manyToOne, .identifierChanged, .madeAbstract,
      .elementFilled:
      true
    case .kindChanged: !after.isEmpty
    case .rootRemoved, .destinationChanged, .inverseRemoved, .minimumAdded, .derivationChanged,
      .externalStorageChanged:
      false
    }
  }

  /// SQLite's words for the table of a root entity that is gone.
  static func noTable(_ root: String) -> String { "no such table: Z\(root.uppercased())" }
}

extension InferenceDoubt {
  /// All that there is to doubt about the inferred mapping from one version to another.
  package static func inferred(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> [InferenceDoubt] {
    let entities = ElementPairing(from: source, to: destination)
    let links = LinkInference(to: destination, entities: entities)
    let hierarchies = HierarchyInference(destination: destination, entities: entities)
    return hierarchies.joinedTables + hierarchies.removedRoots
      + hierarchies.exchangedRoots
      + destination.ownRelationships.compactMap(links.doubt)
      + changedIdentifiers(entities, in: destination) + madeAbstract(entities, in: destination)
      + changedCase(entities, from: source, to: destination)
      + destination.entities.flatMap(\.ownProperties).flatMap { changedKind(of: $0, entities) }
      + destination.ownAttributes.flatMap {
        changedDerivation(of: $0, entities) + changedStorage(of: $0, entities)
          + filledElements(of: $0, entities)
      }
  }

  fileprivate init(
    _ kind: Kind, of property: PropertyDescription, before: String? = nil, after: String,
    rows: EntityDescription?
  ) {
    self.init(
      kind: kind, entity: property.entity.name, property: property.dottedName,
      before: before.map { [$0] } ?? [], after: after, rows: rows?.name)
  }

  private static func madeAbstract(
    _ entities: ElementPairing<EntityDescription>, in destination: ManagedObjectModel
  ) -> [InferenceDoubt] {
    destination.entities.filter(\.isAbstract).compactMap { entity in
      guard let old = entities.source(of: entity), !old.isAbstract else { return nil }
      return InferenceDoubt(
        kind: .madeAbstract, entity: entity.name, before: [], after: "", rows: old.name)
    }
  }

  private static func changedCase(
    _ entities: ElementPairing<EntityDescription>, from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> [InferenceDoubt] {
    destination.entities.filter { $0.superentity == nil && entities.source(of: $0) == nil }
      .flatMap { new in
        source.entities.filter { old in
          old.superentity == nil && old.name.uppercased() == new.name.uppercased()
            && !entities.sources.values.contains { $0 === old }
        }.map {
          InferenceDoubt(
            kind: .kindChanged, entity: new.name, before: ["entity '\($0.name)'"], after: "",
            rows: $0.name)
        }
      }
  }

  private static func changedKind(
    of property: PropertyDescription, _ entities: ElementPairing<EntityDescription>
  ) -> [InferenceDoubt] {
    guard let new = property.columns else { return [] }
    return owners(of: property.entity, entities).flatMap { owner in
      owner.properties.compactMap { old -> InferenceDoubt? in
        guard let former = old.columns else { return nil }
        let isSame =
          old.name == property.name || old.renamingIdentifier == property.renamingIdentifier
        if isSame
          ? former.kind == new.kind
          : former.names.isDisjoint(with: new.names) || owner.has(property)
            || property.entity.has(old)
        {
          return nil
        }
        return InferenceDoubt(
          .kindChanged, of: property,
          before: isSame ? "\(former.article) \(former.kind)" : "\(former.kind) '\(old.name)'",
          after: isSame ? "\(new.article) \(new.kind)" : "", rows: owner)
      }
    }
  }

  private static func changedDerivation(
    of attribute: AttributeDescription, _ entities: ElementPairing<EntityDescription>
  ) -> [InferenceDoubt] {
    guard attribute.isDerived, attribute.isStored else { return [] }
    return owners(of: attribute.entity, entities).filter {
      !$0.attributes.contains { $0.hasDerivation(of: attribute) }
    }.map {
      InferenceDoubt(
        .derivationChanged, of: attribute, after: attribute.derivationExpression ?? "", rows: $0)
    }
  }

  private static func changedStorage(
    of attribute: AttributeDescription, _ entities: ElementPairing<EntityDescription>
  ) -> [InferenceDoubt] {
    owners(of: attribute.entity, entities).flatMap { owner in
      attribute.pairs(with: owner.attributes).compactMap { old, new in
        let isExternal = new.allowsExternalBinaryDataStorage
        guard let old, old.isStored, new.isStored,
          old.allowsExternalBinaryDataStorage != isExternal
        else { return nil }
        return InferenceDoubt(
          .externalStorageChanged, of: new, after: isExternal ? "external" : "", rows: owner)
      }
    }
  }

  private static func filledElements(
    of attribute: AttributeDescription, _ entities: ElementPairing<EntityDescription>
  ) -> [InferenceDoubt] {
    guard attribute.attributeType == .composite, attribute.isStored else { return [] }
    return owners(of: attribute.entity, entities).flatMap { owner in
      let pairs = attribute.pairs(with: owner.attributes)
      let old = pairs.first?.old.flatMap { $0.isStored ? $0 : nil }
      // A required composite that is new without a value ends in 134110, as any attribute.
      if old == nil, !attribute.isOptional { return [InferenceDoubt]() }
      return pairs.dropFirst().compactMap { before, element in
        let isNew = old != nil && before == nil && !element.typedDefaultValue.isNull
        // A new composite has what its elements have by default.
        let isRequired =
          !element.isOptional && before?.isOptional != false
          && (old != nil || element.typedDefaultValue.isNull)
        guard isNew || isRequired else { return nil }
        return InferenceDoubt(
          .elementFilled, of: element, before: old?.name,
          after: isRequired ? "required" : "new with a default value", rows: owner)
      }
    }
  }

  /// The entities whose rows have an entity's attributes; of one that is new above others, those that go on.
  private static func owners(
    of entity: EntityDescription, _ entities: ElementPairing<EntityDescription>
  ) -> [EntityDescription] {
    entities.source(of: entity).map { [$0] }
      ?? entity.subentities.flatMap { owners(of: $0, entities) }
  }

  private static func changedIdentifiers(
    _ entities: ElementPairing<EntityDescription>, in destination: ManagedObjectModel
  ) -> [InferenceDoubt] {
    func doubt(
      _ old: some RenamableElement, _ new: some RenamableElement, of entity: String, rows: String,
      property: String? = nil
    ) -> InferenceDoubt {
      InferenceDoubt(
        kind: .identifierChanged, entity: entity, property: property,
        before: [old.renamingIdentifier], after: new.renamingIdentifier, rows: rows)
    }
    let own = entities.namesakes.filter { $0.source.versionHash != $0.destination.versionHash }
      .map { doubt($0.source, $0.destination, of: $0.destination.name, rows: $0.source.name) }
    let properties = destination.entities.flatMap { entity -> [InferenceDoubt] in
      guard let old = entities.source(of: entity) else { return [] }
      return PropertyInference.namesakes(from: old, to: entity).map {
        doubt($0, $1, of: $1.entity.name, rows: old.name, property: $1.name)
      }
    }
    var known: Set<[String?]> = []
    return own + properties.filter { known.insert([$0.entity, $0.property]).inserted }
  }
}

extension PropertyDescription {
  /// Of what kind a property is that has columns by its own name, or by those of its elements, and these names, in
  /// which case makes no difference.
  fileprivate var columns: (article: String, kind: String, names: Set<String>)? {
    if isTransient { return nil }
    if let relationship = self as? RelationshipDescription {
      return relationship.isToMany ? nil : ("a", "to-one relationship", [name.uppercased()])
    }
    guard let attribute = self as? AttributeDescription, attribute.isStored else { return nil }
    let names = attribute.withElements.filter(\.elements.isEmpty).map { $0.name.uppercased() }
    return attribute.elements.isEmpty
      ? ("an", "attribute", Set(names)) : ("a", "composite attribute", Set(names))
  }
}

extension EntityDescription {
  /// Whether it has another version's property.
  fileprivate func has(_ other: PropertyDescription) -> Bool {
    properties.contains {
      $0.renamingIdentifier == other.renamingIdentifier && $0.columns?.kind == other.columns?.kind
    }
  }
}

extension AttributeDescription {
  /// The attribute and, of a composite, all its elements, each with what it was among others.
  fileprivate func pairs(
    with others: [AttributeDescription]
  ) -> [(old: AttributeDescription?, new: AttributeDescription)] {
    let old = others.first { $0.renamingIdentifier == renamingIdentifier }
    return [(old, self)] + elements.flatMap { $0.pairs(with: old?.elements ?? []) }
  }

  /// Whether it is derived as the other is. The hash is of the expression alone.
  func hasDerivation(of other: AttributeDescription) -> Bool {
    isDerived && renamingIdentifier == other.renamingIdentifier && versionHash == other.versionHash
      && filterPredicate == other.filterPredicate
  }
}

extension LinkInference {
  /// What can't be known of the links of one relationship; the first that holds.
  fileprivate func doubt(of relationship: RelationshipDescription) -> InferenceDoubt? {
    if relationship.isTransient { return nil }
    let olds = origins(of: relationship)
    func doubt(
      _ kind: InferenceDoubt.Kind, before: String, after: String, rows: EntityDescription? = nil
    ) -> InferenceDoubt {
      InferenceDoubt(kind, of: relationship, before: before, after: after, rows: rows)
    }
    for old in olds {
      if old.isToMany, !relationship.isToMany {
        return doubt(.manyToOne, before: "many", after: "one")
      }
      if let (before, after) = changedEnd(of: relationship, from: old) {
        return doubt(.destinationChanged, before: before, after: after)
      }
      if old.isToMany, let inverse = old.inverseRelationship,
        relationship.inverseRelationship == nil
      {
        return doubt(.inverseRemoved, before: old.name, after: inverse.name, rows: old.entity)
      }
    }
    guard relationship.isToMany, !relationship.isOptional, relationship.minCount > 0,
      let owner = entities.source(of: relationship.entity)
    else { return nil }
    let least = olds.map { $0.isOptional ? 0 : $0.minCount }.min() ?? 0
    return least < relationship.minCount
      ? doubt(
        .minimumAdded, before: least == 0 ? "none" : "\(least)", after: "\(relationship.minCount)",
        rows: owner) : nil
  }

  /// Where the links' ends were and are, if not in one table, under one entity.
  private func changedEnd(
    of new: RelationshipDescription, from old: RelationshipDescription
  ) -> (before: String, after: String)? {
    let (before, after): (EntityDescription, EntityDescription) =
      (old.destinationEntity, new.destinationEntity)
    if entities.source(of: after) !== before { return (before.name, after.name) }
    if entities.source(of: after.rootEntity) !== before.rootEntity {
      return (
        "\(before.name) in the table of \(before.rootEntity.name)",
        "\(after.name) in the table of \(after.rootEntity.name)"
      )
    }
    // The key of a to-one relationship goes with a column for the entity, if there may be several.
    if !new.isToMany, before.subentities.isEmpty, !after.subentities.isEmpty {
      return ("\(before.name) alone", "\(after.name) and its new sub-entities")
    }
    return nil
  }
}
