/// Tells objects apart by what they are linked with.
///
/// Objects have signatures of their own first; each round combines them with those of their
/// neighbours, until no further round tells more objects apart.
package enum Refinement {
  /// - Parameters:
  ///   - own: A signature per object, equal for objects that are alike in themselves.
  ///   - combineLinks: Adds the signatures of an object's neighbours to a hash.
  /// - Returns: A signature per object, links included; equal for objects that nothing tells apart.
  /// - Complexity: O(*links*) per round; as many rounds as the longest chain of look-alikes.
  package static func signatures(
    own: [Int], combineLinks: (_ index: Int, _ current: [Int], _ hasher: inout Hasher) -> Void
  ) -> [Int] {
    func round(_ current: [Int]) -> [Int] {
      current.indices.map { index in
        var hasher = Hasher()
        hasher.combine(current[index])
        combineLinks(index, current, &hasher)
        return hasher.finalize()
      }
    }
    var signatures = own
    var distinct = Set(signatures).count
    while distinct < own.count {
      let next = round(signatures)
      let count = Set(next).count
      signatures = next
      if count <= distinct { return signatures }
      distinct = count
    }
    // One more round, so that links count even where values alone tell all objects apart.
    return round(signatures)
  }
}

extension Value {
  /// Adds all of the value to a hash, so that no other value adds the same, nor others where it is one of several.
  ///
  /// A value's own hash doesn't: it serves tables that compare what they find. There nil is zero, text has no end, and
  /// of bytes only the first 80 count.
  @inline(__always)
  package func combineContent(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(UInt8(0))
    case .integer: combine(1, into: &hasher)
    case .double: combine(2, into: &hasher)
    case .date: combine(3, into: &hasher)
    case .uuid: combine(4, into: &hasher)
    case .uri: combine(5, into: &hasher)
    case .string(let text):
      hasher.combine(text.utf8.count)
      combine(6, into: &hasher)
    case .data(let data): Self.combine(7, data, into: &hasher)
    // Its hash is that of the nearest Double.
    case .decimal(let number): Self.combine(8, Data(number.description.utf8), into: &hasher)
    case .transformable(let value):
      // Values that can't be archived share a hash, and are compared all the same.
      Self.combine(9, (try? value.archived()) ?? Data(), into: &hasher)
    case .object(let composite as CompositeValue): composite.combineContent(into: &hasher)
    case .object, .collection: combine(11, into: &hasher)
    }
  }

  private func combine(_ kind: UInt8, into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(self)
  }

  private static func combine(_ kind: UInt8, _ bytes: Data, into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(bytes.count)
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}

extension CompositeValue {
  /// Equal ones may have their elements in another order.
  fileprivate func combineContent(into hasher: inout Hasher) {
    hasher.combine(elements.count)
    for (element, value) in zip(elements, values).sorted(by: { $0.0.name < $1.0.name }) {
      hasher.combine(element.name)
      value.combineContent(into: &hasher)
    }
  }
}
