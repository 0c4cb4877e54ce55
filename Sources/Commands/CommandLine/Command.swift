import ArgumentParser

/// One of the tool's commands: its options, parsed once, and what it does with them.
protocol Command: AsyncParsableCommand {
  /// Notes what it reads and writes. Before it runs it is made sure that no report takes the place of another file.
  func note(in files: inout CommandFiles)

  /// Does everything and prints it: the report on standard output, all else on standard error.
  /// - Throws: What is wrong with what it was given.
  func perform() async throws -> ExitStatus
}

extension Command {
  func note(in files: inout CommandFiles) {}

  var files: CommandFiles {
    var files = CommandFiles()
    note(in: &files)
    return files
  }

  func run() async throws {
    var status: ExitStatus
    do { status = try await perform() } catch let error as ValidationError { throw error } catch {
      Interruption.sayAtTheEnd(nil)
      status = ExitStatus(telling: error)
    }
    Interruption.standStill()
    PassedOverStores.tell()
    status = PassedOverStores.settled(status).despiteFaults
    if status != .passed { throw ExitCode(status.rawValue) }
  }
}

/// Why a command ends without having done what was asked, in words for people.
struct CommandProblem: Error, CustomStringConvertible {
  let description: String
}
