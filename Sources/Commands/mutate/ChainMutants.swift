/// The mutants of a scenario's chain: steps without their mapping models, and steps left out.
struct ChainMutants {
  private let scenario: CheckedScenario

  init(_ scenario: CheckedScenario) { self.scenario = scenario }

  func all() -> [Mutant] {
    let chain = scenario.scenario.chain
    return chain.indices.flatMap { index in
      [withoutMappings(index, chain[index]), joined(index, chain)].compactMap(\.self)
    }
  }

  private func withoutMappings(_ index: Int, _ step: ChainStep) -> Mutant? {
    guard !step.mappings.isEmpty, step.stages == nil else { return nil }
    let names = step.mappings.map { mapping in
      switch mapping {
      case .file(let path): path.value
      case .inline(let inline): "the mapping in line \(inline.place.line)"
      }
    }
    let name = step.ends.value.description
    return mutant(
      .mappingModel, in: step, title: "offer \(name) no mapping model",
      removed: "\(name): \(names.joined(separator: ", "))",
      added: "\(name): " + (step.infersMapping && !step.isDirect ? "inferred" : "no mapping model"),
      by: .step(.withoutMappings(step: index)))
  }

  /// Two steps made one; a version that a run starts from can't be left out of the way there.
  private func joined(_ index: Int, _ chain: [ChainStep]) -> Mutant? {
    guard index + 1 < chain.count else { return nil }
    let (step, next) = (chain[index], chain[index + 1])
    guard step.stages == nil, next.stages == nil,
      scenario.starts.contains(where: { start in
        scenario.steps(from: start).contains {
          ($0.ends.place.line, $0.ends.place.column) == (
            step.ends.place.line, step.ends.place.column
          )
        }
      })
    else { return nil }
    let (source, middle, end) = (
      step.ends.value.source, step.ends.value.destination, next.ends.value.destination
    )
    return mutant(
      .step, in: step, title: "leave out \(middle) between \(source) and \(end)",
      removed: "\(source) -> \(middle) -> \(end)", added: "\(source) -> \(end)",
      by: .step(.joined(step: index)))
  }

  private func mutant(
    _ kind: Mutant.Kind, in step: ChainStep, title: String, removed: String, added: String,
    by mutation: Mutation
  ) -> Mutant {
    let place = FilePlace(step.ends.place)
    return Mutant(
      kind: kind, file: place.file, line: place.line, title: title,
      removed: [removed], added: [added],
      targets: [Mutant.Target(scenario: 0, mutation: mutation)])
  }
}
