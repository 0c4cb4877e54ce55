import Migration

/// The elements of two lists that belong together, whichever of the two is the older one.
struct ElementMatches<Element: RenamableElement> {
  private(set) var pairs: [Both<Element>] = []
  private(set) var unpaired: Both<[Element]>

  init(_ a: [Element], _ b: [Element]) {
    unpaired = Both(a, b)
    // Renaming identifiers are written in the newer model; each may name what the other has.
    let forward = Self.renames(from: a, to: b) >= Self.renames(from: b, to: a)
    for isForward in [forward, !forward] {
      let rest = unpaired
      let pairing =
        isForward
        ? ElementPairing(source: rest.a, destination: rest.b)
        : ElementPairing(source: rest.b, destination: rest.a)
      for element in isForward ? rest.b : rest.a {
        guard let source = pairing.source(of: element) else { continue }
        pair(isForward ? Both(source, element) : Both(element, source))
      }
    }
    sort(like: a)
  }

  private static func renames(from old: [Element], to new: [Element]) -> Int {
    let names = Set(old.map(\.name))
    return new.count { $0.renamingIdentifier != $0.name && names.contains($0.renamingIdentifier) }
  }

  private mutating func pair(_ pair: Both<Element>) {
    pairs.append(pair)
    unpaired.a.removeAll { $0 === pair.a }
    unpaired.b.removeAll { $0 === pair.b }
  }

  private mutating func sort(like list: [Element]) {
    var places: [ObjectIdentifier: Int] = [:]
    for (place, element) in list.enumerated() { places[ObjectIdentifier(element)] = place }
    pairs.sort {
      places[ObjectIdentifier($0.a), default: 0] < places[ObjectIdentifier($1.a), default: 0]
    }
  }
}
