/// In which files, and where in them, findings about a model and its mapping models are.
package struct FindingPlaces: Sendable {
  private let elements: ElementPlaces
  /// By the mapping model's file, and by its name.
  private let mappings: [String: FilePlace]

  init(_ model: VersionedModel, _ mappings: MappingFolder) {
    elements = ElementPlaces(of: model)
    let files = mappings.mappings.flatMap { mapping in
      let place = FilePlace(file: mapping.file.xml.path)
      return [(mapping.file.url.lastPathComponent, place), (mapping.name, place)]
    }
    self.mappings = Dictionary(firstOf: files)
  }

  /// The place in a step's destination, and in its source for what only that has.
  func place(inStep step: VersionPair, entity: String?, property: String?) -> FilePlace? {
    place(in: [step.destination, step.source], entity: entity, property: property)
  }

  /// - Parameter versions: Without any, what is found is about the whole model.
  func place(in versions: [String], entity: String? = nil, property: String? = nil) -> FilePlace? {
    elements.place(
      of: ElementPlaces.Element(entity: entity, property: property), in: versions)
  }

  /// The file of a mapping model, which is named by its file or by itself.
  func place(ofMapping name: String) -> FilePlace? { mappings[name] }
}

extension FindingPlaces {
  /// Where a finding of `check` is.
  func place(of finding: CheckFinding) -> FilePlace? {
    if let place = finding.place { return place }
    let subject = finding.subject
    if let place = subject.file.flatMap(place(ofMapping:)) { return place }
    if let step = subject.step {
      return place(inStep: step, entity: subject.entity, property: subject.property)
    }
    // Of versions in a row the last has it, too.
    return place(
      in: [subject.lastVersion, subject.version].compactMap(\.self), entity: subject.entity,
      property: subject.property)
  }

  /// Where a finding of `lock` is.
  /// - Parameter manifest: What still has a version that is gone.
  func place(of finding: LockFinding, manifest: String) -> FilePlace? {
    if [.deletedVersion, .strandedStore, .storeOfNoVersion].contains(finding.kind) {
      return FilePlace(file: manifest)
    }
    if let step = finding.step {
      return place(inStep: step, entity: finding.entity, property: finding.property)
    }
    return place(in: [finding.version], entity: finding.entity, property: finding.property)
  }

  /// Where a finding of `smoke` is.
  /// - Parameter versions: The names of all versions, of which the finding names two.
  func place(of finding: SmokeFinding, among versions: [String]) -> FilePlace? {
    if finding.entity == nil, let place = finding.mapping.flatMap(place(ofMapping:)) {
      return place
    }
    let destinations = versions.filter { finding.step.hasSuffix(" -> \($0)") }
    let step = destinations.lazy.flatMap { destination in
      versions.map { VersionPair($0, destination) }
    }.first { $0.description == finding.step }
    guard let step else { return place(in: []) }
    return place(inStep: step, entity: finding.entity, property: finding.property)
  }
}

extension MappingFile {
  /// The file itself, which is within a folder where Xcode edits it.
  fileprivate var xml: URL {
    switch self {
    case .source(let file): file.url.appending(path: "xcmapping.xml")
    case .compiled(let file): file.url
    }
  }
}
