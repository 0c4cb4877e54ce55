import ArgumentParser

/// The options of commands that run policies once, in a process of their own.
struct PolicyLimits: ParsableArguments {
  @Option(help: .taking("time", "Longest time with policies: 30, 30s, 5m (default: 10m)."))
  var timeout: RunTime?

  @Option(
    help: .taking("size", "Most memory with policies: 500M, 2G (default: half of the machine's)."))
  var memory: RunMemory?

  func validate() throws {
    if let problem = memory?.problemAsLimit { throw ValidationError(problem) }
  }

  var limits: RunLimits {
    RunLimits(
      seconds: timeout?.seconds ?? RunLimits.defaultSeconds,
      bytes: memory?.bytes ?? RunLimits.defaultBytes)
  }
}
