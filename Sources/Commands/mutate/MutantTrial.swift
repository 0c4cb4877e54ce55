/// Plays the scenarios that could notice a mutant, until one does.
struct MutantTrial: Sendable {
  let mutant: Mutant
  let scenarios: [CheckedScenario]
  /// What of the mutant's scenarios passed without it, the fastest first, with what each may take.
  let targets: [(target: Mutant.Target, limits: RunLimits)]
  let cache: CacheChoice
  let isConfined: Bool

  func play() async -> MutantVerdict {
    do {
      // What is compiled with a fault in it is for nobody else.
      let folder = isOfSource ? try TemporaryFiles.makeFolder() : nil
      defer { if let folder { TemporaryFiles.removeFolder(folder) } }
      let own = folder.map { CacheChoice(policiesIn: $0) } ?? cache.withoutStores
      for (target, limits) in targets {
        let verdict = try await play(target, within: limits, caching: own)
        if verdict != .alive { return verdict }
      }
      return .alive
    } catch {
      return MachineFault(error).map { .faulted($0) } ?? .unjudged("\(error)")
    }
  }

  private var isOfSource: Bool {
    if case .source? = mutant.targets.first?.mutation { true } else { false }
  }

  private func play(_ target: Mutant.Target, within limits: RunLimits, caching cache: CacheChoice)
    async throws -> MutantVerdict
  {
    let original = scenarios[target.scenario]
    let path = original.scenario.address.description
    let mutated: CheckedScenario
    do { mutated = try original.mutated(by: target.mutation) } catch let problems as Diagnostics {
      // What it says of the model isn't true any more, and that is told before anything is played.
      return .caught(
        MutantVerdict.Catch(
          scenario: path, start: original.starts.first ?? "", backend: "memory", way: .error,
          what: problems.all.first?.message ?? "the scenario doesn't fit its models"))
    }
    var suite = ScenarioSuite()
    suite.cache = cache
    suite.limits = limits
    suite.jobs = 1
    // That it crashed is enough; many mutants do.
    suite.tellsLines = false
    suite.isConfined = isConfined
    let report = await suite.run([mutated])
    if let problem = report.problems.first {
      if let fault = problem.fault { return .faulted(fault) }
      return isOfSource ? .uncompilable(problem.text) : .unjudged(problem.text)
    }
    if let fault = report.machineFault { return .faulted(fault) }
    guard let failed = report.failedResults.first, let failure = failed.failures.first else {
      return .alive
    }
    // Without an app's code only the tool itself can have ended the process.
    if failure.kind == .crash, original.scenario.policies.isEmpty {
      return .unjudged("\(path): \(failure.subject): \(failure.found)")
    }
    return .caught(
      MutantVerdict.Catch(
        scenario: path, start: failed.id.start, backend: failed.id.backend.rawValue,
        way: MutantVerdict.Way(failure.kind), what: "\(failure.subject): \(failure.found)"))
  }
}

extension MutantVerdict.Way {
  fileprivate init(_ kind: Failure.Kind) {
    self =
      switch kind {
      case .error: .error
      case .crash: .crash
      case .timeout: .timeout
      case .memory: .memory
      case .expectation, .backendsDiffer, .sqlDiffers, .unknownOnDevice, .notExecuted, .openedAgain,
        .damagedResult,
        .nothingExpected, .nothingLookedAt, .notJudged:
        .expectation
      }
  }
}
