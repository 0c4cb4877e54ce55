import ArgumentParser
import Foundation
import TestSupport

@main
struct Fuzz: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Gives what the product reads wrong, damaged and malicious input.",
    discussion: """
      Inputs come from seeds that are changed, and from grammars. The same seed number gives the same inputs. A process that crashes, stops \
      answering or takes too much memory is a finding, and so is what a target's own checks find; the input is kept.
      """,
    subcommands: [Run.self, Play.self, Child.self])
}

extension Fuzz {
  /// Fuzzes for a while; ends with 1 when anything was found.
  struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Fuzz for some minutes.")
    @Argument(help: "What to fuzz; everything by default.") var targets: [String] = []
    @Option(help: "Minutes for each target.") var minutes = 1.0
    @Option(help: "Number of the first input.") var seed: UInt64 = 0
    @Option(help: "How many targets at once.") var jobs = 2
    @Option(help: "Where to keep the inputs that were found.") var found = ".build/fuzz"

    func validate() throws {
      for target in targets where FuzzTargets.named(target) == nil {
        throw ValidationError(
          "there is no target '\(target)'; there are: \(FuzzTargets.all.map { $0.name }.joined(separator: ", "))"
        )
      }
      if minutes <= 0 || jobs < 1 { throw ValidationError("minutes and jobs must be more than 0") }
    }

    func run() throws {
      let names = targets.isEmpty ? FuzzTargets.all.map { $0.name } : targets
      let place = URL(fileURLWithPath: found)
      let outcomes = Outcomes()
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = jobs
      for name in names {
        queue.addOperation {
          outcomes.add(Campaign(target: name, seed: seed, minutes: minutes, found: place).run())
        }
      }
      queue.waitUntilAllOperationsAreFinished()
      for outcome in outcomes.all.sorted(by: { $0.target < $1.target }) { print(outcome) }
      if outcomes.all.contains(where: { !$0.findings.isEmpty }) { throw ExitCode(1) }
    }
  }

  /// Plays kept inputs, each in a process of its own.
  struct Play: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Play kept inputs again.")
    @Argument(help: "What reads them.") var target: String
    @Argument(help: "Their files.") var files: [String]

    func run() throws {
      var bad = 0
      for file in files {
        guard let finding = Campaign.play(target, file: URL(fileURLWithPath: file)) else {
          continue
        }
        print("\(file): \(finding)")
        bad += 1
      }
      if bad > 0 { throw ExitCode(1) }
    }
  }

  /// Plays inputs one after the other in this process, and leaves each where the parent finds it.
  struct Child: ParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)
    @Argument var target: String
    @Option var seed: UInt64 = 0
    @Option var seconds = 1.0
    @Option var folder: String
    @Option var file: String?

    func run() throws {
      ResourceLimits.set()
      let place = URL(fileURLWithPath: folder)
      guard let type = FuzzTargets.named(target) else { throw ExitCode(2) }
      let fuzzed = try type.init(folder: place)
      if let file {
        try play(Data(contentsOf: URL(fileURLWithPath: file)), fuzzed)
        return
      }
      let mutation = Mutation(words: fuzzed.words, others: fuzzed.seeds)
      let end = Date().addingTimeInterval(seconds)
      var number = seed
      while Date() < end {
        var random = RandomSource(seed: number)
        let input =
          fuzzed.input(&random)
          ?? mutation.changed(fuzzed.seeds.randomElement(using: &random) ?? Data(), &random)
        try input.write(to: place.appending(path: ChildFiles.input))
        try Data("\(number)".utf8).write(to: place.appending(path: ChildFiles.number))
        try play(input, fuzzed)
        number += 1
      }
    }

    private func play(_ input: Data, _ target: any FuzzTarget) throws {
      let began = clock()
      do { try target.play(input) } catch {
        FileHandle.standardError.write(Data("finding: \(error)\n".utf8))
        throw ExitCode(3)
      }
      let seconds = Double(clock() - began) / Double(CLOCKS_PER_SEC)
      if seconds > ResourceLimits.secondsOfOneInput {
        FileHandle.standardError.write(
          Data("finding: \(input.count) bytes took \(seconds) s of CPU\n".utf8))
        throw ExitCode(3)
      }
    }
  }
}

/// The files by which a child tells what it is at.
enum ChildFiles {
  static let input = "input"
  static let number = "number"
}

enum ResourceLimits {
  /// Inputs are 64 KB at most, and a debug build on a busy machine is slow: what takes longer isn't linear.
  static let secondsOfOneInput = 5.0
  /// After so many seconds without a new input, a child hangs.
  static let patience = 60.0

  static func set() {
    var memory = rlimit(rlim_cur: 3 << 30, rlim_max: 3 << 30)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory)
    var core = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &core)
  }
}
