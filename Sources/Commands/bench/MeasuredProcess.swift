import Subprocess
import SystemPackage

/// A process of this tool that does what is measured.
struct MeasuredProcess {
  let executable: URL
  let arguments: [String]
  /// Where the process looks for files; nil for where this one does.
  let workingFolder: String?
  /// Where the process keeps its temporary files.
  let temporaryFolder: URL
  /// The files for its report, and for all else it says.
  let output: URL
  let errors: URL
  let secondsAllowed: Double
  /// Resident bytes; nil for as many as there are.
  let bytesAllowed: Int?

  enum Ending { case succeeded, failed, notJudged, tookTooLong, tookTooMuchMemory }

  /// Runs it to its end, or ends it when it takes more than it may.
  /// - Throws: When it can't be started.
  func run() async throws -> Ending {
    try await withThrowingTaskGroup(of: Ending.self) { group in
      group.addTask { try await runToItsEnd() }
      group.addTask {
        try await Task.sleep(for: .seconds(secondsAllowed))
        return .tookTooLong
      }
      // Whoever comes second is cancelled, and a cancelled process is killed.
      defer { group.cancelAll() }
      return try await group.next() ?? .failed
    }
  }

  private func runToItsEnd() async throws -> Ending {
    let descriptor = try Self.create(output)
    defer { close(descriptor) }
    let other = try Self.create(errors)
    defer { close(other) }
    let places = try PrivatePlaces(
      home: temporaryFolder.appending(path: "home"), temporary: temporaryFolder)
    var variables = places.environment(of: ProcessInfo.processInfo.environment)
    variables[Interruption.parentVariable] = "\(getpid())"
    let result = try await Subprocess.run(
      .path(.init(executable.path)), arguments: Arguments(arguments),
      environment: .custom(
        Dictionary(uniqueKeysWithValues: variables.map { (.init(stringLiteral: $0), $1) })),
      workingDirectory: workingFolder.map { .init($0) }, input: .none,
      output: .fileDescriptor(.init(rawValue: descriptor), closeAfterSpawningProcess: false),
      error: .fileDescriptor(.init(rawValue: other), closeAfterSpawningProcess: false)
    ) { execution in
      try await takesTooMuchMemory(execution.processIdentifier.value)
    }
    // It may have been ended because this process is about to end.
    TemporaryFiles.waitIfOver()
    if result.closureResult { return .tookTooMuchMemory }
    switch result.terminationStatus {
    case .exited(ExitStatus.notJudged.rawValue): return .notJudged
    case let status: return status.isSuccess ? .succeeded : .failed
    }
  }

  /// Looks on until the process is gone, and ends it where it takes too much.
  private func takesTooMuchMemory(_ process: pid_t) async throws -> Bool {
    guard let bytesAllowed else { return false }
    while true {
      let bytes = WorkerWatch.residentBytes(of: process)
      if bytes == 0 { return false }
      if bytes > bytesAllowed {
        kill(process, SIGKILL)
        return true
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  private static func create(_ file: URL) throws -> Int32 {
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
    }
    return descriptor
  }
}
