/// Something that two stores don't have in common.
package struct ContentDifference: Sendable, Equatable {
  /// The object, and the property where both stores have the object.
  package let subject: String
  package let first: String
  package let second: String
}

extension [ContentDifference] {
  /// A failure for each of the first ones; the last says how many are left out.
  func failures(_ failure: (ContentDifference) -> Failure) -> [Failure] {
    let most = 10
    var failures = prefix(most).map(failure)
    if count > most { failures[most - 1].notes.append("and \(count - most) more differences") }
    return failures
  }
}

extension ContentSnapshot {
  /// What isn't the same in another snapshot; empty when both have the same content.
  package func differences(from other: ContentSnapshot) -> [ContentDifference] {
    var here = Array(unmatched(by: other).prefix(Self.mostCompared))
    var there = Array(other.unmatched(by: self).prefix(Self.mostCompared))
    if here.isEmpty, there.isEmpty { return [] }
    var found: [ContentDifference] = []
    // The most alike first: the same origin, then the same values.
    for isPair in [sameOrigin, sameValues, sameEntity] {
      for index in here {
        guard let partner = there.firstIndex(where: { isPair(objects[index], other.objects[$0]) })
        else { continue }
        found += compare(index, with: other, at: there[partner])
        here.removeAll { $0 == index }
        there.remove(at: partner)
      }
    }
    found += here.map {
      ContentDifference(subject: text($0), first: "is there", second: "isn't there")
    }
    found += there.map {
      ContentDifference(subject: other.text($0), first: "isn't there", second: "is there")
    }
    if !found.isEmpty { return found }
    return [
      ContentDifference(
        subject: "links", first: "objects that look alike", second: "are linked differently")
    ]
  }

  /// Pairs are looked for among so many objects.
  private static var mostCompared: Int { 500 }

  /// The objects that the other snapshot has fewer of.
  private func unmatched(by other: ContentSnapshot) -> [Int] {
    var counts: [Int: Int] = [:]
    for signature in other.signatures { counts[signature, default: 0] += 1 }
    return objects.indices.filter { index in
      let left = counts[signatures[index], default: 0]
      counts[signatures[index]] = left - 1
      return left <= 0
    }
  }

  private func sameOrigin(_ a: Object, _ b: Object) -> Bool {
    a.entity.name == b.entity.name && !a.origins.isEmpty && a.origins == b.origins
  }

  private func sameValues(_ a: Object, _ b: Object) -> Bool {
    a.entity.name == b.entity.name && a.values == b.values
  }

  private func sameEntity(_ a: Object, _ b: Object) -> Bool { a.entity.name == b.entity.name }

  private func compare(
    _ index: Int, with other: ContentSnapshot, at partner: Int
  ) -> [ContentDifference] {
    let (a, b) = (objects[index], other.objects[partner])
    let values = zip(a.entity.attributes, zip(a.values, b.values)).compactMap { attribute, pair in
      pair.0 == pair.1
        ? nil
        : ContentDifference(
          subject: "\(text(index)), \(attribute.name)", first: pair.0.shown(as: attribute),
          second: pair.1.shown(as: attribute))
    }
    let links = a.entity.relationships.indices.compactMap { place -> ContentDifference? in
      let relationship = a.entity.relationships[place]
      let here = text(of: a.links[place], ordered: a.isOrdered(place))
      let there = other.text(of: b.links[place], ordered: a.isOrdered(place))
      if here == there { return nil }
      return ContentDifference(
        subject: "\(text(index)), \(relationship.name)", first: here, second: there)
    }
    return values + links
  }

  // MARK: Wording

  private func text(of links: [Int], ordered: Bool) -> String {
    let texts = links.map(text)
    return "[\((ordered ? texts : texts.sorted()).joined(separator: ", "))]"
  }

  /// The label, or the entity with the first values that are set.
  private func text(_ index: Int) -> String {
    let object = objects[index]
    if object.label != object.entity.name { return object.label }
    let set = zip(object.entity.attributes, object.values).filter { !$0.1.isNull }.prefix(3)
    let values = set.map { "\($0.0.name): \($0.1.shown(as: $0.0))" }
    return "\(object.entity.name) { \(values.joined(separator: ", ")) }"
  }
}
