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
    let part: FileLines.Part
    /// Of each entity; nil where they have no lines of their own.
    let entities: [FileLines.Part]?
  }

  private let lines: FileLines
  /// The line of the key `models`.
  private let head: String
  private let versions: [Version]
  private let models: VersionedModels

  /// - Parameters:
  ///   - node: What the scenario says of its models.
  ///   - section: Which of the lines are that.
  /// - Returns: Nil for models in files, and where versions have no lines of their own.
  init?(of node: SourceNode, in lines: FileLines, section: FileLines.Part, models: VersionedModels)
  {
    guard let entries = node.map, !entries.contains(where: { $0.key.value == "xcode" }),
      entries.allSatisfy({ $0.value.map != nil }),
      let parts = lines.parts(
        at: entries.map(\.key.place), in: section.first + 1..<section.range.upperBound)
    else { return nil }
    self.lines = lines
    head = lines.all[section.first]
    versions = zip(entries, parts).map { entry, part in
      Version(
        name: entry.key.value, node: entry.value, part: part,
        entities: lines.parts(
          at: (entry.value.map ?? []).map(\.key.place),
          in: part.first + 1..<part.range.upperBound))
    }
    self.models = models
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
    [head]
      + versions.filter { !omission.versions.contains($0.name) }.flatMap {
        lines(of: $0, without: omission)
      }
  }

  private func lines(of version: Version, without omission: Omission) -> [String] {
    let entries = version.node.map ?? []
    guard entries.contains(where: { Self.isTouched($0, by: omission) }) else {
      return lines[version.part.range]
    }
    let left = entries.compactMap { Self.field($0, without: omission) }
    guard let parts = version.entities, !left.isEmpty else {
      return written(.init(key: version.name, value: .map(left)), for: version.part)
    }
    return lines[version.part.range.lowerBound...version.part.first]
      + zip(entries, parts).flatMap { entry, part -> [String] in
        if !Self.isTouched(entry, by: omission) { return lines[part.range] }
        return Self.field(entry, without: omission).map { written($0, for: part) } ?? []
      }
  }

  /// A key in one line, below its comments.
  private func written(_ field: Notation.Field, for part: FileLines.Part) -> [String] {
    let indent = lines.all[part.first].prefix { $0 == " " }
    return lines[part.range.lowerBound..<part.first]
      + ["\(indent)\(Notation.entry(field.key, field.value).yaml(inFlow: false))"]
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
