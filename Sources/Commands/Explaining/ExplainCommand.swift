import ArgumentParser

struct ExplainCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explains an error code or a finding: what it means, what causes it, and what to do.",
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
        heavyweight explain --list                      all that can be explained

      EXIT STATUS
        0  everything asked for was explained
        2  something isn't known; the nearest is named
        7  done and fine, but the report couldn't be printed
      """))

  @Argument(
    help: ArgumentHelp("Error codes or names, or identifiers of findings.", valueName: "what"))
  var words: [String] = []

  @Flag(help: "List everything that can be explained.")
  var list = false

  @OptionGroup var reports: JSONOption

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if list, !words.isEmpty {
      throw ValidationError("Give --list or something to explain, not both.")
    }
    if !list, words.isEmpty {
      throw ValidationError("Name what to explain, as in 'explain 1570', or use --list.")
    }
  }

  func note(in files: inout CommandFiles) {
    reports.note(in: &files)
  }

  func perform() throws -> ExitStatus {
    let found = words.map { (word: $0, topics: ExplanationIndex.find($0)) }
    for (word, topics) in found where topics.isEmpty {
      let hint = ExplanationIndex.hint(for: word)
      Console.complain("nothing is known about '\(word)'\(hint)")
    }
    let topics = words.isEmpty ? ExplanationIndex.groups.flatMap(\.topics) : found.flatMap(\.topics)
    let status = found.allSatisfy { !$0.topics.isEmpty } ? ExitStatus.passed : .badInput
    return try reports.outputs.publish(
      text: { Data(text(topics).utf8) }, json: ExplanationText.json(topics).machineReport, status)
  }

  private func text(_ topics: [Explanation]) -> String {
    let style = TextStyle(for: STDOUT_FILENO)
    if words.isEmpty { return ExplanationText.list(ExplanationIndex.groups, style) }
    return topics.map { ExplanationText.page($0, style) }.joined(separator: "\n")
  }
}
