import ArgumentParser
import Benching

/// The option of commands that play scenarios and policies.
struct SandboxOption: ParsableArguments {
  @Flag(
    help:
      "Run in processes that can reach only their own folders and the files named here: see docs/sandbox.md."
  )
  var sandbox = false

  /// - Throws: The exit status, after the reason was told, where there can be no sandbox.
  static func check() throws {
    if let problem = PlaySession.sandboxProblem() {
      Console.complain(problem)
      throw ExitCode(ExitStatus.badInput.rawValue)
    }
  }
}
