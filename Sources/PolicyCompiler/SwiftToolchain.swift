import Subprocess
import SystemPackage

/// The Swift compiler on this machine.
struct SwiftToolchain: Sendable {
  /// The compiler's name, looked up in `PATH`, or its path.
  let compiler: String

  /// - Parameter compiler: Name or path; from the environment variable `HEAVYWEIGHT_SWIFTC`
  ///   when nil, else `swiftc`.
  init(compiler: String? = nil) {
    let variable = ProcessInfo.processInfo.environment["HEAVYWEIGHT_SWIFTC"]
    self.compiler = compiler ?? variable ?? "swiftc"
  }

  /// What the compiler's driver tells its frontend about macros, for calls that go to the frontend.
  var pluginOptions: [String] {
    let folders =
      compiler.contains("/")
      ? [(compiler as NSString).deletingLastPathComponent]
      : (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let executable = folders.lazy
      .map {
        URL(fileURLWithPath: $0).appendingPathComponent((compiler as NSString).lastPathComponent)
      }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    guard let executable else { return [] }
    let plugins = executable.resolvingSymlinksInPath().deletingLastPathComponent()
      .appendingPathComponent("../lib/swift/host/plugins").standardizedFileURL
    return FileManager.default.fileExists(atPath: plugins.path)
      ? ["-plugin-path", plugins.path] : []
  }

  /// Runs the compiler.
  /// - Parameter mostSeconds: Of the processor, after which it is ended: a source can keep it busy for ever.
  /// - Returns: Whether it succeeded, and what it said on both outputs.
  /// - Throws: ``PolicyCompilationError`` when there is no compiler, or it doesn't come to an end.
  func run(
    _ arguments: [String], mostSeconds: UInt = 600
  ) async throws -> (succeeded: Bool, output: String) {
    // A compiler that is ended leaves files in its place for such, which goes when this process does.
    let folder = try TemporaryFiles.makeFolder()
    defer { TemporaryFiles.removeFolder(folder) }
    do {
      let result = try await Subprocess.run(
        compiler.contains("/") ? .path(.init(compiler)) : .name(compiler),
        arguments: Arguments(arguments), environment: .inherit.updating(["TMPDIR": folder.path]),
        input: .none, output: .discarded, error: .string(limit: 4 << 20)
      ) { limit($0.processIdentifier.value, to: mostSeconds) }
      if wasEnded(result.terminationStatus, result.standardError) {
        throw PolicyCompilationError(
          "the Swift compiler needs more than \(mostSeconds) s for these sources, and was ended")
      }
      return (result.terminationStatus.isSuccess, result.standardError)
    } catch let error as SubprocessError {
      throw unavailable(error)
    }
  }

  /// Limits a process, and what it starts from now on.
  private func limit(_ process: pid_t, to seconds: UInt) {
    typealias Function =
      @convention(c) (pid_t, UInt32, UnsafePointer<rlimit>, UnsafeMutablePointer<rlimit>?) -> Int32
    guard let symbol = dlsym(nil, "prlimit") else { return }
    var limit = rlimit(rlim_cur: seconds, rlim_max: seconds + 1)
    _ = unsafeBitCast(symbol, to: Function.self)(process, RLIMIT_CPU.rawValue, &limit, nil)
  }

  /// Whether the limit ended it, or what it had started.
  private func wasEnded(_ status: TerminationStatus, _ output: String) -> Bool {
    status == .signaled(SIGXCPU) || output.contains("due to signal \(SIGXCPU)")
  }

  private func unavailable(_ error: SubprocessError) -> PolicyCompilationError {
    PolicyCompilationError(
      "can't run the Swift compiler '\(compiler)': \(error)",
      advice:
        "Migration policies are Swift code and are compiled when a scenario runs. Install the "
        + "Swift toolchain, or set HEAVYWEIGHT_SWIFTC to the path of swiftc. Scenarios without "
        + "policies need no compiler.")
  }
}
