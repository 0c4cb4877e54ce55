/// Something that keeps its identity under a renaming identifier: an entity or a property.
package protocol RenamableElement: AnyObject {
  var name: String { get }
  /// The canonical name: the renaming identifier, else the name.
  var renamingIdentifier: String { get }
}

extension EntityDescription: RenamableElement {}
extension PropertyDescription: RenamableElement {}

/// Which source element each destination element was, by Apple's two rules: the destination's
/// canonical name is the source's name, else the source's canonical name.
///
/// What a store can't tell apart is one element before either rule is asked: the version hash leaves
/// renaming identifiers out, so that a stray one (`Conversation` of Wire 2.47 has an attribute's)
/// must not make an unchanged entity a removed and an added one.
package struct ElementPairing<Element: RenamableElement> {
  /// By the destination element's name.
  package private(set) var sources: [String: Element] = [:]
  /// Destination elements whose claim can't be decided, with those they compete with.
  package private(set) var ambiguities: [(destination: Element, reason: String)] = []

  /// - Parameter isSame: Whether two elements of one name are the same to a store.
  package init(
    source: [Element], destination: [Element],
    isSame: (Element, Element) -> Bool = { _, _ in false }
  ) {
    if Self.areUnchanged(source, destination, isSame) {
      sources = Dictionary(source.map { ($0.name, $0) }) { first, _ in first }
      return
    }
    let byName = Named(source) { $0.name }
    var claims: [ObjectIdentifier: Element] = [:]

    // An element that stayed what it was settles its claim first, so that an old renaming
    // identifier which was kept doesn't compete with a new element of the old name.
    let (unchanged, others) = destination.split { element in
      guard let namesake = byName.first[element.name] else { return false }
      return namesake.renamingIdentifier == element.renamingIdentifier || isSame(namesake, element)
    }
    for element in unchanged {
      guard let original = byName.first[element.name] else { continue }
      sources[element.name] = original
      claims[ObjectIdentifier(original)] = element
    }
    if others.isEmpty { return }
    let byCanonicalName = Named(source) { $0.renamingIdentifier }
    let settled = Set(claims.keys)
    for element in others {
      let canonical = element.renamingIdentifier
      let candidates = byName.first[canonical] == nil ? byCanonicalName : byName
      guard let original = candidates.first[canonical] else { continue }
      if candidates.repeated.contains(canonical) {
        ambiguities.append((element, "several elements were '\(canonical)' in the source"))
        continue
      }
      let id = ObjectIdentifier(original)
      // Named after what the source element once was, but that one goes on under its own name:
      // a new element.
      if settled.contains(id) && original.name != canonical { continue }
      if let rival = claims[id] {
        ambiguities.append((element, "'\(rival.name)' was '\(original.name)' in the source too"))
      } else {
        claims[id] = element
        sources[element.name] = original
      }
    }
  }

  /// Elements by a name that few of them share.
  private struct Named {
    private(set) var first: [String: Element]
    private(set) var repeated: Set<String> = []

    init(_ elements: [Element], by name: (Element) -> String) {
      first = Dictionary(minimumCapacity: elements.count)
      for element in elements {
        let name = name(element)
        if first[name] == nil { first[name] = element } else { repeated.insert(name) }
      }
    }
  }

  /// Whether all elements stayed what they were, in their order. So it is with most entities from one
  /// version to the next.
  package static func areUnchanged(
    _ source: [Element], _ destination: [Element],
    _ isSame: (Element, Element) -> Bool = { _, _ in false }
  ) -> Bool {
    if source.count != destination.count { return false }
    for index in source.indices {
      let (old, new) = (source[index], destination[index])
      guard old.name == new.name,
        old.renamingIdentifier == new.renamingIdentifier || isSame(old, new)
      else { return false }
    }
    return true
  }

  package func source(of destination: Element) -> Element? { sources[destination.name] }
}

extension ElementPairing<EntityDescription> {
  /// Pairs the entities of two models.
  package init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.init(source: source.entities, destination: destination.entities) {
      $0.versionHash == $1.versionHash
    }
  }
}

extension Array {
  /// The elements that fit and those that don't, in order.
  fileprivate func split(by fits: (Element) -> Bool) -> (fitting: [Element], others: [Element]) {
    (filter(fits), filter { !fits($0) })
  }
}
