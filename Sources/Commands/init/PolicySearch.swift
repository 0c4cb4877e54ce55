import PolicyCompiler

/// Looks for the Swift files that an app's policies are made of: first by their words, and where that brings in what
/// doesn't compile here, by what the compiler misses.
struct PolicySearch {
  let model: VersionedModel
  let app: AppTypes
  let objectiveC: ObjectiveCPolicies
  let root: URL
  let stubs: [StubFile]
  /// Where the app's code sets policies' names, if it does.
  let naming: (file: URL, line: Int)?
  /// Where stubs are written of what no file of the app declares, if they are wanted.
  private let drafts = PolicyCompiler.stubFolder

  /// What came of it.
  struct Outcome {
    var module: String?
    /// What the app puts before names without a module, and where it seems to.
    var prefix: (text: String, why: String)?
    /// Files that compile together.
    var sources: [URL] = []
    /// What isn't among them, by class, and why in one sentence.
    var obstacles: [String: String] = [:]
  }

  init(
    in model: VersionedModel, among app: AppTypes, besides objectiveC: ObjectiveCPolicies,
    naming: (file: URL, line: Int)?, root: URL, stubs: [StubFile]
  ) {
    (self.model, self.app, self.objectiveC) = (model, app, objectiveC)
    (self.naming, self.root, self.stubs) = (naming, root, stubs)
  }

  /// How often, and up to how many files, others are added: what drags in more is no policy's, but the app's.
  private static let (mostRounds, mostFiles) = (8, 24)
  /// Where so many want more of the app than there is here, others do, too: they aren't searched for any more.
  private static let mostFailures = 24

  /// - Parameter classes: As mapping models name them.
  func outcome(for classes: [String]) async throws -> Outcome {
    try await PolicyCompiler.$stubFolder.withValue(nil) { try await search(for: classes) }
  }

  private func search(for classes: [String]) async throws -> Outcome {
    var outcome = Outcome()
    var places: [(name: String, file: URL)] = []
    for name in classes {
      guard let file = app.file(declaring: name)?.file else {
        outcome.obstacles[name] = absence(of: name)
        continue
      }
      outcome.obstacles[name] = strangeness(of: name, in: file)
      if outcome.obstacles[name] == nil { places.append((name, file)) }
    }
    guard let first = places.first else { return outcome }
    let bare = places.first { Self.module(of: $0.name) == nil }
    let isPrefixed = bare.map { !app.objectiveCNames.contains($0.name) } ?? false
    let module =
      Self.module(of: first.name)
      ?? (isPrefixed ? app.modules?.names(of: first.file)?.min() : nil)
      ?? StepPolicies.moduleOfBareNames
    outcome.module = module
    if isPrefixed, let naming {
      outcome.prefix = ("\(module).", "\(shown(naming.file)):\(naming.line) sets their names")
    }
    let alone = await compilingAlone(places.map(\.file).uniqued(), as: module)
    outcome.sources = alone.sources
    var failures = 0
    for (name, file) in places where !outcome.sources.contains(file) {
      if failures >= Self.mostFailures, let error = alone.errors[file.relativePath] {
        outcome.obstacles[name] = obstacle(to: name, in: file, because: error)
        continue
      }
      switch await sources(for: name, in: file, beside: outcome.sources, as: module) {
      case .success(let sources): outcome.sources = sources
      case .failure(let error):
        failures += 1
        outcome.obstacles[name] = obstacle(to: name, in: file, because: error)
      }
    }
    return outcome
  }

  /// The policies' own files but those that miss others, with what these miss: most don't, and compiling them one by one
  /// takes long.
  private func compilingAlone(
    _ files: [URL], as module: String
  ) async -> (sources: [URL], errors: [String: PolicyCompilationError]) {
    var (files, errors) = (files, [String: PolicyCompilationError]())
    while !files.isEmpty {
      let all = (files + app.deciding(Set(files))).uniqued()
      do {
        try await PolicyCompiler(keepsUsed: true).prepare(all, module: module, stubs: stubs)
        return (all, errors)
      } catch {
        guard var error = error as? PolicyCompilationError else { break }
        let found = error.diagnostics.filter { $0.severity == .error }
        for path in Set(found.compactMap(\.file)) {
          error.diagnostics = found.filter { $0.file == path }
          errors[path] = error
        }
        let rest = files.filter { errors[$0.relativePath] == nil }
        if rest.count == files.count { break }
        files = rest
      }
    }
    return ([], errors)
  }

  /// The files that a policy needs, and others that compile. What it needs shows soonest without these.
  private func sources(
    for name: String, in file: URL, beside known: [URL], as module: String
  ) async -> Result<[URL], PolicyCompilationError> {
    var result = Result<[URL], Shortage>.failure(Shortage(PolicyCompilationError(""), in: [file]))
    // Few first: a name that nothing has shows soonest.
    for attempt in [[file], app.files(declaring: name) ?? []] where attempt.count <= Self.mostFiles
    {
      result = await completed(attempt, for: file, as: module)
      if case .success(let needed) = result, !known.isEmpty {
        result = await completed((known + needed).uniqued(), for: file, as: module)
      }
      guard case .failure(let shortage) = result, !isBeyondTheApp(shortage.error, in: file) else {
        break
      }
    }
    switch result {
    case .success(let sources): return .success(sources)
    case .failure(let shortage): return .failure(await drafted(shortage, as: module))
    }
  }

  /// Files that don't compile, and why.
  private struct Shortage: Error {
    let error: PolicyCompilationError
    let files: [URL]

    init(_ error: PolicyCompilationError, in files: [URL]) {
      (self.error, self.files) = (error, files)
    }
  }

  /// The error, which says where stubs are if any were written.
  private func drafted(_ shortage: Shortage, as module: String) async -> PolicyCompilationError {
    guard let drafts else { return shortage.error }
    do {
      try await PolicyCompiler.$stubFolder.withValue(drafts) {
        try await PolicyCompiler().prepare(shortage.files, module: module, stubs: stubs)
      }
    } catch let error as PolicyCompilationError { return error } catch {}
    return shortage.error
  }

  /// The files with all others of the app that the compiler wants.
  private func completed(
    _ sources: [URL], for policy: URL, as module: String
  ) async -> Result<[URL], Shortage> {
    var files = sources
    var first: PolicyCompilationError?
    var compiler = PolicyCompiler(keepsUsed: true)
    for _ in 0..<Self.mostRounds {
      files = (files + app.deciding(Set(files))).uniqued()
      do {
        try await compiler.prepare(files, module: module, stubs: stubs)
        return .success(files)
      } catch let error as PolicyCompilationError {
        if drafts == nil, isBeyondTheApp(error, in: policy) {
          return .failure(Shortage(error, in: files))
        }
        if first == nil { first = error }
        let more = error.missedNames.flatMap { missed in
          app.files(
            missing: missed.name, of: missed.type,
            near: missed.file.map { URL(fileURLWithPath: $0) } ?? sources.first)
        }.filter { !files.contains($0) }.uniqued()
        let isTooMuch = files.count + more.count > sources.count + Self.mostFiles
        if !more.isEmpty, !isTooMuch {
          files += more
        } else if compiler.keepsUsed {
          compiler = PolicyCompiler()
        } else {
          // What is missing first is what a person can do something about.
          return .failure(Shortage(isTooMuch ? first ?? error : error, in: files))
        }
      } catch {
        return .failure(Shortage(PolicyCompilationError("\(error)"), in: files))
      }
    }
    let error = first ?? PolicyCompilationError("it belongs to too many files")
    return .failure(Shortage(error, in: files))
  }

  /// Whether the policy's own file misses what no file of the app has.
  private func isBeyondTheApp(_ error: PolicyCompilationError, in policy: URL) -> Bool {
    error.missedNames.contains { missed in
      missed.file == policy.relativePath && missed.type.map(app.declares) != true
        && app.files(missing: missed.name, of: missed.type, near: policy).isEmpty
    }
  }

  // MARK: Wording

  private func shown(_ file: URL) -> String { RelativePath.text(from: root, to: file) }

  private func absence(of name: String) -> String {
    let bare = name.split(separator: ".").last.map(String.init) ?? name
    guard let place = objectiveC.places[bare] else {
      return
        "no Swift file of the repository declares the policy \(name): is its package checked out?"
    }
    return
      "the policy \(name) is written in Objective-C (\(shown(place.file)):\(place.line)), which doesn't run here: "
      + "give a Swift class '@objc(\(bare))' that does the same; 'heavyweight init --stand-ins' writes one to translate"
  }

  /// Why the app doesn't find a class by the name that mapping files have; nil where it may.
  private func strangeness(of name: String, in file: URL) -> String? {
    guard let module = Self.module(of: name) else {
      if naming != nil || app.objectiveCNames.contains(name) { return nil }
      return
        "mapping files name the policy \(name) without a module, which Core Data finds by '@objc(\(name))' only, and "
        + "\(shown(file)) hasn't that; if the app itself puts something before the name, say so with 'prefix:'"
    }
    guard let own = app.modules?.names(of: file), !own.contains(module) else { return nil }
    return
      "mapping files name the policy \(name), and \(shown(file)) is compiled into \(own.sorted().joined(separator: ", ")), "
      + "as the app's project says: Core Data doesn't find it"
  }

  private static func module(of name: String) -> String? {
    name.lastIndex(of: ".").map { String(name[..<$0]) }
  }

  private func obstacle(to name: String, in file: URL, because error: PolicyCompilationError)
    -> String
  {
    let first = error.diagnostics.first { $0.severity == .error }
    let place = first?.file.map { "\(shown(URL(fileURLWithPath: $0))):\(first?.line ?? 0): " } ?? ""
    let missed = error.missedNames.map { missed in
      missed.type.map { "\($0).\(missed.name)" } ?? missed.name
    }
    let names = missed.uniqued().prefix(6).joined(separator: ", ")
    let written = drafts == nil ? nil : error.advice
    let help = written ?? "a stub with \(names) would help: see docs/policies.md"
    let advice = missed.isEmpty ? "" : "; " + help
    let note = error.diagnostics.dropFirst(1).first {
      $0.severity == .note && error.diagnostics.first == first
    }
    let origin = note.map { " (\($0.message))" } ?? ""
    return
      "the policy \(name) doesn't compile here: \(place)\(first?.message ?? error.message)\(origin)\(advice)"
  }
}
