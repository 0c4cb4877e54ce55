import ArgumentParser

struct SchemaCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the JSON schema of a report or of scenario files.",
    discussion: HelpText.laidOut(
      """
      EXAMPLES
        heavyweight schema                              which there are
        heavyweight schema check                        that of check --json
        heavyweight schema scenario > scenario.schema.json
                                                        for an editor: scenarios refer to it in their first line

      EXIT STATUS
        0  printed
        2  there is no such schema; the nearest is named
        7  done and fine, but the report couldn't be printed
      """))

  @Argument(
    help: .taking("name", "The schema (default: a list of all)."),
    completion: .list(JSONSchema.all.map(\.name)))
  var name: String?

  @OptionGroup var terminal: TerminalOptions

  func perform() -> ExitStatus {
    guard let name else { return Console.publish(Self.list, .passed) }
    if let schema = JSONSchema.named(name) { return Console.publish(schema.data, .passed) }
    let known = JSONSchema.all.map(\.name)
    let hint = Spelling.hint(for: name, among: known, called: "schemas")
    Console.complain("there is no schema '\(name)'\(hint)")
    return .badInput
  }

  private static var list: String {
    let width = JSONSchema.all.map(\.name.count).max() ?? 0
    return JSONSchema.all.map { "\($0.name.padded(to: width))  \($0.summary)\n" }.joined()
  }
}
