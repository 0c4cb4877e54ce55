/// One call of `heavyweight lock`: writes a manifest, or compares the model with it.
struct LockSession {
  let command: LockCommand
  let models: String

  /// Does everything, and prints the report.
  /// - Throws: What is wrong with what it was given.
  func run() throws -> ExitStatus {
    let input = try ModelInput(models: [models], command.mapping, order: command.order)
    return command.isCheck ? try compare(input) : try write(input)
  }

  private func place(for model: VersionedModel) -> URL {
    command.output.map { URL(fileURLWithPath: $0) } ?? ModelLock.defaultPlace(forModelAt: model.url)
  }

  private var shownPlace: String { command.output ?? Self.trimmed(models) + ".lock.json" }

  private static func trimmed(_ path: String) -> String {
    path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  // MARK: Writing

  /// Never takes a change of a released version into the manifest in silence: that is said, and the
  /// manifest is written, for its owner asked for it.
  private func write(_ input: ModelInput) throws -> ExitStatus {
    let model = input.model
    var lock = try ModelLock(model, mappings: input.mappings)
    let place = place(for: model)
    let known = try knownLock(at: place)
    let (stores, status) = try readStores(forManifestIn: place.deletingLastPathComponent())
    lock.record(stores, besides: known?.stores ?? [], for: model)
    let data = try lock.data()
    let old = known == nil ? nil : try Data(reading: place)
    // Of stores that are given it is told what they are.
    if old == data, command.stores.stores.isEmpty {
      var report = LockReport(lock, findings: [], silencings: [])
      report.writing = ("\(shownPlace) is up to date: \(lock.summary)", status)
      return try publish(report, on: input)
    }
    let changes = try known.map { try self.changes(in: model, since: $0) } ?? []
    // Nobody should learn of these from the first `--check` only. A baseline that can't be read silences nothing, and
    // `--check` says why.
    let failing = LockReport(
      lock, findings: try LockComparison(lock, model, mappings: input.mappings).findings,
      silencings: (try? silencings(input)) ?? []
    ).findings.filter {
      $0.severity == .error
        || $0.kind == .versionWithoutStore && !command.stores.stores.isEmpty
    }
    do {
      try WholeFile.write(data, to: place, if: .unchanged(since: old ?? Data()))
    } catch {
      throw Diagnostics(file: shownPlace, "can't write: \(error.plainText)")
    }
    let style = TextStyle(for: STDOUT_FILENO)
    let shipped =
      (lock.stepsWithoutWay ?? []).map {
        "note: \($0): no path exists; since both shipped, none is required from now on"
      }
      + (lock.equalVersions ?? []).map {
        "note: \($0[0]): \(EqualVersions.text(of: $0)); since they shipped, they needn't differ from now on"
      }
    let told = changes + failing
    let lines = told.map { $0.line(style) } + shipped + ["\(shownPlace): \(lock.summary)"]
    var report = LockReport(lock, findings: told, silencings: [])
    report.writing = (lines.joined(separator: "\n"), status)
    return try publish(report, on: input)
  }

  /// The stores that were given, and what the command ends with: one that can't be read is told, and keeps none of the
  /// others from being recorded.
  /// - Throws: What is wrong with them where none can be read, and faults of the machine.
  private func readStores(
    forManifestIn folder: URL
  ) throws -> (stores: [ModelLock.Store], status: ExitStatus) {
    let read = try command.stores.files().map { file in
      Result { try ModelLock.Store(at: file, forManifestIn: folder) }
    }
    let stores = read.compactMap { try? $0.get() }
    var status = ExitStatus.passed
    for case .failure(let error) in read {
      if stores.isEmpty || MachineFault(error) != nil { throw error }
      status = ExitStatus(telling: error)
    }
    return (stores, status)
  }

  /// What the new manifest says otherwise than the old one.
  private func changes(in model: VersionedModel, since old: ModelLock) throws -> [LockFinding] {
    try LockComparison(old, model, mappings: MappingFolder()).findings
      .filter {
        [
          .editedVersion, .deletedVersion, .currentMovedBack, .changedIdentifier,
          .changedConfiguration, .changedTransformer,
        ].contains($0.kind)
      }
  }

  /// Nil where there is none yet.
  private func knownLock(at place: URL) throws -> ModelLock? {
    guard FileManager.default.fileExists(atPath: place.path) else { return nil }
    return try ModelLock.load(contentsOf: place, shownAs: shownPlace)
  }

  // MARK: Comparing

  private func compare(_ input: ModelInput) throws -> ExitStatus {
    let place = place(for: input.model)
    guard let lock = try knownLock(at: place) else {
      throw Diagnostics(file: shownPlace, "there is no manifest; make one with 'heavyweight lock'")
    }
    let since = command.range.since
    if let since { try input.model.requireVersion(since, of: "--since") }
    var comparison = try LockComparison(
      lock, input.model, mappings: input.mappings, since: since)
    comparison.allowsUnlocked = command.allowUnlocked
    let findings = comparison.findings
    var report = LockReport(lock, findings: findings, silencings: try silencings(input))
    let failing = report.findings.filter { $0.severity == .error }.map { BaselineEntry($0) }
    if try command.acceptance.accept(failing, forModelAt: input.model.url) {
      report = LockReport(lock, findings: findings, silencings: try silencings(input))
    }
    return try publish(report, on: input)
  }

  private func silencings(_ input: ModelInput) throws -> [Silencing] {
    try command.acceptance.silencings(forModelAt: input.model.url)
  }

  private func publish(_ report: LockReport, on input: ModelInput) throws -> ExitStatus {
    try command.reports.outputs.publish(report, findings: told(report, input))
  }

  private func told(_ report: LockReport, _ input: ModelInput) -> ToldFindings {
    let places = FindingPlaces(input.model, input.mappings)
    return ToldFindings(
      command: "lock", file: models,
      findings: report.findings.map { finding in
        let element = [finding.entity, finding.property].compactMap(\.self).joined(separator: ".")
        return ToldFinding(
          finding.severity, rule: finding.kind.rawValue,
          about: [finding.version, element].filter { !$0.isEmpty }.joined(separator: ": "),
          finding.message, place: places.place(of: finding, manifest: shownPlace))
      }, isFailure: report.exitStatus != .passed, sections: report.sections)
  }
}
