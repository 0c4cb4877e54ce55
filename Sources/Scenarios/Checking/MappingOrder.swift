/// The order in which the mapping models of a folder run, where several serve one step.
///
/// They run one after the other into one destination, each with associations of its own: what one
/// refers to must have been made before. So one that makes objects with a to-one relationship comes
/// after the one that makes what the relationship leads to. Otherwise, and where two need each other,
/// they keep the order that they are given in.
struct MappingOrder {
  let ordered: [PlacedMapping]
  /// Why something isn't in the order given.
  let needs: [MappingNeed]

  /// - Complexity: O(*n*²) in the number of mapping models.
  init(_ given: [PlacedMapping], in model: VersionedModel) {
    var waiting = given
    var ordered: [PlacedMapping] = []
    var needs: [MappingNeed] = []
    while !waiting.isEmpty {
      let open = waiting.map { mapping in
        waiting.lazy.compactMap { mapping.need(for: $0, in: model) }.first
      }
      let next = open.firstIndex { $0 == nil } ?? 0
      needs += open[..<next].compactMap { $0 }.filter { $0.earlier == waiting[next].name }
      ordered.append(waiting.remove(at: next))
    }
    self.ordered = ordered
    self.needs = needs
  }
}

/// That one mapping model makes what another refers to.
package struct MappingNeed: Hashable, CustomStringConvertible {
  package let earlier: String
  package let later: String
  /// What refers, as `File.user`.
  let relationship: String
  let destination: String

  package var description: String {
    "\(earlier) runs before \(later), whose \(relationship) leads to the \(destination) that it makes"
  }
}

extension PlacedMapping {
  /// Why this mapping model has to run after another; nil when it needn't, or each needs the other.
  fileprivate func need(for other: PlacedMapping, in model: VersionedModel) -> MappingNeed? {
    guard file.url != other.file.url, let destination = commonDestination(with: other, in: model),
      let need = oneSidedNeed(for: other, destination),
      other.oneSidedNeed(for: self, destination) == nil
    else { return nil }
    return need
  }

  private func oneSidedNeed(
    for other: PlacedMapping, _ destination: ManagedObjectModel
  ) -> MappingNeed? {
    let others = other.madeEntityNames
    for entity in madeEntityNames.sorted().compactMap(destination.entity(named:)) {
      for relationship in entity.relationships where !relationship.isToMany {
        let targets = Set(relationship.destinationEntity.selfAndDescendants.map(\.name))
        guard !relationship.isTransient, targets.isDisjoint(with: madeEntityNames),
          let target = targets.intersection(others).min()
        else { continue }
        return MappingNeed(
          earlier: other.name, later: name, relationship: "\(entity.name).\(relationship.name)",
          destination: target)
      }
    }
    return nil
  }

  /// The entities that objects are made of.
  private var madeEntityNames: Set<String> {
    Set((candidate?.model.entityMappings ?? []).compactMap(\.destinationEntityName))
  }

  /// The version that both lead to from one and the same version; nil when there is none.
  private func commonDestination(
    with other: PlacedMapping, in model: VersionedModel
  ) -> ManagedObjectModel? {
    if case .versions(let source, let destination, _) = place,
      case .versions(let otherSource, let otherDestination, _) = other.place
    {
      return source === otherSource && destination === otherDestination ? destination : nil
    }
    guard let own = candidate?.model, let others = other.candidate?.model else { return nil }
    let steps = zip(model.versions, model.versions.dropFirst())
    return steps.first { source, destination in
      own.fits(source: source, destination: destination)
        && others.fits(source: source, destination: destination)
    }?.1
  }
}
