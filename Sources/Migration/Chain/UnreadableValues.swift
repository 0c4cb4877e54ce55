/// Values that an entity mapping brought along although their value transformer can't read them: it has no reverse
/// transformation, or it isn't the one that wrote them.
///
/// The engine carries the bytes, as a migration inside the store does. A migration manager on a device may read the
/// value as an object, by the transformer's reverse transformation, and have it transformed again when it saves.
// Core Data: assumed to come along as bytes; the reference of `valueTransformerName` only says that the transformer
// must allow reverse transformation.
public struct UnreadableValues: Hashable, Sendable, Codable, CustomStringConvertible {
  public let entityMapping: String
  /// In the destination model.
  public let entity: String
  /// The attribute, or an element's path; where there is no reverse transformation, of an element the composite.
  public let attribute: String
  public let transformer: String
  /// The transformer that wrote them, if that is another one.
  public var formerTransformer: String?
  /// Whether the transformer isn't in the code at hand, so that nobody looked whether it can read them.
  public var isMissing = false

  public var description: String {
    if isMissing {
      return
        "\(entity).\(attribute) is read by \(transformer) now, which isn't in the policies' "
        + "sources: whether it reads the values of \(formerTransformer ?? "before") isn't known"
    }
    if let formerTransformer {
      return
        "\(entity).\(attribute) has values of the value transformer \(formerTransformer), which \(transformer) "
        + "can't read"
    }
    return
      "\(entity).\(attribute) was copied by '\(entityMapping)', and the value transformer \(transformer) has no reverse "
      + "transformation"
  }
}

extension MigrationStep {
  /// The values that the step brought along and a migration manager on a device couldn't read.
  ///
  /// A lightweight step carries bytes on a device, too. What a policy sets is validated, so that values of such a
  /// transformer in the destination are copies.
  /// - Parameter runs: What the step's mapping models did.
  func unreadableValues(
    by choice: MappingChoice?, _ runs: [StepReport.Run], from source: PersistentStore,
    to destination: PersistentStore
  ) throws -> [UnreadableValues] {
    guard let choice, source.model.hasTransformers else { return [] }
    let isOneWay =
      (choice.kind == .custom || makesObjects)
      && (source.model.hasOneWayTransformers || destination.model.hasOneWayTransformers)
    let reports = runs.flatMap(\.entityMappings).filter { $0.destinationCount > 0 }
    let names = Set(reports.map(\.name))
    return try runs.compactMap(\.plan).flatMap(\.entities).filter { names.contains($0.name) }
      .flatMap { try $0.unreadableValues(in: destination, isOneWay: isOneWay) }
  }
}

extension EntityPlan {
  fileprivate func unreadableValues(
    in store: PersistentStore, isOneWay: Bool
  ) throws -> [UnreadableValues] {
    guard let entity = destination else { return [] }
    var unreadable: [UnreadableValues] = []
    for (attribute, source) in attributes where attribute.isStored {
      // A policy may have made the value of something else.
      let original = policyClassName == nil ? source.unconverted : nil
      if let original, let found = try changed(attribute, from: original, entity, in: store) {
        unreadable.append(found)
        continue
      }
      guard isOneWay else { continue }
      let names = attribute.oneWayTransformerNames + (original?.oneWayTransformerNames ?? [])
      guard let name = names.first, try store.hasTransformableValues(of: attribute, in: entity)
      else { continue }
      unreadable.append(
        UnreadableValues(
          entityMapping: self.name, entity: entity.name, attribute: attribute.name,
          transformer: name))
    }
    return unreadable
  }

  /// What the transformer of the new version can't read of what that of the old one wrote.
  private func changed(
    _ attribute: AttributeDescription, from original: AttributeDescription,
    _ entity: EntityDescription, in store: PersistentStore
  ) throws -> UnreadableValues? {
    for (old, new) in original.leaves(becoming: attribute)
    where new.attributeType == .transformable
      && new.storedTransformerName != old.storedTransformerName
    {
      var isMissing = false
      let found = try store.hasTransformableValues(of: attribute, in: entity) { holder, value in
        if holder.path != new.path { return false }
        let isRead = (try? value.archived()).map(new.reads) ?? false
        isMissing = isRead == nil
        return isRead != true
      }
      if !found { continue }
      return UnreadableValues(
        entityMapping: name, entity: entity.name, attribute: new.path,
        transformer: new.storedTransformerName,
        formerTransformer: old.storedTransformerName, isMissing: isMissing)
    }
    return nil
  }
}

extension ManagedObjectModel {
  fileprivate var hasTransformers: Bool {
    entities.contains { entity in
      entity.attributes.contains { [.transformable, .composite].contains($0.attributeType) }
    }
  }

  fileprivate var hasOneWayTransformers: Bool {
    entities.contains { $0.attributes.contains { !$0.oneWayTransformerNames.isEmpty } }
  }
}

extension ValueSource {
  /// The source attribute whose value is set as it is.
  fileprivate var unconverted: AttributeDescription? {
    switch self {
    case .copied(let attribute), .fallback(let attribute, _), .elements(let attribute): attribute
    case .converted, .constant, .element, .expression: nil
    }
  }
}

extension PersistentStore {
  /// Whether an object of the entity itself has such a value, in the attribute or an element of it.
  fileprivate func hasTransformableValues(
    of attribute: AttributeDescription, in entity: EntityDescription,
    where isMeant: (AttributeDescription, TransformableValue) -> Bool = { _, _ in true }
  ) throws -> Bool {
    try hasRow(of: entity) { $0.values[attribute.slot].hasTransformable(of: attribute, isMeant) }
  }
}

extension Value {
  /// Whether it is the value of a Transformable attribute, or a composite with one.
  fileprivate func hasTransformable(
    of attribute: AttributeDescription,
    _ isMeant: (AttributeDescription, TransformableValue) -> Bool
  ) -> Bool {
    switch self {
    case .transformable(let value): isMeant(attribute, value)
    case .object(let composite as CompositeValue):
      zip(composite.elements, composite.values).contains { $1.hasTransformable(of: $0, isMeant) }
    default: false
    }
  }
}
