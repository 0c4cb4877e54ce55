/// The mutants of the mapping models that a scenario's chain is offered.
///
/// Of a mapping that stands in a scenario only what is written is altered: what is filled in by rule is nobody's
/// to get wrong. Of a file all is.
struct MappingMutants {
  private let scenario: CheckedScenario

  init(_ scenario: CheckedScenario) { self.scenario = scenario }

  /// - Throws: When a mapping model can't be read.
  func all() throws -> [Mutant] {
    try scenario.scenario.chain.flatMap { step in
      try zip(step.mappings, scenario.candidates(of: step)).enumerated().flatMap {
        try mutants(of: step, candidate: $0, from: $1.0, in: $1.1.model)
      }
    }
  }

  private func mutants(
    of step: ChainStep, candidate: Int, from source: MappingSource, in model: MappingModel
  ) throws -> [Mutant] {
    let made = step.madeFor?.value ?? step.ends.value
    let places: any MappingPlaces
    switch source {
    case .inline(let inline): places = InlineMappingPlaces(inline, ends: step.ends.value)
    case .file(let path):
      places = MappingFilePlaces(scenario.scenario.folder.resolving(path.value))
    }
    let sourceModel = try scenario.model(made.source)
    return (model.entityMappings ?? []).flatMap { mapping -> [Mutant] in
      guard let place = places.place(of: mapping.name) else { return [] }
      return EntityMappingMutants(
        mapping: mapping, source: mapping.sourceEntityName.flatMap(sourceModel.entity(named:)),
        places: places, place: place
      ) {
        .mapping(
          step: step.ends.value.description, candidate: candidate, entityMapping: mapping.name, $0)
      }
      .all()
    }
  }
}

/// Where the parts of a mapping model were written.
protocol MappingPlaces {
  /// What tells mutants of one file apart: the step, where a file has several.
  var prefix: String { get }
  /// Nil for an entity mapping that nobody wrote.
  func place(of entityMapping: String) -> FilePlace?
  func place(of property: String, in entityMapping: String) -> FilePlace?
}

private struct InlineMappingPlaces: MappingPlaces {
  let prefix: String
  private let notations: [String: EntityMappingNotation]

  init(_ inline: InlineMapping, ends: StepEnds) {
    prefix = "\(ends) "
    notations = Dictionary(firstOf: inline.entityMappings.map { ($0.name.value, $0) })
  }

  func place(of entityMapping: String) -> FilePlace? {
    notations[entityMapping].map { FilePlace($0.name.place) }
  }

  func place(of property: String, in entityMapping: String) -> FilePlace? {
    guard let notation = notations[entityMapping] else { return nil }
    for case .filled(let written) in [notation.attributes, notation.relationships] {
      if let found = written.first(where: { $0.property.value == property }) {
        return FilePlace(found.property.place)
      }
    }
    return nil
  }
}

extension FilePlace {
  init(_ place: SourcePlace) {
    // What scenarios share they may name in several ways.
    self.init(file: ShownPath.of(URL(fileURLWithPath: place.file.path)), line: place.line)
  }
}

/// The places of a mapping model in Xcode's file, which has one object after the other that refer to each other
/// by identifiers. A compiled one has no lines.
private struct MappingFilePlaces: MappingPlaces {
  let prefix = ""
  private let file: String
  private var objects: [Object] = []

  private struct Object {
    var identifier = ""
    var line = 0
    var name: String?
    var source: String?
    var destination: String?
    var owner: String?
  }

  init(_ url: URL) {
    let source = url.appending(path: "xcmapping.xml")
    let isSource = FileManager.default.fileExists(atPath: source.path)
    file = ShownPath.of(isSource ? source : url)
    // The loader has read it before: without lines it is only harder to find.
    guard isSource, let data = try? Data(reading: source) else { return }
    let text = String(decoding: data, as: UTF8.self)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      if let match = line.firstMatch(of: #/<object type="\w+" id="(\w+)"/#) {
        objects.append(Object(identifier: String(match.1), line: index + 1))
      }
      guard let last = objects.indices.last else { continue }
      if let match = line.firstMatch(of: #/<attribute name="(\w+)" type="string">([^<]*)</#) {
        switch match.1 {
        case "name": objects[last].name = String(match.2)
        case "sourcename": objects[last].source = String(match.2)
        case "destinationname": objects[last].destination = String(match.2)
        default: break
        }
      }
      if let match = line.firstMatch(of: #/<relationship name="entitymapping"[^>]* idrefs="(\w+)"/#)
      {
        objects[last].owner = String(match.1)
      }
    }
  }

  private func entityMapping(_ name: String) -> Object? {
    objects.first { object in
      let generated = [object.source, object.destination].compactMap(\.self).joined(separator: "To")
      return object.owner == nil && (object.name ?? generated) == name
    }
  }

  func place(of entityMapping: String) -> FilePlace? {
    FilePlace(file: file, line: self.entityMapping(entityMapping)?.line)
  }

  func place(of property: String, in entityMapping: String) -> FilePlace? {
    let owner = self.entityMapping(entityMapping)
    let object = objects.first { $0.owner == owner?.identifier && $0.name == property }
    return FilePlace(file: file, line: (object ?? owner)?.line)
  }
}

/// The mutants of one entity mapping.
struct EntityMappingMutants {
  let mapping: EntityMapping
  /// The source entity.
  let source: EntityDescription?
  let places: any MappingPlaces
  let place: FilePlace
  let mutation: (MappingMutation) -> Mutation

  private var name: String { mapping.name ?? "" }

  func all() -> [Mutant] {
    [dropped, withoutPolicy].compactMap(\.self) + predicates
      + (mapping.attributeMappings ?? []).flatMap { mutants(of: $0, isRelationship: false) }
      + (mapping.relationshipMappings ?? []).flatMap { mutants(of: $0, isRelationship: true) }
  }

  private func mutant(
    _ kind: Mutant.Kind, at place: FilePlace, title: String, removed: String, added: String?,
    by change: MappingMutation
  ) -> Mutant {
    Mutant(
      kind: kind, file: place.file, line: place.line, title: places.prefix + title,
      removed: [removed], added: added.map { [$0] } ?? [],
      targets: [Mutant.Target(scenario: 0, mutation: mutation(change))])
  }

  private var dropped: Mutant? {
    let ends = [mapping.sourceEntityName, mapping.destinationEntityName].map { $0 ?? "nothing" }
    return mutant(
      .entityMapping, at: place, title: "drop the entity mapping \(name)",
      removed: "\(name): \(ends[0]) -> \(ends[1])", added: nil, by: .dropped)
  }

  private var withoutPolicy: Mutant? {
    guard let policy = mapping.entityMigrationPolicyClassName, !policy.isEmpty else { return nil }
    return mutant(
      .policy, at: place, title: "drop the policy of \(name)", removed: "\(name): policy \(policy)",
      added: "\(name): Core Data's own policy", by: .withoutPolicy)
  }

  private var predicates: [Mutant] {
    guard let expression = mapping.sourceExpression,
      case .fetch(_, let format)? = GeneratedExpression(expression), format != "TRUEPREDICATE"
    else { return [] }
    return [("drop", "TRUEPREDICATE"), ("negate", "NOT (\(format))")].map { word, new in
      mutant(
        .sourcePredicate, at: place, title: "\(word) the source predicate of \(name)",
        removed: "\(name): \(format)", added: "\(name): \(new)", by: .predicate(new))
    }
  }

  private func mutants(of property: PropertyMapping, isRelationship: Bool) -> [Mutant] {
    guard let propertyName = property.name, let expression = property.valueExpression,
      let place = places.place(of: propertyName, in: name)
    else { return [] }
    let (path, format) = ("\(name).\(propertyName)", expression.description)
    let dropped = mutant(
      .propertyMapping, at: place, title: "drop the property mapping \(path)",
      removed: "\(path): \(format)",
      added: nil, by: .withoutProperty(propertyName, isRelationship: isRelationship))
    guard !isRelationship, let altered = ValueAlteration(source).altered(format) else {
      return [dropped]
    }
    return [
      dropped,
      mutant(
        .valueExpression, at: place, title: "alter the value expression of \(path)",
        removed: "\(path): \(format)", added: "\(path): \(altered)",
        by: .value(propertyName, isRelationship: false, format: altered)),
    ]
  }
}

/// Makes another value expression of one: another attribute of the source with the same type, the next number,
/// another text, the opposite operation.
struct ValueAlteration {
  private let source: EntityDescription?

  init(_ source: EntityDescription?) { self.source = source }

  /// Nil where nothing can be made of it that means something else for certain.
  func altered(_ format: String) -> String? {
    if let constant = constant(format) { return constant }
    if let other = otherAttribute(format) { return other }
    for (old, new) in [(" + ", " - "), (" - ", " + "), (" * ", " / "), (" / ", " * ")] {
      if !format.contains("\""), let range = format.range(of: old) {
        return format.replacingCharacters(in: range, with: new)
      }
    }
    return nil
  }

  private func constant(_ format: String) -> String? {
    if let number = Int64(format), number < .max { return "\(number + 1)" }
    if let number = Double(format), number.isFinite { return "\(number + 1)" }
    guard let text = format.wholeMatch(of: #/"([^"\\]*)"/#) else { return nil }
    return "\"\(text.1)x\""
  }

  private func otherAttribute(_ format: String) -> String? {
    guard let source, let match = format.firstMatch(of: #/\$source\.(\w+)/#),
      let attribute = source.attribute(named: String(match.1))
    else { return nil }
    let other = source.attributes.first {
      $0.name != attribute.name && $0.attributeType == attribute.attributeType && !$0.isTransient
    }
    return other.map { format.replacingCharacters(in: match.range, with: "$source.\($0.name)") }
  }
}
