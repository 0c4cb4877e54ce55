import ArgumentParser

/// The option of commands that play scenarios and policies.
struct SandboxOption: ParsableArguments {
  @Flag(
    help:
      "Run in processes that can reach only their own folders and the files named here: see docs/sandbox.md."
  )
  var sandbox = false

  @Option(
    name: .customLong("allow"),
    help: ArgumentHelp(
      "With --sandbox, let processes read this, too: a file or folder outside of the project that links or paths in it "
        + "lead to. Repeatable.", valueName: "place"))
  var allowed: [String] = []

  func validate() throws {
    if !sandbox, !allowed.isEmpty {
      throw ValidationError("--allow says what a sandbox may read: add --sandbox.")
    }
    Sandbox.allowed = try Set(
      allowed.map { place in
        guard let path = URL(fileURLWithPath: place).realPath else {
          throw ValidationError("--allow: there is no '\(place)'.")
        }
        return path
      })
  }
}
