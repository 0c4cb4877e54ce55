/// One call of `heavyweight init`: writes a first scenario for a model.
public struct InitSession {
  private let models: String
  private let folder: String
  private let mappings: [String]
  private let policies: [String]
  private let module: String?
  private let stubs: [StubFile]
  private let order: GivenOrder?

  /// - Parameters:
  ///   - folder: Where the scenario goes; made when it isn't there.
  ///   - mappings: Mapping models and folders of them; when empty, the folder of the model is
  ///     searched.
  ///   - policies: Swift files; when empty, those in the folder of the model are searched.
  ///   - stubs: Files of modules that the policies import and aren't here.
  public init(
    models: String, folder: String, mappings: [String], policies: [String], module: String?,
    stubs: [StubFile] = [], order: GivenOrder? = nil
  ) {
    self.order = order
    self.models = models
    self.folder = folder
    self.mappings = mappings
    self.policies = policies
    self.module = module
    self.stubs = stubs
  }

  /// Does everything and prints it: the file on standard output, remarks on standard error.
  public func run() async -> ExitStatus {
    Interruption.removesTemporaryFiles()
    do {
      let draft = try await draft()
      let path = try write(draft)
      let status = Console.publish(Self.report(draft, path, folder), .passed)
      draft.remarks.forEach(Console.complain)
      return status
    } catch {
      Console.complain("\(error)")
      return .badInput
    }
  }

  // MARK: The scenario

  /// - Throws: What is wrong with the files that were given, before anything is written.
  func draft() async throws -> FirstScenario {
    let places = try mappingPlaces(besideModelAt: URL(fileURLWithPath: models))
    let input = try ModelInput(
      models: URL(fileURLWithPath: models), mappings: places, order: order)
    let model = input.model
    let hop = try FirstHop(newestOf: model, mappings: input.mappings)
    let files = HopPolicies(
      of: hop.policyClasses, given: policies.map { URL(fileURLWithPath: $0) }, module: module,
      stubs: stubs, below: Self.home(of: model.url))
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

  /// The folder that the model lies in, with the app's other files.
  private static func home(of model: URL) -> URL {
    model.standardizedFileURL.deletingLastPathComponent()
  }

  private func mappingPlaces(besideModelAt model: URL) throws -> [URL] {
    if !mappings.isEmpty { return mappings.map { URL(fileURLWithPath: $0) } }
    let home = Self.home(of: model)
    guard home.isFolder else { return [] }
    let found = try FolderSearch(home).files(withExtensions: MappingFile.pathExtensions)
    return found.isEmpty ? [] : [home]
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

  private static func report(_ draft: FirstScenario, _ path: String, _ folder: String) -> String {
    let verdict = draft.hop.source == nil ? "" : ", \(draft.hop.verdict.name)"
    let rows = draft.rows.count.counted("row")
    let expectations = draft.expectations.count { $0.hasPrefix("- ") }.counted("expectation")
    return "wrote \(path)\n  \(draft.hop.title)\(verdict): \(rows), \(expectations)\n"
      + "next: heavyweight run \(folder)\n"
  }

  // MARK: Writing

  /// Writes the file, whole or not at all.
  private func write(_ draft: FirstScenario) throws -> String {
    let manager = FileManager.default
    let file = draft.folder.appending(path: draft.fileName)
    let path = (folder.hasSuffix("/") ? folder : folder + "/") + draft.fileName
    if manager.fileExists(atPath: file.path) {
      throw Diagnostics([
        Diagnostic(file: path, "this exists already, and nothing is overwritten")
      ])
    }
    do {
      try manager.createDirectory(at: draft.folder, withIntermediateDirectories: true)
      try Data(draft.text.utf8).write(to: file, options: .atomic)
    } catch {
      throw Diagnostics([Diagnostic(file: path, "can't write the scenario: \(error.plainText)")])
    }
    return path
  }
}
