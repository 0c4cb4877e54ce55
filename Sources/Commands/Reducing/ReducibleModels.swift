/// The models that a scenario writes itself: versions, entities and properties that may be left out of it.
///
/// What stays is written as the file has it, with its comments; an entity that loses a property gets a line of its own.
struct ReducibleModels {
  struct Property: Hashable, Sendable {
    let entity: String
    let name: String
  }

  /// What is left out, in every version.
  struct Omission: Equatable {
    var versions: Set<String> = []
    var entities: Set<String> = []
    var properties: Set<Property> = []

    func leavesOut(_ property: Property) -> Bool {
      entities.contains(property.entity) || properties.contains(property)
    }
  }

  private struct Version {
    let name: String
    let node: SourceNode
    let lines: [String]
    /// The lines before the first entity, and of each; nil where they have no lines of their own.
    let parts: (head: [String], entries: [(entry: SourceNode.Entry, lines: [String])])?
  }

  /// The line of the key `models`, and what stands before the first version.
  private let head: [String]
  private let versions: [Version]
  private let models: VersionedModels

  /// - Parameters:
  ///   - node: What the scenario says of its models.
  ///   - lines: The file's, and which of them are the section's.
  /// - Returns: Nil for models in files, and where versions have no lines of their own.
  init?(_ node: SourceNode, _ lines: [String], _ range: Range<Int>, models: VersionedModels) {
    guard let entries = node.map, let first = entries.first,
      !entries.contains(where: { $0.key.value == "xcode" }),
      entries.allSatisfy({ $0.value.map != nil }),
      let parts = Self.parts(entries, lines, range)
    else { return nil }
    head = Array(lines[range.lowerBound..<first.key.place.line - 1])
    versions = zip(entries, parts).map { entry, own in
      Version(
        name: entry.key.value, node: entry.value, lines: Array(lines[own]),
        parts: Self.entityParts(entry.value, lines, own))
    }
    self.models = models
  }

  private static func entityParts(
    _ node: SourceNode, _ lines: [String], _ range: Range<Int>
  ) -> (head: [String], entries: [(entry: SourceNode.Entry, lines: [String])])? {
    guard let entries = node.map, let first = entries.first,
      let parts = parts(entries, lines, range)
    else { return nil }
    return (
      Array(lines[range.lowerBound..<first.key.place.line - 1]),
      zip(entries, parts).map { ($0, Array(lines[$1])) }
    )
  }

  /// The lines of each entry of a map, up to the next one's; nil where two share a line, or one that with the map's key.
  private static func parts(
    _ entries: [SourceNode.Entry], _ lines: [String], _ range: Range<Int>
  ) -> [Range<Int>]? {
    let starts = entries.map { $0.key.place.line - 1 }
    let isInOrder = zip(starts, starts.dropFirst()).allSatisfy(<)
    guard isInOrder, starts.allSatisfy({ $0 > range.lowerBound && $0 < range.upperBound }) else {
      return nil
    }
    return zip(starts, starts.dropFirst() + [range.upperBound]).map { $0..<$1 }
  }

  // MARK: What there is

  var versionNames: [String] { versions.map(\.name) }

  var entityNames: [String] {
    versions.flatMap { ($0.node.map ?? []).namesWithoutOptions }.uniqued()
  }

  var properties: [Property] {
    versions.flatMap { version in
      (version.node.map ?? []).filter { !$0.key.value.hasPrefix(".") }.flatMap { entity in
        (entity.value.map ?? []).namesWithoutOptions.map {
          Property(entity: entity.key.value, name: $0)
        }
      }
    }.uniqued()
  }

  // MARK: Leaving out

  /// An omission with all that can't be there without it: relationships to entities that go, and the inverses of those
  /// that go.
  func closed(_ omission: Omission) -> Omission {
    var closed = omission
    var count = -1
    while count != closed.properties.count {
      count = closed.properties.count
      for model in versions.compactMap({ models[$0.name] }) {
        for entity in model.entities {
          for relationship in entity.relationships where relationship.entity === entity {
            add(relationship, to: &closed)
          }
        }
      }
    }
    return closed
  }

  private func add(_ relationship: RelationshipDescription, to omission: inout Omission) {
    let own = Property(entity: relationship.entity.name, name: relationship.name)
    let inverse = relationship.inverseRelationship.map {
      Property(entity: $0.entity.name, name: $0.name)
    }
    let leadsNowhere = relationship.destinationEntity.map { omission.entities.contains($0.name) }
    if leadsNowhere == true || inverse.map(omission.leavesOut) == true {
      omission.properties.insert(own)
    }
  }

  // MARK: Writing

  func lines(without omission: Omission) -> [String] {
    head
      + versions.filter { !omission.versions.contains($0.name) }.flatMap {
        lines(of: $0, without: omission)
      }
  }

  private func lines(of version: Version, without omission: Omission) -> [String] {
    let entries = version.node.map ?? []
    guard entries.contains(where: { Self.isTouched($0, by: omission) }) else {
      return version.lines
    }
    let left = entries.compactMap { Self.field($0, without: omission) }
    guard let (head, parts) = version.parts, !left.isEmpty else {
      let indent = version.lines[0].prefix { $0 == " " }
      return ["\(indent)\(Notation.entry(version.name, .map(left)).yaml(inFlow: false))"]
    }
    return head
      + parts.flatMap { entry, lines -> [String] in
        if !Self.isTouched(entry, by: omission) { return lines }
        guard let field = Self.field(entry, without: omission) else { return [] }
        let indent = lines[0].prefix { $0 == " " }
        return ["\(indent)\(Notation.entry(field.key, field.value).yaml(inFlow: false))"]
      }
  }

  private static func isTouched(_ entry: SourceNode.Entry, by omission: Omission) -> Bool {
    let key = entry.key.value
    if key == ".gone" {
      return !omission.entities.isDisjoint(with: entry.value.list?.compactMap(\.text) ?? [])
    }
    if omission.entities.contains(key) { return true }
    return (entry.value.map ?? []).namesWithoutOptions.contains {
      omission.properties.contains(Property(entity: key, name: $0))
    }
  }

  /// An entity, or an option of a version; nil where nothing of it is left.
  private static func field(
    _ entry: SourceNode.Entry, without omission: Omission
  ) -> Notation.Field? {
    let key = entry.key.value
    if omission.entities.contains(key) { return nil }
    if key == ".gone", let names = entry.value.list {
      let left = names.filter { !omission.entities.contains($0.text ?? "") }
      return left.isEmpty ? nil : .init(key: key, value: .list(left.map { Notation($0) }))
    }
    guard !key.hasPrefix("."), let entries = entry.value.map else {
      return .init(key: key, value: Notation(entry.value))
    }
    let gone = Set(omission.properties.filter { $0.entity == key }.map(\.name))
    return .init(key: key, value: .map(entries.compactMap { Self.field($0, without: gone) }))
  }

  /// A property, or an option of an entity; nil where nothing of it is left.
  private static func field(
    _ entry: SourceNode.Entry, without properties: Set<String>
  ) -> Notation.Field? {
    let key = entry.key.value
    if properties.contains(key) { return nil }
    guard [".unique", ".index"].contains(key), let items = entry.value.list else {
      return .init(key: key, value: Notation(entry.value))
    }
    let left = items.filter { item in
      properties.isDisjoint(with: (item.list ?? [item]).compactMap(\.text))
    }
    return left.isEmpty ? nil : .init(key: key, value: .list(left.map { Notation($0) }))
  }
}

extension [SourceNode.Entry] {
  /// The keys that are no options.
  fileprivate var namesWithoutOptions: [String] { map(\.key.value).filter { !$0.hasPrefix(".") } }
}

extension Notation {
  /// A value as a file says it.
  init(_ node: SourceNode) {
    self =
      switch node.content {
      case .scalar where node.isNull: .null
      case .scalar(let text, _): .text(text)
      case .list(let items): .list(items.map { Notation($0) })
      case .map(let entries):
        .map(entries.map { .init(key: $0.key.value, value: Notation($0.value)) })
      }
  }
}
