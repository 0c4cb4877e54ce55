/// A part of a smoke test that a process does: one step, or the ways from one version.
package struct SmokeJob: IsolatedJob {
  enum Part: Codable, Sendable {
    /// The step from the version at a place to the next one.
    case step(Int)
    /// The ways from the version at a place, after single steps.
    case ways(Int, Told)
    /// A scenario, on both backends, to see whether the process ends by it.
    case play(SmokeScenario)
  }

  /// What was found in single steps, which isn't told again of ways that lead through them.
  struct Told: Codable, Sendable {
    /// The steps that fail.
    var failing: Set<String> = []
    /// Those whose store isn't sound, or that come to something else in memory and in SQLite.
    var differing: Set<String> = []

    init(_ findings: [SmokeFinding]) {
      failing = Set(findings.filter { $0.kind.isFailure || $0.errorCode != nil }.map(\.step))
      differing = Set(
        findings.filter { [.backendsDiffer, .unsoundResult].contains($0.kind) }.map(\.step))
    }
  }

  let files: MigrationFiles
  let options: SmokeOptions
  var part = Part.step(0)

  package struct Answer: Codable, Sendable {
    var findings: [SmokeFinding] = []
    var accounts: [SmokeAccount] = []
    var unfilled: [String] = []
    var way: SmokeWay?
    /// What kept it from being done.
    var problem: String?
  }

  package func perform(tell: (JobProgress) -> Void) async -> Answer {
    do { return try await answer(reading: SmokeFiles(files, to: options.target)) } catch {
      return Answer(problem: "\(error)")
    }
  }

  /// - Parameter files: What is in the files.
  func answer(reading files: SmokeFiles) async throws -> Answer {
    let trial = try await trial(files)
    var answer = Answer()
    switch part {
    case .step(let place):
      let (source, destination) = files.steps[place]
      var step = SmokeStep(files, by: trial, from: source, to: destination, with: options)
      let failure = try missingPolicy { try step.examine() }
      (answer.findings, answer.accounts) = (step.findings, step.accounts)
      answer.unfilled = step.unfilled
      if let failure {
        answer.findings.append(
          SmokeFinding(
            .policyMissing, step: "\(source.shownName) -> \(destination.shownName)",
            mapping: failure.place.entityMapping, "the step isn't tried: \(failure.policyReason)"))
      }
    case .ways(let place, let told):
      var ways = SmokeWays(
        files: files, trial: trial, version: files.versions[place], options: options, told: told)
      // That a step on the way can't be taken is told of the step.
      _ = try missingPolicy { answer.way = try ways.examine() }
      answer.findings = ways.findings
    case .play(let scenario):
      // A row that lacks something that it requires shows nothing.
      do {
        for backend in Backend.allCases { _ = try trial.play(scenario, on: backend) }
      } catch is Diagnostics {}
    }
    return answer
  }

  /// The failure of what needs a policy that isn't among what was given; it stops nothing else.
  private func missingPolicy(in body: () throws -> Void) throws -> ChainFailure? {
    do {
      try body()
      return nil
    } catch let failure as ChainFailure where failure.isOfMissingPolicy { return failure }
  }

  private func trial(_ files: SmokeFiles) async throws -> SmokeTrial {
    let folder = files.model.url.deletingLastPathComponent()
    guard let module = files.policies.module, !files.policies.sources.isEmpty else {
      return SmokeTrial(policies: PolicyRegistry(), folder: folder)
    }
    let library = try await PolicyCompiler().library(
      of: files.policies.sources, module: module, stubs: files.policies.stubs)
    return SmokeTrial(policies: library, folder: folder)
  }
}
