import ArgumentParser
import Benching

@main
struct Heavyweight: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tests, times and debugs Core Data migration chains on Linux, without a Mac.",
    version: ToolVersion.text,
    subcommands: [
      PlayCommand.self, RunCommand.self, MigrateCommand.self, CheckCommand.self, LockCommand.self,
      InspectCommand.self, DiffCommand.self, PredicateCommand.self, BenchCommand.self,
      ExplainCommand.self, CrashCommand.self,
      InitCommand.self, SoakCommand.self,
    ])

  /// Usage errors end with 2, as do mistakes in scenario files.
  static func main() async {
    guard Threads.canBeHad else {
      Console.complain(
        "no threads can be had: a limit on the processes of this user or container is reached; raise it "
          + "(`ulimit -u`, `pids.max`), or end other processes")
      Foundation.exit(ExitStatus.badInput.rawValue)
    }
    if let script = CompletionScript.requested(by: Array(CommandLine.arguments.dropFirst())) {
      return print(script)
    }
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      let isUsageError = exitCode(for: error) == .validationFailure
      guard isUsageError else { exit(withError: error) }
      Console.complain(fullMessage(for: error))
      Foundation.exit(ExitStatus.badInput.rawValue)
    }
  }
}
