/// All derived attributes of a model, each after those it is derived from.
/// Sendable unchecked: nothing in it changes once it is made.
package final class DerivationPlan: @unchecked Sendable {
  /// Those that a row's own values decide, so that they are known before it is written.
  let own: [Derivation]
  /// Those that other rows decide as well.
  let related: [Derivation]
  /// The first that can't be computed.
  package let failure: DerivationError?

  /// A plan for `entities`; those without derived attributes cost nothing later.
  package init(for entities: [EntityDescription]) {
    var order = DerivationOrder()
    do {
      for attribute in entities.flatMap(\.ownAttributes)
      where attribute.isDerived && !attribute.isTransient { try order.add(attribute) }
      failure = nil
    } catch {
      failure = error as? DerivationError
      order = DerivationOrder()
    }
    own = order.own
    related = order.related
  }

  /// Whether there is nothing to derive.
  var isEmpty: Bool { own.isEmpty && related.isEmpty && failure == nil }

  /// - Throws: `CoreDataError` in place of the one that adding the store would raise.
  package func check() throws {
    if let failure { throw failure.coreDataError }
  }

  /// Whether an entity has derived attributes, inherited ones included.
  func derives(_ entity: EntityDescription) -> Bool {
    own.contains { entity.isKindOf(entity: $0.entity) }
      || related.contains { entity.isKindOf(entity: $0.entity) }
  }

  /// The derived attributes of an entity, inherited ones included.
  func derivations(of entity: EntityDescription) -> [Derivation] {
    (own + related).filter { entity.isKindOf(entity: $0.entity) }
  }
}

/// Puts derived attributes in order.
private struct DerivationOrder {
  private(set) var own: [Derivation] = []
  private(set) var related: [Derivation] = []
  private var known: Set<ObjectIdentifier> = []
  private var relatedAttributes: Set<ObjectIdentifier> = []

  mutating func add(_ attribute: AttributeDescription, on path: [AttributeDescription] = []) throws
  {
    if known.contains(ObjectIdentifier(attribute)) { return }
    let derivation = try Derivation(of: attribute)
    if let start = path.firstIndex(where: { $0 === attribute }) {
      throw circle(attribute, path[start...] + [attribute])
    }
    for operand in derivation.operands where operand.isDerived {
      try add(operand, on: path + [attribute])
    }
    known.insert(ObjectIdentifier(attribute))
    let isOwn =
      derivation.routes.allSatisfy(\.isEmpty)
      && !derivation.operands.contains { relatedAttributes.contains(ObjectIdentifier($0)) }
    if isOwn {
      own.append(derivation)
    } else {
      related.append(derivation)
      relatedAttributes.insert(ObjectIdentifier(attribute))
    }
  }

  private func circle(
    _ attribute: AttributeDescription, _ path: ArraySlice<AttributeDescription>
  ) -> DerivationError {
    DerivationError(
      kind: .circle(path.map { "\($0.entity.name).\($0.name)" }), entity: attribute.entity.name,
      attribute: attribute.name, type: attribute.attributeType,
      expression: attribute.derivationExpression ?? "")
  }
}
