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
  /// Adds all of the value to a hash; the hash of a transformable value alone says nothing of what it
  /// holds.
  @inline(__always)
  package func combineContent(into hasher: inout Hasher) {
    // Values that can't be archived share a hash, and are compared all the same.
    if case .transformable(let value) = self, let bytes = try? value.archived() {
      hasher.combine(bytes)
    } else {
      hasher.combine(self)
    }
  }
}
