import PolicyCompiler

/// What was found of one of a repository's models.
struct ModelStart {
  let input: ModelInput
  let way: MigrationWayFinder.Finding
  /// The versions' order by Xcode's project file or the repository's history, where nothing else tells it.
  let order: (names: [String], why: String)?
  /// The version that the app opens stores with, where the code names one that is newer than the current one.
  let current: (name: String, file: URL, line: Int)?
  let policies: PolicySearch.Outcome

  var model: VersionedModel { input.model }

  /// The mapping files that steps take.
  var mappings: [PlacedMapping] { input.mappings.mappings.filter { $0.candidate != nil } }

  /// That stores of newer versions are nobody's, or the current version isn't the app's.
  var remark: String? {
    guard let current = model.currentVersionName, let newest = model.versionsAfterCurrent.last
    else { return nil }
    return
      "\(model.url.lastPathComponent): '\(current)' is the current version, and '\(newest)' is newer: where the app "
      + "opens stores with that, write 'current: \(newest)' into \(ProjectFile.name), and call init again"
  }

  /// What the project file says of it: each line with why.
  func lines(from root: URL) -> [String] {
    func path(_ file: URL) -> String {
      ScenarioParts.scalar(RelativePath.text(from: root, to: file))
    }
    func list(_ key: String, _ items: [(text: String, why: String)]) -> [String] {
      items.isEmpty ? [] : ["\(key):"] + items.map { "  - \($0.text)  # \($0.why)" }
    }
    var lines = [
      "path: \(path(model.url))  # \(model.versions.count.counted("version"))"
        + (model.versions.count > 1 && order == nil
          ? ", ordered \(model.order.howItWasFound)" : "")
    ]
    if let order {
      let names = order.names.map { Notation.text($0).yaml(inFlow: true) }.joined(separator: ", ")
      lines.append("order: [\(names)]  # as \(order.why) has them: nothing in the model tells it")
    }
    if model.currentVersionIsAssumed, let name = model.currentVersionName {
      lines.append("current: \(ScenarioParts.scalar(name))  # assumed: the newest; no file says it")
    }
    if let current {
      let place = RelativePath.text(from: root, to: current.file)
      lines.append(
        "current: \(ScenarioParts.scalar(current.name))  # \(place):\(current.line) names it; Xcode has an older one"
      )
    }
    lines += remark.map { FirstScenario.comment($0) } ?? []
    lines += list(
      "mappings",
      mappings.map { mapping in
        (
          path(mapping.file.url),
          mapping.namedVersions.map { "\($0.shownName) -> \($1.shownName)" } ?? "by hashes"
        )
      })
    lines += input.mappings.mappings.filter { $0.candidate == nil }
      .map { "# \($0.name) is for no step: its versions aren't these any more" }
    if let module = policies.module, !policies.sources.isEmpty {
      lines.append("module: \(ScenarioParts.scalar(module))  # as mapping files name the policies")
      lines += ["policies:"] + policies.sources.map { "  - \(path($0))" }
      lines += policies.prefix.map { ["prefix: \($0.text)  # assumed: \($0.why)"] } ?? []
    }
    if policies.sources.isEmpty, !policies.obstacles.isEmpty { lines.append("policies: []") }
    lines += policies.obstacles.values.sorted().flatMap { FirstScenario.comment("Left out: " + $0) }
    lines.append("migration: \(way.way.rawValue)  # \(way.reason(from: root))")
    return lines
  }
}

/// `heavyweight init` on a repository: a project file with all that was found, and scenarios for all of its models.
struct RepositoryStart {
  let command: InitCommand
  let root: URL

  private var projectFile: URL { root.appending(path: ProjectFile.name) }

  /// The folder of the scenarios.
  private var home: URL {
    command.folder == ScenarioFinder.usualFolder
      ? root.appending(path: command.folder) : URL(fileURLWithPath: command.folder)
  }

  /// Writes what can be had, and says what can't.
  /// - Throws: What is wrong with the repository as a whole.
  func run() async throws -> ExitStatus {
    Interruption.removesTemporaryFiles()
    let found = try RepositoryModels(below: root)
    var notes = found.leftOut.map { "left out, as part of a test or sample: \(shown($0))" }
    let progress = ProgressLine()
    defer { progress.clear() }
    var starts: [ModelStart] = []
    if command.standIns { try writeStandIns(for: found, &notes) }
    let code = AppCode(below: root, withSamples: found.areSamples)
    for (place, url) in found.models.enumerated() {
      progress.show(url.lastPathComponent, done: place, total: found.models.count)
      do {
        starts.append(try await start(url, code, isOnly: found.models.count == 1))
      } catch { notes.append("left out: \(shown(url)): \(error)") }
    }
    notes += starts.compactMap(\.remark)
    let project = try writeProject(starts, &notes)
    setenv(ProjectFile.variable, projectFile.path, 1)
    let names = found.folderNames()
    let scenarios = try await ProjectFile.$current.withValue(project) {
      var scenarios: [InitReport.Scenario] = []
      for start in starts {
        let folder = starts.count == 1 ? home : home.appending(path: names[start.model.url] ?? "")
        scenarios += try await write(start, to: folder, showing: progress, noting: &notes)
      }
      return scenarios
    }
    progress.clear()
    let report = InitReport(
      model: starts.map { shown($0.model.url) }.joined(separator: ", "),
      folder: RelativePath.shown(home), scenarios: scenarios,
      project: RelativePath.shown(projectFile))
    let status = try command.machine.outputs.publish(report)
    notes.uniqued().forEach(Console.complain)
    return starts.isEmpty ? .badInput : status
  }

  private func shown(_ file: URL) -> String { RelativePath.text(from: root, to: file) }

  // MARK: Finding

  private func start(_ url: URL, _ code: AppCode, isOnly: Bool) async throws -> ModelStart {
    var input = try ModelInput(models: [url])
    var order: (names: [String], why: String)?
    // Xcode and git saw the versions come, which is more than that they look alike.
    if !input.model.order.isCertain || input.model.order.evidence.contains(.difference) {
      let names = input.model.versions.compactMap(\.name)
      order = XcodeProject.versions(of: url, among: names).map { ($0.versions, $0.project) }
      if order == nil {
        order = await RepositoryModels.orderInHistory(of: input.model).map { ($0, "git") }
      }
      if let order { input = try ModelInput(models: [url], order: GivenOrder(names: order.names)) }
    }
    let current = code.ways.laterVersion(of: input.model)
    if let current {
      input = try ModelInput(
        models: [url], order: order.map { GivenOrder(names: $0.names) }, current: current.name)
    }
    let classes = input.mappings.candidates.policyClasses
    let policies =
      classes.isEmpty
      ? PolicySearch.Outcome()
      : try await PolicySearch(
        in: input.model, among: try code.types(near: url.deletingLastPathComponent()),
        besides: code.objectiveC, naming: code.ways.namingOfPolicies, root: root,
        stubs: command.policy.stubs.stubs
      ).outcome(for: classes)
    return ModelStart(
      input: input, way: code.ways.finding(for: url, isOnly: isOnly), order: order,
      current: current, policies: policies)
  }

  /// Writes a Swift class for each policy in Objective-C, to be found like any other.
  private func writeStandIns(for found: RepositoryModels, _ notes: inout [String]) throws {
    let policies = AppCode(below: root, withSamples: found.areSamples).objectiveC
    // What is wrong with a model is told later.
    let classes: [String] = found.models.flatMap { url in
      (try? ModelInput(models: [url]))?.mappings.candidates.policyClasses ?? []
    }
    var open = classes.map { String($0.split(separator: ".").last ?? "") }.uniqued()
    let folder = home.appending(path: AppCode.standIns)
    while let name = open.popLast() {
      guard let text = policies.standIn(for: name, from: root) else { continue }
      open += [policies.superclasses[name]].compactMap(\.self)
      let file = folder.appending(path: "\(name).swift")
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try WholeFile.write(Data(text.utf8), to: file, if: .new)
        notes.append("wrote \(shown(file)): translate it from Objective-C")
      } catch POSIXError.EEXIST {
        notes.append("kept \(shown(file)), which exists")
      } catch {
        throw Diagnostics(file: shown(file), "can't write the stand-in: \(error.plainText)")
      }
    }
  }

  // MARK: The project file

  private func writeProject(_ starts: [ModelStart], _ notes: inout [String]) throws -> ProjectFile?
  {
    let schema = ScenarioSchema(for: root)
    // Editors do without where it can't be written.
    _ = try? schema.write()
    let text = ScenarioParts.text(
      schema.projectLines + [
        "# What was found in this repository, and from what. All commands in it read this file: mend what is wrong.",
        "models:",
      ]
        + starts.flatMap { start in
          start.lines(from: root).enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }
        })
    do {
      try WholeFile.write(Data(text.utf8), to: projectFile, if: .new)
    } catch POSIXError.EEXIST {
      notes.append("kept \(RelativePath.shown(projectFile)), which exists")
    } catch {
      throw Diagnostics(
        file: RelativePath.shown(projectFile), "can't write the project file: \(error.plainText)")
    }
    return try ProjectFile.find(from: root, [:])
  }

  // MARK: Scenarios

  private func write(
    _ start: ModelStart, to folder: URL, showing progress: ProgressLine,
    noting notes: inout [String]
  ) async throws -> [InitReport.Scenario] {
    let own = ProjectFile.current(forModelAt: start.model.url.path)
    let files = try MigrationFiles(ofProjectModelAt: start.model.url)
    var job = DraftJob(files: files, folder: RelativePath.shown(folder))
    job.leavesPoliciesToProject = true
    let writer = ScenarioWriter(folder: RelativePath.shown(folder))
    let parts = scopes(of: start, own?.migration?.value ?? start.way.way, job)
    let folders = own.map { _ in StepPolicies.folders(of: job.files.policies) } ?? []
    var scenarios: [InitReport.Scenario] = []
    let jobs = parts.map { part in
      job.scope = part.scope
      return (job, part.obstacle)
    }
    try await jobs.work { job, obstacle in
      await draft(by: job, folders, unless: obstacle)
    } hear: { place, drafted in
      let draft: WrittenDraft?
      switch (drafted, parts[place].step) {
      case (.success(let played), _): draft = played
      case (.failure(let error), let step?):
        let reason = "\(error)".split(separator: "\n")
          .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "; ")
        draft = job.skippedDraft(of: step, in: start.model, because: reason)
      case (.failure(let error), nil):
        notes.append("\(shown(start.model.url)): no scenario for every version: \(error)")
        draft = nil
      }
      guard let draft else { return }
      scenarios.append(try writer.write(draft, keepsExisting: true))
      notes += draft.remarks
    } willBegin: {
      progress.show(parts[$0].title, done: $0, total: parts.count)
    }
    return scenarios
  }

  /// - Returns: Nil where there is nothing to write.
  private func draft(
    by job: DraftJob, _ folders: Set<String>, unless obstacle: String?
  ) async -> Result<WrittenDraft?, any Error> {
    do {
      if let obstacle { throw CommandProblem(description: obstacle) }
      return .success(try await command.performApart(job, folders).all.first)
    } catch { return .failure(error) }
  }

  private struct Part {
    let title: String
    let scope: DraftJob.Scope
    /// Nil for the scenario of every version.
    var step: FirstStep?
    var obstacle: String?
  }

  /// The scenarios that a model is worth: its steps that have a mapping file or a finding, and stores of every version,
  /// on the way that the app takes.
  private func scopes(of start: ModelStart, _ way: MigrationWay, _ job: DraftJob) -> [Part] {
    let versions = EveryScenario(job: job, input: start.input, except: []).released
    let pairs = zip(versions, versions.dropFirst()).filter {
      $0.entityVersionHashesByName != $1.entityVersionHashesByName
    }
    guard let newest = pairs.last else {
      return [Part(title: start.model.name, scope: .newest)]
    }
    // A model that can't be checked is worth every step.
    let found = (try? ModelCheck(start.model, mappings: start.input.mappings).run()).map {
      Set($0.findings.compactMap(\.subject.step))
    }
    var parts: [Part] = []
    for (source, destination) in pairs {
      let isNewest = destination === newest.1
      let title = "\(source.shownName) -> \(destination.shownName)"
      let step = Result {
        try FirstStep(
          from: source, to: destination, of: start.model, mappings: start.input.mappings)
      }
      let known = try? step.get()
      if let known, known.mappings.isEmpty, !isNewest,
        found?.contains(VersionPair(source, destination)) == false
      {
        continue
      }
      let broken = start.input.mappings.unreadable.first {
        $0.versions(of: start.model)
          == StepEnds(source: source.name ?? "", destination: destination.name ?? "")
      }
      let classes = known?.policyClasses ?? []
      let obstacle = classes.lazy.compactMap { start.policies.obstacles[$0] }.first
      parts.append(
        Part(
          title: title,
          scope: .step(from: source.name ?? "", to: destination.name ?? "", isNewest: isNewest),
          step: known ?? FirstStep(untold: source, destination),
          obstacle: broken.map { $0.error.note } ?? obstacle ?? step.failureText))
    }
    return parts + [Part(title: "every version", scope: .matrix(way.route))]
  }
}

extension Result where Failure == any Error {
  fileprivate var failureText: String? {
    if case .failure(let error) = self { "\(error)" } else { nil }
  }
}

/// The code of an app, without tests and other people's.
private final class AppCode {
  /// The folder of Swift classes in place of others.
  static let standIns = "StandIns"
  let ways: MigrationWayFinder
  private let swift: [URL]
  lazy var objectiveC = ObjectiveCPolicies(objectiveCFiles)
  private let objectiveCFiles: [URL]
  private let all: Result<[URL], any Error>
  private var types: AppTypes?

  init(below root: URL, withSamples: Bool) {
    all = Result {
      try ModelHome.ownFiles(below: root, withExtensions: ["swift", "m", "mm", "h", "xcodeproj"])
    }
    // Code that can't be read shows nothing.
    let code = ((try? all.get()) ?? []).filter { $0.pathExtension != "xcodeproj" }
    let own = code.filter {
      withSamples || !RepositoryModels.isSample($0, below: root)
        || $0.pathComponents.contains(Self.standIns)
    }
    swift = own.filter { $0.pathExtension == "swift" }
    objectiveCFiles = own.filter { $0.pathExtension != "swift" }
    ways = MigrationWayFinder(own.filter { $0.pathExtension != "h" })
  }

  /// - Throws: For a file that can't be read.
  func types(near folder: URL) throws -> AppTypes {
    // Every file is read for the first model; the nearest to another one may be other ones.
    if let types { return types.near(folder) }
    let all = try AppTypes(swift, near: folder, in: AppModules(of: all.get()))
    types = all
    return all
  }
}
