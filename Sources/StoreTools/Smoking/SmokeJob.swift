/// A part of a smoke test that a process does: one step, or the ways from one version.
package struct SmokeJob: IsolatedJob {
  enum Part: Codable, Sendable {
    /// The step from the version at a place to the next one.
    case hop(Int)
    /// The ways from the version at a place, after steps that fail.
    case ways(Int, failing: Set<String>)
  }

  let files: MigrationFiles
  let options: SmokeOptions
  var part = Part.hop(0)

  package struct Answer: Codable {
    var findings: [SmokeFinding] = []
    var accounts: [SmokeAccount] = []
    var unfilled: [String] = []
    var way: SmokeWay?
    /// What kept it from being done.
    var problem: String?
  }

  package func perform(tell: (JobProgress) -> Void) async -> Answer {
    do { return try await answer() } catch { return Answer(problem: "\(error)") }
  }

  private func answer() async throws -> Answer {
    let files = try SmokeFiles(self.files, to: options.target)
    let trial = try await trial(files)
    var answer = Answer()
    switch part {
    case .hop(let place):
      let (source, destination) = files.hops[place]
      var hop = SmokeHop(files, trial, from: source, to: destination, options)
      try hop.examine()
      (answer.findings, answer.accounts) = (hop.findings, hop.accounts)
      answer.unfilled = hop.unfilled
    case .ways(let place, let failing):
      var ways = SmokeWays(files, trial, from: files.versions[place], options, failing: failing)
      answer.way = try ways.examine()
      answer.findings = ways.findings
    }
    return answer
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

  /// Compiles the policies, if there are any, without loading them.
  /// - Returns: The folders of their sources; nil where nothing of the app's runs.
  static func preparePolicies(of files: SmokeFiles) async throws -> Set<String>? {
    guard let module = files.policies.module, !files.policies.sources.isEmpty else { return nil }
    try await PolicyCompiler().prepare(
      files.policies.sources, module: module, stubs: files.policies.stubs)
    return Set(
      files.policies.sources.map { $0.standardizedFileURL.deletingLastPathComponent().path })
  }
}
