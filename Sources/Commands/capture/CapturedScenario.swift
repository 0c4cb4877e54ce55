/// The text of a scenario that migrates what a store holds.
struct CapturedScenario {
  let route: MigrationRoute
  let model: VersionedModel
  /// The mapping files, of which the steps take what they run.
  let mappings: MappingFolder
  /// Whether they lie elsewhere than beside the model, where steps find them by themselves.
  let mappingsAreGiven: Bool
  let policies: StepPolicies
  /// Where the file goes; paths in it are relative to that.
  let folder: URL

  /// What the store starts with.
  enum Start {
    /// - Parameter validates: Whether they are saved as an app saves them.
    case rows([WrittenRow], validates: Bool)
    case store(String)
  }

  static let fileName = "Captured" + ScenarioFinder.suffixes[0]

  func text(
    from start: Start, title: String, about: [String] = [], expecting expectations: [Notation] = []
  ) -> String {
    ScenarioParts.text(
      ScenarioSchema(for: folder).lines + ["scenario: " + ScenarioParts.scalar(title)]
        + (about.isEmpty ? [] : ["about: |"] + about.map { "  " + $0 })
        + models + parts.policies(policies) + startLines(start) + chain
        + ScenarioParts.expectations(expectations))
  }

  private var parts: ScenarioParts { ScenarioParts(folder: folder) }

  /// The text without anything of the store: what the model, the mappings and the paths consist of.
  var bareText: String { text(from: .rows([], validates: true), title: "") }

  /// The names of entities, properties and elements of composites, which rows and expectations are written with: rows are
  /// called after their entity, too.
  var names: String {
    let entities = ([route.source] + steps.map(\.destinationModel)).flatMap(\.entities)
    func names(_ property: PropertyDescription) -> [String] {
      [property.name] + ((property as? AttributeDescription)?.elements.flatMap(names) ?? [])
    }
    return Set(entities.flatMap { [$0.name] + $0.properties.flatMap(names) }).sorted()
      .map { " " + $0 }.joined()
  }

  var steps: [MigrationStep] { route.chain.steps }

  var versions: [String] {
    [route.source.shownName] + steps.map(\.destinationModel.shownName)
  }

  // MARK: Parts

  private var models: [String] {
    model.versions.count == 1
      ? ["models: " + parts.path(to: model.url)] : parts.models(versions, of: model.url)
  }

  private func startLines(_ start: Start) -> [String] {
    switch start {
    case .store(let path):
      return (conditions.isEmpty ? [] : ["seed:"] + conditions)
        + ["store: " + ScenarioParts.scalar(path)] + startVersion
    case .rows(let rows, let validates):
      let options = conditions + (validates ? [] : ["  .validation: false"])
      return ScenarioParts.seed(rows.map { ($0.entity, $0.line()) }, options: options)
        + startVersion
    }
  }

  private var startVersion: [String] {
    steps.isEmpty && model.versions.count > 1 ? ["start: " + ScenarioParts.scalar(versions[0])] : []
  }

  /// What a mapping of the app's may ask for, the same in every play.
  private var conditions: [String] {
    let isCustom = steps.contains { (try? $0.chooseMapping())?.kind == .custom }
    return isCustom ? ["  .now: \(Self.time)", "  .random: 1"] : []
  }

  /// Midnight of the day on which it is captured.
  private static let time =
    String(Date().notation.prefix { $0 != "T" }) + "T00:00:00Z"

  private var chain: [String] {
    steps.isEmpty ? [] : ["chain:"] + steps.flatMap(lines)
  }

  private func lines(of step: MigrationStep) -> [String] {
    let name = "\(step.sourceModel.shownName) -> \(step.destinationModel.shownName)"
    // Without any mapping the step says why when it runs.
    guard let choice = try? step.chooseMapping() else { return parts.step(name, mappings: []) }
    let files =
      choice.kind == .custom
      ? choice.mappings.compactMap { candidate in
        mappings.mappings.first { $0.candidate?.model === candidate.model }
      }.map(\.file.url) : []
    let infers = choice.kind != .custom && mappingsAreGiven
    return parts.step(name, mappings: files, otherwise: infers ? "infer" : nil)
  }
}
