import ArgumentParser

struct BenchCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures how long migrations take, and how that grows with the store.",
    discussion: HelpText.laidOut(
      """
      A seed made by rule is scaled to the number of objects; other rows and stores are repeated \
      until there are as many. That store is migrated several times, each time in a new process. \
      Left out are scenarios that expect an error, because their migration has no result, skipped \
      ones, and, in folders, those without rows or steps.

      EXAMPLES
        heavyweight bench Scenarios/Tags/Tags.scenario.yaml
                                       1,000 and 10,000 objects, 15 samples of each
        heavyweight bench Chain.scenario.yaml --objects 1e4,100k,1M --samples 3
        heavyweight bench Chain.scenario.yaml --backend memory,sqlite --html report
                                       on both backends, and as a page with plots
        heavyweight bench Benchmarks/Peers --save before.json
        heavyweight bench Benchmarks/Peers --baseline before.json --max-ratio 1.2
                                       fails when it certainly takes more than 1.2 times as long
        heavyweight bench Chain.scenario.yaml --baseline-tool ../before/heavyweight
                                       against another build, alternating sample by sample
        heavyweight bench Scenarios --against main
                                       the app's models and policies as they are now against those of a commit, \
      alternating
        heavyweight bench Scenarios --baseline-folder ../main
                                       the app's models and policies against those in ../main
        heavyweight bench Chain.scenario.yaml --max-exponent 1.1 --max-memory 150M
        heavyweight bench Chain.scenario.yaml --gate fetches-per-object=2
                                       fails when policies fetch more often, on any machine

      EXIT STATUS
        0  measured, and within the gates
        1  beyond a gate, certainly slower than the baseline, or with a higher counter
        2  a scenario, an argument or the baseline is wrong, or a migration fails
        3  no scenario was found
        5  nothing was measured that a gate or the baseline is about
        7  a report can't be written
        8  \(ExitStatus.notJudged.meaning)
      """))

  @OptionGroup var scenarios: ScenarioPaths

  @Option(help: .taking("sizes", "Sizes: 1000, 1e5, 10k, 1M; several separated by commas."))
  var objects = "1k,10k"

  @Option(
    help: .taking("backends", "Backends, separated by commas: memory, sqlite."),
    completion: .backends)
  var backend = "sqlite"

  @Option(
    help: """
      Samples of each size. With 11 or more, comparisons by turns take up to eight times as many, \
      for a minute at most, while they are inconclusive.
      """)
  var samples = 15

  @Option(help: "Runs before the first sample, not counted.")
  var warmup = 1

  @OptionGroup var reports: FindingOptions

  @Option(help: .taking("file", "Write tables in Markdown to this file, for a pull request."))
  var markdown: String?

  @Option(help: .taking("file", "Write a line for each size to this CSV file, for a spreadsheet."))
  var csv: String?

  @Option(help: .taking("file", "Save the measurements to this file, to compare with later."))
  var save: String?

  @Option(
    help: .taking(
      "file", "Compare with a file of --save: counters, and times if it was made on this machine."))
  var baseline: String?

  @Option(
    help: .taking("program", "Compare with another build of this tool, alternating between both."))
  var baselineTool: String?

  @Option(
    help: .taking(
      "folder", "Compare with the same scenarios in another checkout, alternating between both."))
  var baselineFolder: String?

  @Option(
    help: .taking(
      "commit",
      "Compare with the same scenarios and the app's files of this commit, alternating between both."
    ))
  var against: String?

  @Option(help: .taking("x", "Fail when time grows faster than objects^x."))
  var maxExponent: Double?

  @Option(
    help: .taking(
      "size", "Fail when a sample takes more memory: 150M, 2G, or a number of megabytes."))
  var maxMemory: MeasuredBytes?

  @Option(
    help: .taking(
      "size", "Fail when a sample's files take more space: 150M, 2G, or a number of megabytes."))
  var maxDisk: MeasuredBytes?

  @Option(
    help: .taking(
      "ratio", "Fail only when a size takes more than this many times as long as in the baseline."))
  var maxRatio: Double?

  @Option(
    help: .taking(
      "count=number",
      "Fail when policies' hooks do more than this for each source object of a step. Repeatable."))
  var gate: [HookGate] = []

  @Option(help: .taking("time", "Longest time for a migration: 30, 30s, 5m (default: 1h)."))
  var timeout: RunTime?

  @Option(help: .taking("size", "Most memory for a migration: 500M, 2G (default: no limit)."))
  var memory: RunMemory?

  @OptionGroup var confinement: SandboxOption

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if confinement.sandbox, baselineTool != nil {
      throw ValidationError("--sandbox confines this build only: leave out --baseline-tool.")
    }
    guard BenchOptions.sizes(objects) != nil else {
      throw ValidationError("--objects takes sizes from 1 to 100M separated by commas: 1k,1e5,1M.")
    }
    guard (1...1000).contains(samples), (0...1000).contains(warmup) else {
      throw ValidationError("--samples takes 1 to 1000, --warmup 0 to 1000.")
    }
    guard BenchOptions.backends(backend) != nil else {
      throw ValidationError("--backend takes sqlite, memory, or both with a comma between.")
    }
    if baseline != nil, takesTurns {
      throw ValidationError("Give either --baseline or --baseline-tool and --baseline-folder.")
    }
    if against != nil, baseline != nil || baselineFolder != nil {
      throw ValidationError(
        "--against takes turns with a commit: leave out --baseline and --baseline-folder.")
    }
    if maxRatio != nil, baseline == nil, !takesTurns {
      throw ValidationError(
        "--max-ratio needs a --baseline, --baseline-tool, --baseline-folder or --against to compare with."
      )
    }
    for (option, file) in [("--markdown", markdown), ("--csv", csv), ("--save", save)]
    where file == "-" {
      throw ValidationError("\(option) takes a file; only --json prints what it writes.")
    }
    if maxExponent != nil, BenchOptions.sizes(objects)?.count == 1 {
      throw ValidationError("--max-exponent needs two sizes or more.")
    }
  }

  private var takesTurns: Bool { baselineTool != nil || baselineFolder != nil || against != nil }

  func note(in files: inout CommandFiles) {
    scenarios.note(in: &files)
    files.report("--markdown", to: markdown, as: .markdown)
    files.report("--csv", to: csv, as: .csv)
    files.report("--save", to: save, as: .json)
    reports.note(in: &files)
  }

  // MARK: What was asked for

  /// Objects in the source store; each is rounded up to whole copies of the scenario's rows.
  var sizes: [Int] { BenchOptions.sizes(objects) ?? [] }
  var backends: [Backend] { BenchOptions.backends(backend) ?? [] }
  /// Seconds that one migration may take.
  var timeLimit: Double { timeout?.seconds ?? 3600 }
  var isConfined: Bool { confinement.sandbox }

  var gates: BenchGates {
    BenchGates(
      exponent: maxExponent, megabytes: maxMemory?.megabytes, ratio: maxRatio,
      diskMegabytes: maxDisk?.megabytes, hooks: gate)
  }
}
