import ArgumentParser

struct ExplainCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract:
      "Explains an error code, a finding or a log: what it means, what causes it, and what to do.",
    usage: "heavyweight explain [<what> ...] [<options>]",
    discussion: HelpText.laidOut(
      """
      EXAMPLES
        heavyweight explain 1570                        a Core Data error code
        heavyweight explain NSMigrationMissingMappingModelError
                                                        or its name
        heavyweight explain mapping-outdated stale-maximum
                                                        findings of check and inspect
        heavyweight explain missing-module              a common mistake that reports mention
        heavyweight explain createRelationships exit-3  hooks and exit statuses
        heavyweight explain console.txt --models App.xcdatamodeld
                                                        all messages of Core Data, SwiftData and SQLite in \
      a log; which versions its hashes are of, and the way from there
        pbpaste | heavyweight explain -                 what was copied
        heavyweight explain --list                      all that can be explained

      EXIT STATUS
        0  everything asked for was explained, or something in each log
        2  something isn't known; the nearest is named; a log is empty, no text, or has nothing that is known
        7  done and fine, but the report couldn't be printed
      """))

  @Argument(
    help: ArgumentHelp(
      "Error codes or names, identifiers of findings, messages or errors as a console prints them, files with such; - "
        + "for standard input.", valueName: "what"), completion: .explained)
  var words: [String] = []

  @Option(
    help: .taking(
      "path",
      "The app's model, to which version hashes and names in a log are held (default: the project's)."
    ))
  var models: String?

  @OptionGroup var mapping: MappingOptions

  @Flag(help: "List everything that can be explained.")
  var list = false

  @OptionGroup var reports: JSONOption

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if list, !words.isEmpty {
      throw ValidationError("Give --list or something to explain, not both.")
    }
    if !list, words.isEmpty {
      throw ValidationError(
        "Name what to explain, as in 'explain 1570' or 'explain console.txt', or use --list.")
    }
  }

  func note(in files: inout CommandFiles) {
    files.use("the model", models)
    files.use("a mapping model", mapping.mappings)
    reports.note(in: &files)
  }

  func perform() throws -> ExitStatus {
    if list {
      let topics = ExplanationIndex.groups.flatMap(\.topics).map { Explained($0) }
      return try publish(topics, .passed)
    }
    let found = try words.map { (word: $0, topics: try explained($0)) }
    for (word, topics) in found where topics.isEmpty {
      let file = Self.file(word)
      Console.complain(
        word == "-" || word.contains("\n") || file != nil
          ? "\(file == nil ? "the text" : word): nothing of Core Data, SwiftData or SQLite that is known is in it"
          : "nothing is known about '\(word)'\(ExplanationIndex.hint(for: word))")
    }
    return try publish(
      found.flatMap(\.topics), found.allSatisfy { !$0.topics.isEmpty } ? .passed : .badInput)
  }

  /// A word that is known, a file, or a text.
  private func explained(_ word: String) throws -> [Explained] {
    let known = ExplanationIndex.named(word)
    if !known.isEmpty { return known.map { Explained($0) } }
    if word == "-" {
      return try Explained.all(
        in: ConsoleLog(reading: .standardInput, shownAs: word), from: "", reports: checks)
    }
    if let file = Self.file(word) {
      return try Explained.all(
        in: ConsoleLog(contentsOf: file, shownAs: word), from: word, reports: checks)
    }
    let found = try Explained.all(in: ConsoleLog(word), from: nil, reports: checks)
    return found.isEmpty ? ExplanationIndex.coded(word).map { Explained($0) } : found
  }

  private static func file(_ word: String) -> URL? {
    let url = URL(fileURLWithPath: word)
    if case .file = FileKind(of: url) { return url }
    return nil
  }

  /// What `check` finds in the model that was typed, else in each of the project's.
  private func checks() throws -> [ModelCheckReport] {
    try (models.map { [$0] } ?? ProjectModel.all()).map {
      let input = try ModelInput(models: [$0], mapping, order: nil)
      return try ModelCheck(input.model, mappings: input.mappings).run()
    }
  }

  private func publish(_ topics: [Explained], _ status: ExitStatus) throws -> ExitStatus {
    try reports.outputs.publish(
      text: {
        let style = TextStyle(for: STDOUT_FILENO)
        let pages = topics.map { ExplanationText.page($0, style) }.joined(separator: "\n")
        return Data((list ? ExplanationText.list(ExplanationIndex.groups, style) : pages).utf8)
      }, json: topics.map(\.json).machineReport, status)
  }
}
