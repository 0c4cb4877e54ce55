/// What `heavyweight capture` does beside putting the result in its place, in whatever process.
package struct CaptureJob: IsolatedJob {
  let store: String
  private(set) var files: MigrationFiles
  let target: String?
  let path: ModelRouteFinder.Path
  /// Where the result goes in the end; paths in it are relative to that.
  let output: String
  /// The folder that is filled, beside `output`.
  var workplace: String
  /// Whether what objects say is replaced, and the attributes that stay.
  let isAnonymized: Bool
  let kept: [String]
  /// What was found or passed over in preparing policies.
  private(set) var preparationNotes: [String] = []

  package enum Answer: Codable {
    case captured(Captured)
    case failed(String)
  }

  /// What was written.
  package struct Captured: Codable {
    let versions: [String]
    let rowCount: Int
    let expectationCount: Int
    /// What the migration came to, in one line.
    let outcome: String
    /// Whether that is an error.
    let endsWithError: Bool
    /// What was looked for; nil where nothing was replaced.
    let proof: Proof?
    var remarks: [String]

    /// What is in it, in one line.
    var summary: String {
      "\(versions.joined(separator: " -> ")): \(rowCount.counted("row")), "
        + "\(expectationCount.counted("expectation")); \(outcome)"
    }
  }

  /// How much of what the store says was looked for in the result, in vain.
  package struct Proof: Codable {
    let searchedCount: Int
    let notSearchedCount: Int

    var text: String {
      "looked in every file for \(searchedCount.counted("value")) of the store: none is there "
        + "(\(notSearchedCount) not looked for: too short, the app's own words, or no other value possible)"
    }
  }

  /// More objects aren't for reading any more.
  static let mostObjects = 20_000
  /// How often other values are drawn when some are those of the store by chance.
  private static let mostTries = 5

  package func perform(tell: (JobProgress) -> Void) async -> Answer {
    do { return .captured(try await capture(tell)) } catch { return .failed("\(error)") }
  }

  // MARK: Capturing

  /// - Throws: What is wrong with the files that were given, and what can't be captured.
  private func capture(_ tell: (JobProgress) -> Void) async throws -> Captured {
    tell(JobProgress(step: "reading the store", done: 0, total: 4))
    let (scenario, provider, notes) = try await plan()
    let (content, ignored) = try content(of: scenario.route)
    let trial = CaptureTrial(scenario: scenario, policies: provider, folder: folder)
    tell(JobProgress(step: "migrating the store", done: 1, total: 4))
    let outcome = try trial.outcome(
      of: .store(URL(fileURLWithPath: store).standardizedFileURL.path))
    var captured = try write(content, as: outcome, by: trial, tell)
    captured.remarks = notes + ignored + captured.remarks
    return captured
  }

  private var folder: URL { URL(fileURLWithPath: workplace, isDirectory: true) }

  private func plan() async throws -> (CapturedScenario, any PolicyProvider, notes: [String]) {
    let routes = try await ModelRouteFinder(files, to: target, path: path)
    let route = try routes.route(
      forStoreWith: SQLiteStore.metadata(at: URL(fileURLWithPath: store)))
    if let refusal = route.refusal { throw problem("\(refusal)") }
    if let configuration = route.configuration {
      throw problem(
        "it holds only the configuration '\(configuration)' of \(route.source.shownName), which no scenario can "
          + "start from; `heavyweight migrate` can")
    }
    var policies = try ModelRouteFinder.policies(of: files, to: target)
    policies.stubs = files.stubs
    if policies.sources.isEmpty { policies.module = nil }
    let scenario = CapturedScenario(
      route: route, model: routes.model, mappings: routes.mappings,
      mappingsAreGiven: !files.mappings.isEmpty, policies: policies,
      folder: URL(fileURLWithPath: output, isDirectory: true))
    return (scenario, routes.policies, preparationNotes + routes.notes)
  }

  private func problem(_ text: String) -> Diagnostics {
    Diagnostics(file: store, text)
  }

  /// The store's objects, and what of its schema and its damage is passed over.
  private func content(of route: MigrationRoute) throws -> (ContentSnapshot, [String]) {
    let source = try SQLiteStore.openReadOnly(at: URL(fileURLWithPath: store), model: route.source)
    defer { source.closeUnchanged() }
    let count = try EntityCounts(of: source).total
    guard count <= Self.mostObjects else {
      throw problem(
        "it has \(count) objects, and a scenario of more than \(Self.mostObjects) rows is too long to read; name the "
          + "store in a scenario (`store: \(store)`) and let `heavyweight reduce` find the rows that matter; "
          + "`heavyweight run --keep` makes a store of those, to be captured"
      )
    }
    return (
      try ContentSnapshot(of: source, provenance: Provenance()),
      try source.ignoredSchema().map { "\(store): \($0)" } + lostDamage(of: source)
    )
  }

  /// What reads as nothing: links that lead nowhere, files that are missing, columns of no property.
  private func lostDamage(of source: SQLiteStore) throws -> [String] {
    try StoreInspector(of: source).inspect(with: source.model, rowLimit: 0).findings
      .filter { $0.severity == .error && $0.kind != .duplicateValues || $0.kind == .extraColumn }
      .map {
        "\(store): \($0.text); rows can't have that, and the scenario is without it: "
          + "name the store in one (`store:`) to keep it"
      }
  }

  // MARK: Writing

  private func write(
    _ content: ContentSnapshot, as outcome: MigrationOutcome, by trial: CaptureTrial,
    _ tell: (JobProgress) -> Void
  ) throws -> Captured {
    guard isAnonymized else {
      tell(JobProgress(step: "running the scenario", done: 2, total: 4))
      return try write(content, proving: nil, after: outcome, by: trial)
    }
    try Anonymizer.check(kept, in: trial.scenario.route.source)
    var vocabulary = try trial.scenario.vocabulary()
    let names = content.namesInBytes
    vocabulary.note(names: names)
    let words = content.textWords
    var found: [LeakProof.Leak] = []
    for number in 0..<Self.mostTries {
      tell(JobProgress(step: "replacing the objects' values", done: 2, total: 4))
      var anonymizer = Anonymizer(keeping: kept, vocabulary: vocabulary)
      let replaced = try anonymizer.replacement(of: content)
      var proof = LeakProof(
        vocabulary: vocabulary,
        bareText: trial.scenario.bareText + trial.scenario.names + Self.ownWords + " "
          + names.joined(separator: " "))
      anonymizer.enumerate(content) { attribute, value in
        switch anonymizer.fate(of: value, attribute) {
        case nil: proof.add(value, of: attribute)
        case .goes: proof.add(number: value, of: attribute)
        case .isCrowded: proof.passOver(number: value, of: attribute)
        case .stays: break
        }
      }
      var captured = try write(replaced, proving: proof, after: outcome, avoiding: words, by: trial)
      captured.remarks += anonymizer.remarks
      tell(JobProgress(step: "looking for the store's values", done: 3, total: 4))
      found = try proof.leaks(in: folder)
      if found.isEmpty { return captured }
      if number + 1 < Self.mostTries { try trial.removeFile() }
    }
    try trial.removeFile()
    throw LeakFailure(leaks: found)
  }

  /// What the tool itself writes into a scenario beside names of the model and paths.
  private static let ownWords =
    " expect steps custom inferred validation count everysourcemigrated dropped object has present null fails code domain "
    + "step entity property source untouched exists about captured anonymized true false "
    + CapturedText.all

  private func write(
    _ content: ContentSnapshot, proving proof: LeakProof?, after outcome: MigrationOutcome,
    avoiding words: Set<String> = [], by trial: CaptureTrial
  ) throws -> Captured {
    let rows = try CapturedRows(content, avoiding: words)
    let played = try trial.play(rows, outcome, isAnonymized: isAnonymized)
    try trial.write(played.text)
    return Captured(
      versions: trial.scenario.versions, rowCount: rows.rows.count,
      expectationCount: played.expectationCount, outcome: outcome.text,
      endsWithError: outcome.failure != nil,
      proof: proof.map {
        Proof(searchedCount: $0.count, notSearchedCount: $0.passedOver)
      }, remarks: played.remarks)
  }

  // MARK: For processes

  /// Compiles the policies, if there are any, without loading them. Of those that nobody named only the
  /// ones on the store's way have to compile.
  /// - Returns: The folders of their sources; nil where the migration runs no policies.
  mutating func preparePolicies() async throws -> Set<String>? {
    do { return try await compilePolicies() } catch let error as PolicyCompilationError
      where files.policies.isEmpty
    {
      try await leaveOutPolicies()
      // Without any on the way nobody needs those that don't compile.
      if files.policies.isEmpty { return nil }
      do { return try await compilePolicies() } catch is PolicyCompilationError { throw error }
    }
  }

  private func compilePolicies() async throws -> Set<String>? {
    var policies = try ModelRouteFinder.policies(of: files, to: target)
    policies.stubs = files.stubs
    try files.stubs.requirePolicies(policies.sources)
    return try await policies.prepare()
  }

  /// Leaves out the policies beside the model that no step from the store's version on names.
  private mutating func leaveOutPolicies() async throws {
    let all = try ModelRouteFinder.policies(of: files, to: target).sources
    files.findsPolicies = false
    let routes = try await ModelRouteFinder(files, to: target, path: path)
    let route = try routes.route(
      forStoreWith: SQLiteStore.metadata(at: URL(fileURLWithPath: store)))
    let needed = try PoliciesBeside(routes.model, for: route.chain.steps.flatMap(\.mappings)).found
    if needed.module != nil {
      files.policies = needed.sources
      files.module = needed.module
    }
    let names = all.filter { !files.policies.contains($0) }.map(\.lastPathComponent)
    if names.isEmpty { return }
    preparationNotes.append(
      "policies beside the model left out, since no step of the store needs them and not all compile: "
        + names.joined(separator: ", "))
  }

  /// What the job reads.
  /// - Throws: When a folder can't be searched.
  func filesForSandbox() throws -> SandboxFiles {
    var files = try files.filesForSandbox()
    try files.readNamedStore(URL(fileURLWithPath: store))
    return files
  }

  /// The folder is put where somebody wants a scenario, and nothing else is to be in it.
  package func check(_ answer: Answer) throws {
    guard case .captured = answer else { return }
    let folder = URL(fileURLWithPath: workplace, isDirectory: true)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    guard names == [CapturedScenario.fileName],
      try FileCalls.hasOrdinaryFile(folder.appending(path: CapturedScenario.fileName))
    else {
      throw CaptureFailure("the process with the policies wrote other files than a scenario")
    }
  }
}

/// Words for what was captured.
enum CapturedText {
  static func title(_ versions: [String], isFailure: Bool) -> String {
    let (first, last) = (versions[0], versions[versions.count - 1])
    if versions.count == 1 { return "A captured store of \(first)" }
    return isFailure
      ? "A captured store of \(first) can't be migrated to \(last)"
      : "A captured store of \(first) is migrated to \(last)"
  }

  static let about = [
    "Written by `heavyweight capture`: the rows are those of a store, the expectations the result of migrating it."
  ]
  static let anonymous =
    "Texts, data, dates, numbers, UUIDs and URIs were replaced by others."

  static var all: String { (about + [anonymous, title(["", ""], isFailure: true)]).joined() }
}

/// Something of the store is in what was made of it.
struct LeakFailure: Error, CustomStringConvertible {
  let leaks: [LeakProof.Leak]

  var description: String {
    let properties = Dictionary(grouping: leaks, by: \.property).sorted { $0.key < $1.key }
    let lines = properties.prefix(10).map { name, leaks in
      let first = leaks[0]
      let form = first.form.isEmpty ? "" : ", \(first.form)"
      return
        "  \(name): \(leaks.count.counted("place")), the first at byte \(first.offset) of \(first.file)\(form)"
    }
    return
      ([
        "error: values of these properties are still in the anonymized scenario, which was removed:"
      ] + lines + ["  --unchanged: for a property without private values"]).joined(separator: "\n")
  }
}

extension ContentSnapshot {
  /// The names in JSON and property lists, which are of the app's code, and stay.
  fileprivate var namesInBytes: Set<String> {
    var names: Set<String> = []
    enumerateValues { value in
      guard case .data(let data) = value else { return }
      names.formUnion(StructuredBytes(data)?.names ?? [])
    }
    return names
  }

  /// The words of all texts, in small letters: a row called like one of them would seem to give it away.
  fileprivate var textWords: Set<String> {
    var words: Set<String> = []
    enumerateValues { value in
      guard case .string(let text) = value else { return }
      let small = text.lowercased()
      words.insert(small)
      words.formUnion(small.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    }
    return words
  }

  /// Gives all values of all objects, those in composites each for itself.
  private func enumerateValues(_ body: (Value) -> Void) {
    for object in objects {
      for (attribute, value) in zip(object.entity.attributes, object.values) {
        value.enumerate(as: attribute) { _, value in body(value) }
      }
    }
  }
}
