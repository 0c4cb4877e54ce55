/// `heavyweight run --list`: which scenarios a call would run.
struct ListSession {
  let paths: [String]
  let selection: ScenarioSelection
  /// Where a list for machines goes.
  let json: JSONPlace

  /// What machines get of a scenario.
  private struct Entry: Encodable {
    let path: String
    let address: String
    let title: String
    let tags: [String]
    let covers: [String]
    let starts: [String]
    let backends: [String]
    /// Why it isn't to be run for now.
    let skip: String?

    init(_ scenario: CheckedScenario, _ backends: [Backend]) {
      path = scenario.scenario.file.path
      address = "\(scenario.scenario.address)"
      title = scenario.scenario.title.value
      tags = scenario.scenario.tags
      covers = scenario.scenario.covers
      starts = scenario.starts
      self.backends = backends.filter(scenario.backends.contains).map(\.rawValue)
      skip = scenario.scenario.skip?.value
    }
  }

  /// Prints the list; nothing is run, and no policy compiled.
  /// - Returns: ``ExitStatus/badInput`` where a scenario has a mistake, which is told.
  /// - Throws: ``Diagnostics`` for paths that aren't there; ``ReportError``.
  func run(backends: [Backend]) throws -> ExitStatus {
    let loaded = try LoadedScenarios(at: paths)
    for problem in loaded.problems { Console.complain(problem.text) }
    let selected = try selection.select(from: loaded.scenarios).scenarios
    let status = status(loaded, selected.count)
    explainEmptiness(status, loaded.scenarios.count)
    return try CommandOutputs(json: json).publish(
      text: { Data(Self.text(selected).utf8) },
      json: selected.map { Entry($0, backends) }.machineReport, status)
  }

  private func explainEmptiness(_ status: ExitStatus, _ count: Int) {
    let places = paths.joined(separator: ", ")
    switch status {
    case .nothingFound:
      Console.complain("nothing to list: there is no *\(ScenarioFinder.suffixes[0]) in \(places)")
    case .nothingSelected:
      Console.complain(
        "nothing to list: the options leave none of \(count.counted("scenario")) in \(places)")
    default: break
    }
  }

  private func status(_ loaded: LoadedScenarios, _ count: Int) -> ExitStatus {
    if let status = loaded.problems.exitStatus { return status }
    if count > 0 { return .passed }
    return loaded.scenarios.isEmpty ? .nothingFound : .nothingSelected
  }

  private static func text(_ scenarios: [CheckedScenario]) -> String {
    let addresses = scenarios.map { "\($0.scenario.address)" }
    let width = addresses.map(\.count).max() ?? 0
    return zip(scenarios, addresses).map { scenario, address in
      let skip = scenario.scenario.skip.map { "  (skipped: \($0.value))" } ?? ""
      return address.padded(to: width) + "  " + scenario.scenario.title.value
        + skip + "\n"
    }.joined()
  }
}

/// The scenarios at some paths, and what is wrong with the others.
package struct LoadedScenarios {
  package private(set) var scenarios: [CheckedScenario] = []
  package private(set) var problems: [SuiteReport.Problem] = []
  /// The folders among the paths that have no scenario.
  let emptyFolders: [String]

  /// - Throws: ``Diagnostics`` for paths that aren't there.
  package init(at paths: [String]) throws {
    let (addresses, emptyFolders) = try ScenarioFinder.search(paths)
    self.emptyFolders = emptyFolders
    let project = ProjectFile.current
    let loaded = addresses.mapOnAllCores { address in
      ProjectFile.$current.withValue(project) {
        Result { try CheckedScenario.loadAll(at: address) }
      }
    }
    for (address, result) in zip(addresses, loaded) {
      switch result {
      case .success(let own): scenarios += own
      case .failure(let error): problems.append(SuiteReport.Problem(address, error))
      }
    }
  }
}
