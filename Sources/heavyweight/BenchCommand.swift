import ArgumentParser
import Harness

struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures how long migrations take, and how that grows with the store.",
    discussion: """
      The rows of a scenario, or its store, are repeated until there are as many objects as asked \
      for; that store is migrated again and again, each time in a process of its own.

      EXAMPLES
        heavyweight bench Scenarios/Tags/Tags.scenario.yaml
                                       1,000 and 10,000 objects, 15 samples of each
        heavyweight bench Chain.scenario.yaml --objects 10k,100k,1M --samples 3
        heavyweight bench Benchmarks/Peers --save before.json
        heavyweight bench Benchmarks/Peers --baseline before.json --max-ratio 1.2
                                       fails when it takes 1.2 times as long, for sure
        heavyweight bench Chain.scenario.yaml --max-exponent 1.1 --max-memory 150

      EXIT STATUS
        0  measured, and within the gates
        1  beyond a gate, or surely slower than the baseline
        2  a scenario, an argument or the baseline is wrong, or a migration fails
        3  no scenario was found
      """)

  @Argument(help: ArgumentHelp("Scenario files or folders of them.", valueName: "path"))
  var paths: [String]

  @Option(help: ArgumentHelp("Sizes: 1000, 1e5, 10k, 1M; several with commas.", valueName: "sizes"))
  var objects = "1k,10k"

  @Option(help: "Samples of each size; with nine or more a difference can be told for sure.")
  var samples = 15

  @Option(help: "Runs before the first sample, which aren't counted.")
  var warmup = 1

  @Option(help: ArgumentHelp("Write all measurements to a file.", valueName: "file"))
  var json: String?

  @Option(help: ArgumentHelp("Write them to a file to compare with later.", valueName: "file"))
  var save: String?

  @Option(
    help: ArgumentHelp("Compare with what --save wrote on this machine.", valueName: "file"))
  var baseline: String?

  @Option(help: ArgumentHelp("Fail when time grows faster than objects^x.", valueName: "x"))
  var maxExponent: Double?

  @Option(help: ArgumentHelp("Fail when a sample takes more memory.", valueName: "megabytes"))
  var maxMemory: Double?

  @Option(
    help: ArgumentHelp(
      "How many times the baseline's time is allowed where it is surely slower (default: none).",
      valueName: "ratio"))
  var maxRatio: Double?

  func validate() throws {
    guard BenchOptions.sizes(objects) != nil else {
      throw ValidationError("--objects takes sizes from 1 to 100M with commas between: 1k,1e5,1M.")
    }
    guard (1...1000).contains(samples), (0...1000).contains(warmup) else {
      throw ValidationError("--samples takes 1 to 1000, --warmup 0 to 1000.")
    }
    if maxRatio != nil, baseline == nil {
      throw ValidationError("--max-ratio needs a --baseline to compare with.")
    }
    if maxExponent != nil, BenchOptions.sizes(objects)?.count == 1 {
      throw ValidationError("--max-exponent needs two sizes or more.")
    }
  }

  func run() async throws {
    let options = BenchOptions(
      sizes: BenchOptions.sizes(objects) ?? [], samples: samples, warmups: warmup,
      gates: BenchGates(exponent: maxExponent, megabytes: maxMemory, ratio: maxRatio))
    let session = BenchSession(
      scenarios: paths, options: options,
      files: .init(json: json, save: save, baseline: baseline))
    let status = await session.run()
    if status != .passed { throw ExitCode(status.rawValue) }
  }
}
