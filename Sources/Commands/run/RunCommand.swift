import ArgumentParser

struct RunCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs scenarios on an in-memory and a SQLite store and compares the two.",
    discussion: HelpText.laidOut(
      """
      A scenario is a YAML file named *.scenario.yaml: models, rows, a chain of migration steps, \
      and what must be true afterwards. Scenarios/README.md describes the format.

      EXAMPLES
        heavyweight run                                 every scenario under Scenarios/
        heavyweight run Scenarios/Tags                  those in one folder
        heavyweight run --filter songbook --verbose     those whose path or title has the word
        heavyweight run --filter '/^Scenarios.Tags|song/'  those that a regular expression matches
        heavyweight run --list                          which there are
        heavyweight run Tags.scenario.yaml --watch      again whenever one of its files changes
        heavyweight run --quiet --fail-fast             failures only, and no more after the first
        heavyweight run Chain.scenario.yaml --backend sqlite --start v2
                                                        one run, as failures name it
        heavyweight run --keep /tmp/stores              and keep the SQLite stores
        heavyweight run --jobs 4 --timeout 30 --memory 500M
                                                        four runs at a time, each within limits
        heavyweight run Tags.scenario.yaml --update     write what was found into `expect`, as shown
        heavyweight run Scenarios/Generated --objects 10000
                                                        with more rows, where rules make them
        heavyweight run --last-failed                   what failed the last time
        heavyweight run Tags.scenario.yaml --repeat 20  until it fails, for what fails now and then
        heavyweight run --shard 2/3 --earlier report.json
                                                        the second third of the runs, by the durations in a report
        heavyweight run --json report.json --junit junit.xml --html report
                                                        with reports for machines and a page
        heavyweight run --github                        failures at their lines on GitHub

      EXIT STATUS
      \(ExitStatus.help)
      """))

  @OptionGroup var scenarios: ScenarioPaths

  @Option(
    help: .taking("backends", "Backends, separated by commas: memory, sqlite."),
    completion: .backends)
  var backend = "memory,sqlite"

  @Option(
    help: .taking(
      "text", "Only scenarios with this text in path or title; /…/ is a regular expression."))
  var filter: String?

  @Option(
    help: .taking(
      "tag", "Only scenarios with this tag, or that cover this number; repeat for several."))
  var tag: [String] = []

  @Option(
    help: .taking("version", "Only runs that start at this version; repeat for several."),
    completion: .versions)
  var start: [String] = []

  @Option(help: .taking("folder", "Keep the SQLite stores of all runs in this folder."))
  var keep: String?

  @OptionGroup var reports: ReportOptions

  @OptionGroup var processes: JobsOption

  @Option(help: .taking("time", "Longest time for a run: 30, 30s, 5m (default: 10m)."))
  var timeout: RunTime?

  @Option(
    help: .taking("size", "Most memory for a run: 500M, 2G (default: half of the machine's)."))
  var memory: RunMemory?

  @Option(
    help: .taking(
      "i/n", "Only the i-th of n shards; also set by TEST_TOTAL_SHARDS and TEST_SHARD_INDEX."))
  var shard: Shard?

  @Flag(
    name: .customLong("last-failed"),
    help: "Only what failed in the last calls in this folder, or in the report of --earlier.")
  var isLastFailed = false

  @Option(
    help: .taking(
      "file",
      "A report of --json of an earlier call: --shard deals by its durations, --last-failed plays what failed in it."
    ))
  var earlier: String?

  @Option(
    name: .customLong("repeat"),
    help: .taking(
      "number",
      "Run everything this many times, without stores of earlier runs, until something fails."))
  var times = 1

  @Option(
    help: .taking(
      "folder", "Keep compiled policies and stores here (default: ~/.cache/heavyweight)."))
  var cache: String?

  @Option(
    name: .customLong("cache-size"),
    help: .taking("size", "Largest total size of cached stores: 500M, 2G (default: 512M)."))
  var cacheSize: RunMemory?

  @Flag(
    name: .customLong("no-cache"), help: "Build everything from scratch, and keep nothing.")
  var isWithoutCache = false

  @Option(
    help: .taking("number", "Make about this many objects in seeds with rules: 1000, 10k, 1M."))
  var objects: ObjectCount?

  @Flag(
    name: .customLong("in-process"),
    help: "Execute all runs in this process, one after the other, for a debugger.")
  var isInProcess = false

  @OptionGroup var missing: MissingStubOption

  @OptionGroup var confinement: SandboxOption

  @Flag(
    help: "First replace expected values with those found, and show the changes. Not in CI.")
  var update = false

  @Flag(
    name: .customLong("list"), help: "List the scenarios, and run none.")
  var isList = false

  @Flag(
    name: .customLong("fail-fast"), help: "Start no further scenario once one has failed.")
  var failsFast = false

  @Flag(
    name: .customLong("keep-going"),
    help: "Run the other scenarios if some have mistakes, which are reported with status 2.")
  var keepsGoing = false

  @Flag(help: "Rerun scenarios whenever a file that they use changes, until Control-C.")
  var watch = false

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    _ = try backends()
    _ = try wantedShard()
    _ = try wantedFilter()
    if watch, update || isList {
      throw ValidationError("--watch doesn't end: leave out --update and --list.")
    }
    if isList, update || reports.junit != nil || reports.html != nil || reports.github {
      throw ValidationError(
        "--list runs nothing: leave out --update, --junit, --html and --github.")
    }
    if earlier != nil, try !isLastFailed && wantedShard() == nil {
      throw ValidationError("--earlier is for --shard and --last-failed.")
    }
    if isLastFailed, isWithoutCache, earlier == nil {
      throw ValidationError(
        "--no-cache keeps nothing of the last calls: name a report by --earlier.")
    }
    if times < 1 { throw ValidationError("--repeat must be at least 1.") }
    if times > 1, isList || update || watch {
      throw ValidationError("--repeat runs and reports: leave out --list, --update and --watch.")
    }
    if isWithoutCache, cache != nil || cacheSize != nil {
      throw ValidationError("--no-cache can't be combined with --cache or --cache-size.")
    }
    if let problem = memory?.problemAsLimit { throw ValidationError(problem) }
    if isInProcess, confinement.sandbox {
      throw ValidationError("--in-process has no process to confine: leave out --sandbox.")
    }
    if isInProcess, processes.jobs != nil || timeout != nil || memory != nil {
      throw ValidationError(
        "--in-process executes one run after the other, without limits: leave out --jobs, --timeout "
          + "and --memory.")
    }
    if keep != nil, try !backends().contains(.sqlite) {
      throw ValidationError("--keep keeps SQLite stores, and --backend leaves them out.")
    }
    if update, objects != nil {
      throw ValidationError(
        "--update records the results of the file's own numbers of objects: leave out --objects.")
    }
  }

  private func backends() throws -> [Backend] {
    let backends = try backend.split(separator: ",").map { word in
      let name = word.trimmingCharacters(in: .whitespaces)
      guard let backend = Backend(rawValue: name) else {
        throw ValidationError("There is no backend '\(name)'; choose from memory, sqlite.")
      }
      return backend
    }
    guard !backends.isEmpty, Set(backends).count == backends.count else {
      throw ValidationError("Name each backend once: memory, sqlite or memory,sqlite.")
    }
    return backends
  }

  private func selection() throws -> ScenarioSelection {
    var selection = ScenarioSelection(
      filter: try wantedFilter(), tags: tag, starts: start, shard: try wantedShard())
    selection.durations = try earlier.map(EarlierRuns.init(reading:))
    guard isLastFailed else { return selection }
    selection.failed = selection.durations
    if earlier == nil, let file = try cacheChoice().lastFailed, FileKind(of: file) != .missing {
      selection.failed = try EarlierRuns(reading: file.path)
    }
    selection.failed = selection.failed ?? EarlierRuns()
    return selection
  }

  private func wantedFilter() throws -> ScenarioFilter? {
    do { return try filter.map(ScenarioFilter.init) } catch {
      throw ValidationError("The regular expression \(filter ?? "") can't be read: \(error)")
    }
  }

  private func wantedShard() throws -> Shard? {
    do { return try shard ?? Shard.fromEnvironment() } catch {
      // The argument parser says that it is an error.
      throw ValidationError("\(error)".replacing("INDEX: error:", with: "INDEX:"))
    }
  }

  func note(in files: inout CommandFiles) {
    scenarios.note(in: &files)
    reports.note(in: &files)
    missing.note(in: &files)
    files.use("a report", earlier.map { [$0] } ?? [])
  }

  func perform() async throws -> ExitStatus {
    // What failed was somewhere, and not only in the usual folder.
    let (failed, gone) = try selection().failed?.failedFiles ?? ([], [])
    for path in gone {
      Console.complain("\(path) is gone: what failed in it is looked for by its titles")
    }
    let usual = scenarios.all.filter { FileKind(of: URL(fileURLWithPath: $0)) != .missing }
    let isElsewhere = scenarios.paths.isEmpty && !failed.isEmpty
    let paths = isElsewhere ? failed + (gone.isEmpty ? [] : usual) : scenarios.all
    if isList {
      return try ListSession(paths: paths, selection: try selection(), json: reports.machine.place)
        .run(backends: try backends())
    }
    if confinement.sandbox { try Sandbox.check() }
    if watch {
      try await WatchSession(paths: paths).run { paths in
        do { _ = try await status(at: paths) } catch { _ = ExitStatus(telling: error) }
      }
    }
    return try await status(at: paths)
  }

  /// Runs the scenarios at some paths.
  private func status(at paths: [String]) async throws -> ExitStatus {
    let cache = try cacheChoice()
    defer { cache.tidy() }
    if update {
      let session = UpdateSession(paths: paths, selection: try selection())
      guard await session.run(try suite(cache)) else { return .badInput }
    }
    return try await RunSession(self, at: paths, try selection()).run(try suite(cache))
  }

  private func cacheChoice() throws -> CacheChoice {
    if isWithoutCache { return try .none() }
    return try CacheChoice(folder: cache, bytes: cacheSize?.bytes ?? CacheChoice.defaultBytes)
  }

  private func suite(_ cache: CacheChoice) throws -> ScenarioSuite {
    var suite = ScenarioSuite()
    suite.cache = times > 1 ? cache.withoutStores : cache
    suite.backends = try backends()
    suite.isConfined = confinement.sandbox
    suite.explainsSteps = terminal.verbose
    suite.starts = start
    if !isInProcess {
      suite.limits = RunLimits(
        seconds: timeout?.seconds ?? RunLimits.defaultSeconds,
        bytes: memory?.bytes ?? RunLimits.defaultBytes)
    }
    suite.jobs = processes.count
    suite.objects = objects?.number
    suite.failsFast = failsFast
    suite.keepFolder = keep.map { URL(fileURLWithPath: $0, isDirectory: true) }
    return suite
  }
}

// MARK: - Arguments

/// A size that a measurement may have; without a unit it is in megabytes.
struct MeasuredBytes: ExpressibleByArgument {
  let megabytes: Double

  init?(argument: String) {
    if let number = Double(argument), number > 0 {
      megabytes = number
    } else if let size = RunMemory(argument: argument) {
      megabytes = Double(size.bytes) / 1_048_576
    } else {
      return nil
    }
  }
}

/// A number of objects: 1000, 1e5, 10k, 1M.
struct ObjectCount: ExpressibleByArgument {
  let number: Int

  init?(argument: String) {
    guard let sizes = BenchOptions.sizes(argument), sizes.count == 1 else { return nil }
    number = sizes[0]
  }
}

extension RunTime: ExpressibleByArgument {}
extension RunMemory: ExpressibleByArgument {}
extension Shard: ExpressibleByArgument {}
