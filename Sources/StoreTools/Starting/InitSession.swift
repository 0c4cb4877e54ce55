import Resources

/// One call of `heavyweight init`: writes a first scenario for a model.
package struct InitSession {
  private let job: DraftJob
  private let limits: RunLimits
  /// Whether what is tried reaches nothing but its folder and the files that it is given.
  private let isConfined: Bool
  private let outputs: CommandOutputs

  /// - Parameters:
  ///   - folder: Where the scenario goes; made when it isn't there.
  ///   - mappings: Mapping models and folders of them; when empty, the folder of the model is
  ///     searched.
  ///   - policies: Swift files; when empty, those in the folder of the model are searched.
  ///   - stubs: Files of modules that the policies import and aren't here.
  ///   - scope: Which scenarios are written. Of all, those that exist are left as they are.
  ///   - limits: What policies may take, in a process of their own.
  ///   - outputs: Where the reports go.
  package init(
    models: String, folder: String, mappings: [String], policies: [String], module: String?,
    stubs: [StubFile] = [], order: GivenOrder? = nil, scope: DraftJob.Scope = .newest,
    limits: RunLimits = RunLimits(), isConfined: Bool = false,
    outputs: CommandOutputs = CommandOutputs()
  ) {
    job = DraftJob(
      models: models, folder: folder, mappings: mappings, policies: policies, module: module,
      stubs: stubs, order: order, scope: scope)
    self.limits = limits
    self.isConfined = isConfined
    self.outputs = outputs
  }

  /// Does everything and prints it: the file on standard output, remarks on standard error.
  package func run() async -> ExitStatus {
    Interruption.removesTemporaryFiles()
    do {
      if isConfined {
        try Sandbox.check()
        // The compiler would read what isn't to be read, and tell of it.
        _ = try job.filesForSandbox()
      }
      let (folders, notes) = try await job.preparePolicies()
      let drafts =
        if let folders {
          try await performApart(folders)
        } else if isConfined {
          try await performApart([])
        } else {
          try await MachineFaultWatch.judging { try await job.drafts() }
        }
      let scenarios = try drafts.map { draft in
        let isKept = if case .all = job.scope { exists(draft) } else { false }
        let path = isKept ? path(of: draft) : try write(draft)
        return InitReport.Scenario(
          path: path, isKept: isKept, summary: draft.summary, remarks: draft.remarks)
      }
      let report = InitReport(model: job.models, folder: job.folder, scenarios: scenarios)
      let status = try outputs.publish(
        text: { report.text }, json: report.json.machineReport, .passed)
      (notes + drafts.flatMap(\.remarks)).uniqued().forEach(Console.complain)
      return status
    } catch {
      return ExitStatus(telling: error)
    }
  }

  /// Has the scenario tried in a process of its own, where policies may do what they like.
  private func performApart(_ sources: Set<String>) async throws -> [WrittenDraft] {
    let isolation = JobIsolation(
      limits: limits, policySources: sources,
      confinement: isConfined ? (try job.filesForSandbox(), []) : nil)
    let (outcome, printed) = try await isolation.perform(job, as: CommandJob.draft(job)) { _ in }
    Console.tell(printed)
    switch outcome {
    case .answered(.drafts(let drafts)): return drafts
    case .answered(.failed(let text)): throw CommandProblem(text)
    case .died(let death):
      throw CommandProblem("\(death)\nno scenario was written")
    }
  }

  // MARK: Writing

  private func path(of draft: WrittenDraft) -> String {
    (job.folder.hasSuffix("/") ? job.folder : job.folder + "/") + draft.fileName
  }

  private func exists(_ draft: WrittenDraft) -> Bool {
    let home = URL(fileURLWithPath: job.folder, isDirectory: true)
    return FileManager.default.fileExists(atPath: home.appending(path: draft.fileName).path)
  }

  /// Writes the file, whole or not at all.
  private func write(_ draft: WrittenDraft) throws -> String {
    let manager = FileManager.default
    let home = URL(fileURLWithPath: job.folder, isDirectory: true)
    let file = home.appending(path: draft.fileName)
    let path = path(of: draft)
    let taken = Diagnostic(
      file: path, "this already exists, and nothing is overwritten; name another folder")
    if exists(draft) { throw Diagnostics([taken]) }
    do {
      try manager.createDirectory(at: home, withIntermediateDirectories: true)
      // What the file's first line names.
      let schema = home.appending(path: JSONSchema.scenario.fileName)
      let isNew = try writeIfNew(JSONSchema.scenario.data, to: schema)
      do { try WholeFile.write(Data(draft.text.utf8), to: file, if: .new) } catch {
        // The first error is the one to tell.
        if isNew { unlink(schema.path) }
        throw error
      }
    } catch POSIXError.EEXIST {
      throw Diagnostics([taken])
    } catch {
      throw Diagnostics([Diagnostic(file: path, "can't write the scenario: \(error.plainText)")])
    }
    return path
  }

  /// - Returns: Whether nobody had written it before.
  private func writeIfNew(_ data: Data, to file: URL) throws -> Bool {
    do { try WholeFile.write(data, to: file, if: .new) } catch POSIXError.EEXIST { return false }
    return true
  }
}
