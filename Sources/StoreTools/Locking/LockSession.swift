/// One call of `heavyweight lock`: writes a manifest, or compares the model with it.
package struct LockSession {
  private let models: String
  private let manifest: String?
  private let mappings: [String]
  private let order: GivenOrder?
  private let silenceFile: String?
  private let acceptance: String?
  private let isCheck: Bool

  /// - Parameters:
  ///   - manifest: The manifest's file; nil for the one beside the model.
  ///   - mappings: A folder with mapping models, for hops that can't be inferred.
  ///   - silenceFile: What was accepted; nil for the file beside the model, if there is one.
  ///   - acceptance: Why what fails now is accepted from now on; nil to accept nothing.
  ///   - isCheck: Whether to compare only, and write nothing.
  package init(
    models: String, manifest: String?, mappings: [String] = [], order: GivenOrder? = nil,
    silenceFile: String? = nil, acceptance: String? = nil, isCheck: Bool
  ) {
    self.order = order
    self.silenceFile = silenceFile
    self.acceptance = acceptance
    self.models = models
    self.manifest = manifest
    self.mappings = mappings
    self.isCheck = isCheck
  }

  /// Does everything and prints it: the report on standard output, all else on standard error.
  package func run() -> ExitStatus {
    do {
      let places = mappings.map { URL(fileURLWithPath: $0) }
      let input = try ModelInput(
        models: URL(fileURLWithPath: models), mappings: places, order: order)
      return isCheck ? try compare(input) : try write(input.model)
    } catch {
      Console.complain("\(error)")
      return .badInput
    }
  }

  private func place(for model: VersionedModel) -> URL {
    manifest.map { URL(fileURLWithPath: $0) } ?? ModelLock.defaultPlace(forModelAt: model.url)
  }

  private var shownPlace: String { manifest ?? Self.trimmed(models) + ".lock.json" }

  private static func trimmed(_ path: String) -> String {
    path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  // MARK: Writing

  /// Never takes a change of a released version into the manifest in silence: that is said, and the
  /// manifest is written, for its owner asked for it.
  private func write(_ model: VersionedModel) throws -> ExitStatus {
    let lock = try ModelLock(model)
    let place = place(for: model)
    let data = try lock.data()
    // One that can't be read isn't up to date; what is in it is read below, with its error.
    if (try? Data(contentsOf: place)) == data {
      return Self.say("\(shownPlace) is up to date: \(lock.summary)", .passed)
    }
    let changes = try changes(in: model, since: place)
    do {
      try data.write(to: place, options: .atomic)
    } catch {
      throw Diagnostics([Diagnostic(file: shownPlace, "can't write: \(error.plainText)")])
    }
    let style = TextStyle(for: STDOUT_FILENO)
    let lines = changes.map { $0.line(style) } + ["\(shownPlace): \(lock.summary)"]
    return Self.say(lines.joined(separator: "\n"), .passed)
  }

  /// What the new manifest says otherwise than the old one.
  private func changes(in model: VersionedModel, since place: URL) throws -> [LockFinding] {
    guard FileManager.default.fileExists(atPath: place.path) else { return [] }
    let old = try ModelLock.load(contentsOf: place, shownAs: shownPlace)
    return try LockComparison(old, model, mappings: MappingFolder()).findings
      .filter { [.editedVersion, .deletedVersion, .currentMovedBack].contains($0.kind) }
  }

  // MARK: Comparing

  private func compare(_ input: ModelInput) throws -> ExitStatus {
    let place = place(for: input.model)
    guard FileManager.default.fileExists(atPath: place.path) else {
      throw Diagnostics([
        Diagnostic(file: shownPlace, "there is no manifest; make one with 'heavyweight lock'")
      ])
    }
    let lock = try ModelLock.load(contentsOf: place, shownAs: shownPlace)
    let findings = try LockComparison(lock, input.model, mappings: input.mappings).findings
    var report = LockReport(lock, findings, try silencings(input))
    if let acceptance {
      let failing = report.findings.filter { $0.severity == .error }
      Console.complain(
        try Baseline(reason: acceptance, file: silenceFile)
          .accept(failing.map { BaselineEntry($0) }, forModelAt: input.model.url))
      report = LockReport(lock, findings, try silencings(input))
    }
    return Self.say(report.text(TextStyle(for: STDOUT_FILENO)), report.exitStatus)
  }

  private func silencings(_ input: ModelInput) throws -> [Silencing] {
    try SilenceFile.load(
      given: silenceFile, forModelAt: input.model.url, mayBeAbsent: acceptance != nil)
  }

  private static func say(_ text: String, _ status: ExitStatus) -> ExitStatus {
    Console.publish(text + "\n", status)
  }
}
