/// One call of `heavyweight init`: writes a first scenario for a model.
package struct InitSession {
  private let job: DraftJob
  private let limits: RunLimits
  /// Whether what is tried reaches nothing but its folder and the files that it is given.
  private let isConfined: Bool

  /// - Parameters:
  ///   - folder: Where the scenario goes; made when it isn't there.
  ///   - mappings: Mapping models and folders of them; when empty, the folder of the model is
  ///     searched.
  ///   - policies: Swift files; when empty, those in the folder of the model are searched.
  ///   - stubs: Files of modules that the policies import and aren't here.
  ///   - limits: What policies may take, in a process of their own.
  package init(
    models: String, folder: String, mappings: [String], policies: [String], module: String?,
    stubs: [StubFile] = [], order: GivenOrder? = nil, limits: RunLimits = RunLimits(),
    isConfined: Bool = false
  ) {
    job = DraftJob(
      models: models, folder: folder, mappings: mappings, policies: policies, module: module,
      stubs: stubs, order: order)
    self.limits = limits
    self.isConfined = isConfined
  }

  /// Does everything and prints it: the file on standard output, remarks on standard error.
  package func run() async -> ExitStatus {
    Interruption.removesTemporaryFiles()
    do {
      if isConfined { try Sandbox.check() }
      let draft =
        if let sources = try await job.preparePolicies() {
          try await performApart(sources)
        } else if isConfined {
          try await performApart([])
        } else {
          try await job.draft().written
        }
      let path = try write(draft)
      let status = Console.publish(
        "wrote \(path)\n  \(draft.summary)\nnext: heavyweight run \(job.folder)\n", .passed)
      draft.remarks.forEach(Console.complain)
      return status
    } catch {
      Console.complain("\(error)")
      return .badInput
    }
  }

  /// Has the scenario tried in a process of its own, where policies may do what they like.
  private func performApart(_ sources: Set<String>) async throws -> WrittenDraft {
    let isolation = JobIsolation(
      limits: limits, policySources: sources,
      confinement: isConfined ? (try job.filesForSandbox(), []) : nil,
      removesLeftovers: {
        TemporaryFiles.removeDeadFolders()
      })
    let (outcome, printed) = try await isolation.perform(job, as: CommandJob.draft(job)) { _ in }
    Console.tell(printed)
    switch outcome {
    case .answered(.draft(let draft)): return draft
    case .answered(.failed(let text)): throw DraftFailure(description: text)
    case .died(let death):
      throw DraftFailure(description: "\(death)\nno scenario was written")
    }
  }

  private struct DraftFailure: Error, CustomStringConvertible {
    let description: String
  }

  // MARK: Writing

  /// Writes the file, whole or not at all.
  private func write(_ draft: WrittenDraft) throws -> String {
    let manager = FileManager.default
    let home = URL(fileURLWithPath: job.folder, isDirectory: true)
    let file = home.appending(path: draft.fileName)
    let path = (job.folder.hasSuffix("/") ? job.folder : job.folder + "/") + draft.fileName
    if manager.fileExists(atPath: file.path) {
      throw Diagnostics([
        Diagnostic(file: path, "this exists already, and nothing is overwritten")
      ])
    }
    do {
      try manager.createDirectory(at: home, withIntermediateDirectories: true)
      try Data(draft.text.utf8).write(to: file, options: .atomic)
    } catch {
      throw Diagnostics([Diagnostic(file: path, "can't write the scenario: \(error.plainText)")])
    }
    return path
  }
}
