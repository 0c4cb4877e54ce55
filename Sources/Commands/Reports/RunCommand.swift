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
        heavyweight run --shard 2/3                     the second third of the scenarios
        heavyweight run --json report.json --junit junit.xml --html report
                                                        with reports for machines and a page
        heavyweight run --github                        failures at their lines on GitHub

      EXIT STATUS
      \(ExitStatus.help)
      """))

  @OptionGroup var scenarios: ScenarioPaths

  @Option(
    help: ArgumentHelp("Backends, separated by commas: memory, sqlite.", valueName: "backends"),
    completion: .backends)
  var backend = "memory,sqlite"

  @Option(
    help: ArgumentHelp(
      "Only scenarios with this text in path or title; /…/ is a regular expression.",
      valueName: "text"))
  var filter: String?

  @Option(
    help: ArgumentHelp(
      "Only scenarios with this tag, or that cover this number; repeat for several.",
      valueName: "tag"))
  var tag: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only runs that start at this version; repeat for several.", valueName: "version"),
    completion: .versions)
  var start: [String] = []

  @Option(
    help: ArgumentHelp("Keep the SQLite stores of all runs in this folder.", valueName: "folder"))
  var keep: String?

  @OptionGroup var reports: ReportOptions

  @OptionGroup var processes: JobsOption

  @Option(
    help: ArgumentHelp("Longest time for a run: 30, 30s, 5m (default: 10m).", valueName: "time"))
  var timeout: RunTime?

  @Option(
    help: ArgumentHelp(
      "Most memory for a run: 500M, 2G (default: half of the machine's).", valueName: "size"))
  var memory: RunMemory?

  @Option(
    help: ArgumentHelp(
      "Only the i-th of n shards; also set by TEST_TOTAL_SHARDS and TEST_SHARD_INDEX.",
      valueName: "i/n"))
  var shard: Shard?

  @Option(
    help: ArgumentHelp(
      "Keep compiled policies and stores here (default: ~/.cache/heavyweight).",
      valueName: "folder"))
  var cache: String?

  @Option(
    name: .customLong("cache-size"),
    help: ArgumentHelp(
      "Largest total size of cached stores: 500M, 2G (default: 512M).", valueName: "size"))
  var cacheSize: RunMemory?

  @Flag(
    name: .customLong("no-cache"), help: "Build everything from scratch, and keep nothing.")
  var isWithoutCache = false

  @Option(
    help: ArgumentHelp(
      "Make about this many objects in seeds with rules: 1000, 10k, 1M.",
      valueName: "number"))
  var objects: ObjectCount?

  @Flag(
    name: .customLong("in-process"),
    help: "Execute all runs in this process, one after the other, for a debugger.")
  var isInProcess = false

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

  @Flag(help: "Print only failures and the summary.")
  var quiet = false

  @Flag(
    name: .shortAndLong,
    help:
      "List entity mappings, policy calls and the plan of every step, and why SQL couldn't do it.")
  var verbose = false

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    _ = try backends()
    _ = try wantedShard()
    _ = try wantedFilter()
    if quiet, verbose { throw ValidationError("--quiet and --verbose contradict each other.") }
    if watch, update || isList {
      throw ValidationError("--watch doesn't end: leave out --update and --list.")
    }
    if isList, update || reports.junit != nil || reports.html != nil || reports.github {
      throw ValidationError(
        "--list runs nothing: leave out --update, --junit, --html and --github.")
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
    ScenarioSelection(
      filter: try wantedFilter(), tags: tag, starts: start, shard: try wantedShard())
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
  }

  func perform() async throws -> ExitStatus {
    let paths = scenarios.all
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
    suite.cache = cache
    suite.backends = try backends()
    suite.isConfined = confinement.sandbox
    suite.explainsSteps = verbose
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
