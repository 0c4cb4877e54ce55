internal import Subprocess

/// A process of this tool that does what is measured.
struct MeasuredProcess {
  let executable: URL
  let arguments: [String]
  /// Where the process keeps its temporary files.
  let temporaryFolder: URL
  /// The files for its report, and for all else it says.
  let output: URL
  let errors: URL
  let secondsAllowed: Double

  /// Runs it to its end, or ends it when its time is over.
  /// - Returns: Whether it succeeded in time.
  /// - Throws: When it can't be started.
  func succeeds() async throws -> Bool {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask { try await run() }
      group.addTask {
        try await Task.sleep(for: .seconds(secondsAllowed))
        return false
      }
      // Whoever comes second is cancelled, and a cancelled process is killed.
      defer { group.cancelAll() }
      return try await group.next() ?? false
    }
  }

  private func run() async throws -> Bool {
    let descriptor = try Self.create(output)
    defer { close(descriptor) }
    let other = try Self.create(errors)
    defer { close(other) }
    let result = try await Subprocess.run(
      .path(.init(executable.path)), arguments: Arguments(arguments),
      environment: .inherit.updating(["TMPDIR": temporaryFolder.path]), input: .none,
      output: .fileDescriptor(.init(rawValue: descriptor), closeAfterSpawningProcess: false),
      error: .fileDescriptor(.init(rawValue: other), closeAfterSpawningProcess: false))
    // It may have been ended because this process is about to end.
    TemporaryFiles.waitIfOver()
    return result.terminationStatus.isSuccess
  }

  private static func create(_ file: URL) throws -> Int32 {
    let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
    }
    return descriptor
  }
}
