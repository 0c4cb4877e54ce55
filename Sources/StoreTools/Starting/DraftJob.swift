/// What `heavyweight init` does beside writing the file, in whatever process.
package struct DraftJob: IsolatedJob {
  let models: String
  let folder: String
  let mappings: [String]
  let policies: [String]
  let module: String?
  let stubs: [StubFile]
  let order: GivenOrder?

  package enum Answer: Codable {
    case draft(WrittenDraft)
    case failed(String)
  }

  package func perform(tell: (JobProgress) -> Void) async -> Answer {
    do { return .draft(try await draft().written) } catch { return .failed("\(error)") }
  }

  // MARK: The scenario

  /// - Throws: What is wrong with the files that were given, before anything is written.
  func draft() async throws -> FirstScenario {
    let (model, hop, files) = try parts()
    var excluded: Set<String> = []
    while true {
      let rows = SampleRows(
        of: SampleRows.entities(
          changedFrom: hop.start, to: hop.source.map { _ in hop.destination }),
        in: hop.start, without: excluded
      ).rows
      var draft = FirstScenario(
        hop: hop, model: model, rows: rows, policies: files,
        folder: URL(fileURLWithPath: folder, isDirectory: true))
      let trial = try await FirstScenarioTrial(draft)
      if let refused = try trial.refusedEntity() {
        // Refused although it has no row of its own: better none at all.
        if !excluded.insert(refused).inserted { excluded = Set(hop.start.entities.map(\.name)) }
        continue
      }
      draft.expectations = try trial.expectations()
      draft.remarks = remarks(hop, files, excluded)
      return draft
    }
  }

  private func parts() throws -> (VersionedModel, FirstHop, HopPolicies) {
    let places = try mappingPlaces(besideModelAt: URL(fileURLWithPath: models))
    let input = try ModelInput(
      models: URL(fileURLWithPath: models), mappings: places, order: order)
    let hop = try FirstHop(newestOf: input.model, mappings: input.mappings)
    let files = try HopPolicies(
      of: hop.policyClasses, given: policies.map { URL(fileURLWithPath: $0) }, module: module,
      stubs: stubs, below: ModelHome(ofModelAt: input.model.url).folder)
    return (input.model, hop, files)
  }

  /// Compiles the policies, if there are any, without loading them.
  /// - Returns: The folders of their sources; nil where the scenario runs no policies.
  /// - Throws: What is wrong in the files.
  func preparePolicies() async throws -> Set<String>? {
    let files = try parts().2
    guard let module = files.module, !files.sources.isEmpty else { return nil }
    try await PolicyCompiler().prepare(files.sources, module: module, stubs: stubs)
    return Set(files.sources.map { $0.standardizedFileURL.deletingLastPathComponent().path })
  }

  /// What trying the scenario reads.
  /// - Throws: When a folder can't be searched.
  func filesForSandbox() throws -> SandboxFiles {
    var files = SandboxFiles()
    try files.readModel(URL(fileURLWithPath: models))
    for path in mappings + policies + stubs.map(\.path) { files.read(URL(fileURLWithPath: path)) }
    if let order { files.read(order.file) }
    return files
  }

  private func mappingPlaces(besideModelAt model: URL) throws -> [URL] {
    if !mappings.isEmpty { return mappings.map { URL(fileURLWithPath: $0) } }
    return try ModelHome(ofModelAt: model).mappingPlaces()
  }

  // MARK: Wording

  private func remarks(
    _ hop: FirstHop, _ files: HopPolicies, _ excluded: Set<String>
  ) -> [String] {
    var remarks: [String] = []
    if let error = hop.verdict.error {
      let reason = error.underlying.map { "\($0.reasonText)" } ?? error.reason
      remarks.append(
        "\(hop.title) has no mapping model and can't be inferred: \(reason) The scenario expects the "
          + "error that the app would meet; give the mapping model with --mappings, or write it "
          + "behind the step.")
    }
    if !files.missing.isEmpty {
      remarks.append(
        "The mapping model names \(files.missing.joined(separator: ", ")), and no Swift file here "
          + "declares it: give the sources of the policies with --policies, and --module.")
    }
    if !excluded.isEmpty {
      remarks.append(
        "There are no rows of \(excluded.sorted().joined(separator: ", ")): no sample passes the "
          + "model's own rules. Write some by hand.")
    }
    return remarks
  }
}

/// A first scenario as text.
package struct WrittenDraft: Codable {
  let fileName: String
  let text: String
  let remarks: [String]
  /// What is in it, in one line.
  let summary: String
}

extension FirstScenario {
  var written: WrittenDraft {
    let verdict = hop.source == nil ? "" : ", \(hop.verdict.name)"
    let count = expectations.count { $0.hasPrefix("- ") }.counted("expectation")
    return WrittenDraft(
      fileName: fileName, text: text, remarks: remarks,
      summary: "\(hop.title)\(verdict): \(rows.count.counted("row")), \(count)")
  }
}
