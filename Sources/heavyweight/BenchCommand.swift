import ArgumentParser
import Benching

struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures how long migrations take, and how that grows with the store.",
    discussion: HelpText.laidOut(
      """
      A seed made by rule is scaled, other rows or a store are repeated, until there are as many \
      objects as asked for; that store is migrated again and again, each time in a process of its \
      own. Left out are scenarios that expect an error, for nothing is to come of their migration, \
      those that are skipped, and in folders those without rows or steps.

      EXAMPLES
        heavyweight bench Scenarios/Tags/Tags.scenario.yaml
                                       1,000 and 10,000 objects, 15 samples of each
        heavyweight bench Chain.scenario.yaml --objects 1e4,100k,1M --samples 3
        heavyweight bench Chain.scenario.yaml --backend memory,sqlite --html report
                                       on both, and as a page with plots
        heavyweight bench Benchmarks/Peers --save before.json
        heavyweight bench Benchmarks/Peers --baseline before.json --max-ratio 1.2
                                       fails when it takes 1.2 times as long, for sure
        heavyweight bench Chain.scenario.yaml --baseline-tool ../before/heavyweight
                                       against another build, sample by sample in turns
        heavyweight bench Chain.scenario.yaml --max-exponent 1.1 --max-memory 150

      EXIT STATUS
        0  measured, and within the gates
        1  beyond a gate, surely slower than the baseline, or more counted than in it
        2  a scenario, an argument or the baseline is wrong, or a migration fails
        3  no scenario was found
        7  a report can't be written
      """))

  @Argument(
    help: ArgumentHelp("Scenario files or folders of them (default: Scenarios).", valueName: "path")
  )
  var paths: [String] = []

  @Option(help: ArgumentHelp("Sizes: 1000, 1e5, 10k, 1M; several with commas.", valueName: "sizes"))
  var objects = "1k,10k"

  @Option(
    help: ArgumentHelp(
      "Where the stores are: sqlite, memory, or both with a comma.", valueName: "backends"))
  var backend = "sqlite"

  @Option(help: "Samples of each size; with eight or more a difference can be told for sure.")
  var samples = 15

  @Option(help: "Runs before the first sample, which aren't counted.")
  var warmup = 1

  @OptionGroup var machine: JSONOption

  @Option(
    help: ArgumentHelp("Write a page for a browser into this folder.", valueName: "folder"))
  var html: String?

  @Option(
    help: ArgumentHelp(
      "Write tables to a file of Markdown, for a pull request.", valueName: "file"))
  var markdown: String?

  @Option(
    help: ArgumentHelp(
      "Write a line for each size to a file, for a spreadsheet.", valueName: "file"))
  var csv: String?

  @Option(help: ArgumentHelp("Write them to a file to compare with later.", valueName: "file"))
  var save: String?

  @Option(
    help: ArgumentHelp(
      "Compare with what --save wrote: times if it was on this machine, counters always.",
      valueName: "file"))
  var baseline: String?

  @Option(
    help: ArgumentHelp(
      "Compare with another build of this tool, both measured by turns.", valueName: "program"))
  var baselineTool: String?

  @Option(help: ArgumentHelp("Fail when time grows faster than objects^x.", valueName: "x"))
  var maxExponent: Double?

  @Option(help: ArgumentHelp("Fail when a sample takes more memory.", valueName: "megabytes"))
  var maxMemory: Double?

  @Option(
    help: ArgumentHelp("Fail when a sample's files take more room.", valueName: "megabytes"))
  var maxDisk: Double?

  @Option(
    help: ArgumentHelp(
      "How many times the baseline's time is allowed where it is surely slower (default: none).",
      valueName: "ratio"))
  var maxRatio: Double?

  @Option(
    help: ArgumentHelp(
      "Longest time for a migration: 30, 30s, 5m (default: 1h).", valueName: "time"))
  var timeout: RunTime?

  @Option(
    help: ArgumentHelp(
      "Most memory for a migration: 500M, 2G (default: what there is).", valueName: "size"))
  var memory: RunMemory?

  @OptionGroup var confinement: SandboxOption

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if confinement.sandbox, baselineTool != nil {
      throw ValidationError("--sandbox confines this build only: leave out --baseline-tool.")
    }
    guard BenchOptions.sizes(objects) != nil else {
      throw ValidationError("--objects takes sizes from 1 to 100M with commas between: 1k,1e5,1M.")
    }
    guard (1...1000).contains(samples), (0...1000).contains(warmup) else {
      throw ValidationError("--samples takes 1 to 1000, --warmup 0 to 1000.")
    }
    guard BenchOptions.backends(backend) != nil else {
      throw ValidationError("--backend takes sqlite, memory, or both with a comma between.")
    }
    if baseline != nil, baselineTool != nil {
      throw ValidationError("Give either --baseline or --baseline-tool.")
    }
    if maxRatio != nil, baseline == nil, baselineTool == nil {
      throw ValidationError("--max-ratio needs a --baseline or --baseline-tool to compare with.")
    }
    if maxExponent != nil, BenchOptions.sizes(objects)?.count == 1 {
      throw ValidationError("--max-exponent needs two sizes or more.")
    }
  }

  func run() async throws {
    var options = BenchOptions(
      sizes: BenchOptions.sizes(objects) ?? [], samples: samples, warmups: warmup,
      gates: BenchGates(
        exponent: maxExponent, megabytes: maxMemory, ratio: maxRatio, diskMegabytes: maxDisk),
      backends: BenchOptions.backends(backend) ?? [])
    options.baselineTool = baselineTool
    options.isConfined = confinement.sandbox
    if let timeout { options.timeLimit = timeout.seconds }
    options.memoryLimit = memory?.bytes
    let session = BenchSession(
      scenarios: paths.isEmpty ? [ScenarioFinder.usualFolder] : paths, options: options,
      files: .init(
        json: machine.json, save: save, baseline: baseline, html: html, markdown: markdown, csv: csv
      ))
    let status = await session.run()
    if status != .passed { throw ExitCode(status.rawValue) }
  }
}
