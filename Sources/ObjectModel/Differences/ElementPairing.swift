/// Something that keeps its identity under a renaming identifier: an entity or a property.
package protocol RenamableElement: AnyObject {
  var name: String { get }
  /// The canonical name: the renaming identifier, else the name.
  var renamingIdentifier: String { get }
}

extension RenamableElement {
  /// What an element is known by in other versions.
  fileprivate var canonicalName: String {
    // Core Data: assumed; an identifier that is one of an entity's own properties was typed with the wrong element
    // selected, as `Conversation` of Wire 2.47 has it, whose versions before and after have none.
    guard let entity = self as? EntityDescription,
      entity.propertiesByName[renamingIdentifier] != nil
    else { return renamingIdentifier }
    return name
  }

  /// Whether others may have been the same element, so that each gets its values.
  /// Core Data: observed in the tests of a public library, for attributes.
  fileprivate var sharesOrigin: Bool { self is AttributeDescription }
}

extension EntityDescription: RenamableElement {}
extension PropertyDescription: RenamableElement {}

/// Which source element each destination element was: the one of the same canonical name. Of what that leaves over on
/// both sides, namesakes go on, which nobody is known to have tried.
/// Core Data: observed; of stores of five versions, each naming the name before it, only the first step kept the
/// value. The reference of `renamingIdentifier` has it so, too.
package struct ElementPairing<Element: RenamableElement> {
  /// By the destination element's name.
  package private(set) var sources: [String: Element] = [:]
  /// Destination elements whose claim can't be decided, with those they compete with.
  package private(set) var ambiguities: [(destination: Element, reason: String)] = []
  private var otherwiseIdentified: [(source: Element, destination: Element)] = []
  private let destination: [Element]

  /// Elements of one name which their identifiers make two, also by the code points that the same text has in each.
  package var namesakes: [(source: Element, destination: Element)] {
    otherwiseIdentified
      + destination.compactMap { element in
        guard let old = sources[element.name], old.renamingIdentifier == element.renamingIdentifier,
          !old.renamingIdentifier.utf8.elementsEqual(element.renamingIdentifier.utf8)
        else { return nil }
        return (old, element)
      }
  }

  package init(source: [Element], destination: [Element]) {
    self.destination = destination
    if Self.areUnchanged(source, destination) {
      sources = Dictionary(source.map { ($0.name, $0) }) { first, _ in first }
      return
    }
    let byCanonicalName = Dictionary(grouping: source, by: \.canonicalName)
    var claims: [ObjectIdentifier: Element] = [:]
    // What stayed what it was settles its claim first.
    let byName = Dictionary(source.map { ($0.name, $0) }) { first, _ in first }
    let (unchanged, others) = destination.split {
      byName[$0.name]?.canonicalName == $0.canonicalName
    }
    for element in unchanged {
      guard let original = byName[element.name] else { continue }
      sources[element.name] = original
      claims[ObjectIdentifier(original)] = element
    }
    for element in others {
      guard let candidates = byCanonicalName[element.canonicalName] else { continue }
      if candidates.count > 1 {
        ambiguities.append(
          (element, "several elements were '\(element.canonicalName)' in the source"))
        continue
      }
      let original = candidates[0]
      if let rival = claims[ObjectIdentifier(original)], !element.sharesOrigin {
        ambiguities.append((element, "'\(rival.name)' was '\(original.name)' in the source too"))
        continue
      }
      claims[ObjectIdentifier(original)] = element
      sources[element.name] = original
    }
    for element in others where sources[element.name] == nil {
      guard let namesake = byName[element.name],
        !ambiguities.contains(where: { $0.destination === element })
      else { continue }
      otherwiseIdentified.append((namesake, element))
      if claims[ObjectIdentifier(namesake)] == nil {
        sources[element.name] = namesake
      }
    }
  }

  /// Whether all elements stayed what they were, in their order. So it is with most entities from one
  /// version to the next.
  package static func areUnchanged(_ source: [Element], _ destination: [Element]) -> Bool {
    source.count == destination.count
      && zip(source, destination).allSatisfy { old, new in
        old.name == new.name && old.renamingIdentifier == new.renamingIdentifier
      }
  }

  package func source(of destination: Element) -> Element? { sources[destination.name] }
}

extension ElementPairing<EntityDescription> {
  /// Pairs the entities of two models.
  package init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.init(source: source.entities, destination: destination.entities)
  }
}

extension Array {
  /// The elements that fit and those that don't, in order.
  fileprivate func split(by fits: (Element) -> Bool) -> (fitting: [Element], others: [Element]) {
    (filter(fits), filter { !fits($0) })
  }
}
