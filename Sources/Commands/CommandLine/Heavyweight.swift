package import ArgumentParser

/// The command line. Which command was typed, what the project file adds, and how the process ends.
package struct Heavyweight: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    abstract: "Tests, times and debugs Core Data migration chains on Linux, without a Mac.",
    discussion: """
      Pages mentioned in help texts, such as docs/check.md, are installed in share/doc/heavyweight.
      """,
    version: ToolVersion.text,
    subcommands: [
      RunCommand.self, MigrateCommand.self, CheckCommand.self, LockCommand.self,
      InspectCommand.self, ModelCommand.self, DiffCommand.self, PredicateCommand.self,
      BenchCommand.self,
      ExplainCommand.self, CrashCommand.self, MutateCommand.self, InitCommand.self,
      SmokeCommand.self, CaptureCommand.self, ReduceCommand.self, CompareCommand.self,
      ExportCommand.self, AdoptCommand.self, ReportCommand.self, SchemaCommand.self,
    ])

  package init() {}

  /// The project file, for all commands that could take something of it. The processes that they start take
  /// the same one, and were given all else that they need.
  private static func findProject() throws -> ProjectFile? {
    switch CommandLine.arguments.dropFirst().first {
    case PlayCommand.name: return try? ProjectFile.find()
    case nil, "schema", "help", "--help", "-h", "--version", "---completion": return nil
    default:
      let project = try ProjectFile.find() ?? projectOfNamedFiles()
      setenv(ProjectFile.variable, project?.url.path ?? "", 1)
      return project
    }
  }

  /// The project file of the repository that the first file lies in that was named.
  private static func projectOfNamedFiles() throws -> ProjectFile? {
    if ProcessInfo.processInfo.environment[ProjectFile.variable] != nil { return nil }
    let named = CommandLine.arguments.dropFirst(2).lazy.filter { !$0.hasPrefix("-") }
      .map { URL(fileURLWithPath: $0) }.first { FileManager.default.fileExists(atPath: $0.path) }
    return try named.flatMap(ProjectFile.find(above:))
  }

  private static func runCommand(_ project: ProjectFile?) async throws {
    let typed = Array(CommandLine.arguments.dropFirst())
    if typed.first == PlayCommand.name {
      return try await PlayCommand.run(Array(typed.dropFirst()))
    }
    let given = FormerOption.renamed(typed)
    let names = configuration.subcommands.compactMap { $0.configuration.commandName }
    if let name = given.first, name != "help", !name.hasPrefix("-"), !names.contains(name) {
      let hint = Spelling.hint(for: name, among: names, called: "commands")
      throw ValidationError("There is no command '\(name)'\(hint)")
    }
    // As a path it would be the working folder, or the whole disk. Shells ask for values of an empty word.
    if given.contains(""), given.first?.hasPrefix("---") != true {
      throw ValidationError(
        "An argument is empty. Set the variable that it comes from, or leave it out.")
    }
    if let twice = try ProjectArguments.optionTypedTwice(in: given, help: { _dumpHelp() }) {
      throw ValidationError("'\(twice)' takes one value, and is there more than once.")
    }
    var command: any ParsableCommand
    var words = given
    if let project {
      let arguments = try ProjectArguments(project, help: _dumpHelp())
      let parsed = try arguments.parse(
        given, by: { try parseAsRoot(separated($0)) }, message: message)
      command = parsed.command
      words += parsed.added
      if !Set(given).isDisjoint(with: ["--verbose", "-v"]) {
        Console.complain(
          (["project file \(project.file.path)"] + parsed.added).joined(separator: ", "))
      }
    } else {
      command = try parseAsRoot(separated(given))
    }
    let files = (command as? any Command)?.files
    if let problem = files?.problem ?? (words.contains("--sandbox") ? files?.strayReport : nil) {
      throw Diagnostics(file: problem.path, problem.text)
    }
    let stubs = files?.stubFolder.map { URL(fileURLWithPath: $0) }
    try await PolicyCompiler.$stubFolder.withValue(stubs) {
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    }
  }

  /// `--json=FILE` as `--json FILE`, and likewise `--cloudkit=NAME`: the parser takes the value behind `=` of an option
  /// that may be without one only where nothing follows it.
  private static func separated(_ arguments: [String]) -> [String] {
    let options = ["--json=", "--cloudkit="]
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments[..<end].flatMap { word in
      options.first { word.hasPrefix($0) && word != $0 }
        .map { [String($0.dropLast()), String(word.dropFirst($0.count))] } ?? [word]
    } + arguments[end...]
  }

  /// Usage errors end with 2, as do mistakes in scenario files.
  ///
  /// On the main actor, since no other thread may be had to go on in.
  @MainActor package static func main() async {
    Interruption.endsWithParent()
    guard Threads.canBeHad else {
      Console.complain(
        "no thread can be started: the limit on processes of this user or container is reached; raise it "
          + "(`ulimit -u`, `pids.max`), or end other processes")
      Foundation.exit(ExitStatus.badInput.rawValue)
    }
    if let script = CompletionScript.requested(by: Array(CommandLine.arguments.dropFirst())) {
      return print(script)
    }
    let faults = MachineFaultWatch()
    faults.watchProcess()
    do {
      let project = try findProject()
      try await ProjectFile.$current.withValue(project) { try await runCommand(project) }
    } catch let problems as Diagnostics {
      Console.complain("\(problems)")
      Foundation.exit(ExitStatus.badInput.despiteFaults.rawValue)
    } catch {
      let isUsageError = exitCode(for: error) == .validationFailure
      guard isUsageError else { exit(withError: error) }
      Console.complain(fullMessage(for: error))
      Foundation.exit(ExitStatus.badInput.rawValue)
    }
  }
}
