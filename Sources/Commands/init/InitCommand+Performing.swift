extension InitCommand {
  /// Does everything and prints it: the file on standard output, remarks on standard error.
  func perform(_ job: DraftJob) async throws -> ExitStatus {
    Interruption.removesTemporaryFiles()
    if confinement.sandbox {
      try Sandbox.check()
      // The compiler would read what isn't to be read, and tell of it.
      _ = try job.filesForSandbox()
    }
    let (folders, notes) = try await job.preparePolicies()
    let drafts =
      if let folders {
        try await performApart(job, folders)
      } else if confinement.sandbox {
        try await performApart(job, [])
      } else {
        try await MachineFaultWatch.judging { try await job.drafts() }
      }
    let keepsExisting = if case .newest = job.scope { false } else { true }
    if drafts.all.isEmpty, !drafts.leftOut.isEmpty {
      throw Diagnostics(drafts.leftOut.map { Diagnostic(file: $0.store, $0.reason) })
    }
    let scenarios = try drafts.all.map {
      try ScenarioWriter(folder: folder).write($0, keepsExisting: keepsExisting)
    }
    let report = InitReport(
      model: job.files.models.relativePath, folder: folder, scenarios: scenarios,
      leftOut: drafts.leftOut)
    let status = try machine.outputs.publish(report)
    let reasons = drafts.leftOut.map { "left out: \($0.store): \($0.reason)" }
    (notes + reasons + drafts.all.flatMap(\.remarks)).uniqued().forEach(Console.complain)
    return status
  }

  /// Has the scenario tried in a process of its own, where policies may do what they like.
  func performApart(
    _ wanted: DraftJob, _ sources: Set<String>
  ) async throws -> WrittenDrafts {
    var job = wanted
    let isolation = JobIsolation(
      limits: limits.limits, policySources: sources,
      confinement: confinement.sandbox ? (try job.filesForSandbox(), []) : nil)
    while true {
      let (outcome, printed) = try await isolation.perform(job, as: CommandJob.draft(job)) { _ in }
      if case .died(let death) = outcome, job.avoid(death) { continue }
      Console.tell(printed)
      switch outcome {
      case .answered(.drafts(let drafts)): return drafts
      case .answered(.failed(let text)): throw CommandProblem(description: text)
      case .died(let death): throw CommandProblem(description: "\(death)")
      }
    }
  }
}

/// Writes scenarios into a folder.
struct ScenarioWriter {
  let folder: String

  /// Writes the file, whole or not at all.
  /// - Parameter keepsExisting: Whether a file that is there is left as it is, and said to be.
  /// - Throws: ``Diagnostics`` for one that is there, and for what can't be written.
  func write(_ draft: WrittenDraft, keepsExisting: Bool) throws -> InitReport.Scenario {
    let isKept = keepsExisting && exists(draft)
    return InitReport.Scenario(
      path: isKept ? path(of: draft) : try write(draft), isKept: isKept, summary: draft.summary,
      remarks: draft.remarks)
  }

  private func path(of draft: WrittenDraft) -> String {
    (folder.hasSuffix("/") ? folder : folder + "/") + draft.fileName
  }

  private func exists(_ draft: WrittenDraft) -> Bool {
    let home = URL(fileURLWithPath: folder, isDirectory: true)
    return FileManager.default.fileExists(atPath: home.appending(path: draft.fileName).path)
  }

  /// Writes the file, whole or not at all.
  private func write(_ draft: WrittenDraft) throws -> String {
    let manager = FileManager.default
    let home = URL(fileURLWithPath: folder, isDirectory: true)
    let file = home.appending(path: draft.fileName)
    let path = path(of: draft)
    let taken = Diagnostic(
      file: path, "this already exists, and nothing is overwritten; name another folder")
    if exists(draft) { throw Diagnostics([taken]) }
    do {
      try manager.createDirectory(at: home, withIntermediateDirectories: true)
      // What the file's first line names.
      let new = try ScenarioSchema(for: home).write()
      do { try WholeFile.write(Data(draft.text.utf8), to: file, if: .new) } catch {
        // The first error is the one to tell.
        for file in new { unlink(file.path) }
        throw error
      }
    } catch POSIXError.EEXIST {
      throw Diagnostics([taken])
    } catch {
      throw Diagnostics(file: path, "can't write the scenario: \(error.plainText)")
    }
    return path
  }
}
