import ArgumentParser

struct PredicateCommand: Command {
  static let configuration = CommandConfiguration(
    commandName: "predicate",
    abstract: "Shows how a predicate is parsed, its result for an object, and its SQL.",
    usage: "heavyweight predicate [<format>] [<options>]",
    discussion: HelpText.laidOut(
      """
      Values are JSON, with text in quotes; {"$date": seconds} is a date, counted from 2001-01-01 UTC.

      EXAMPLES
        heavyweight predicate 'age > 20 AND name BEGINSWITH[c] "a"'
                                                        the tree and the canonical form
        heavyweight predicate 'age > %@' --argument 20 --object '{"age": 30}'
                                                        and the answer
        heavyweight predicate 'ANY pets.age > $n' --variable n=3 \\
          --object '{"pets": []}' --sql
                                                        and the SQL for objects of that shape
        heavyweight predicate 'pages > 9' --sql --models App.xcdatamodeld \\
          --entity Book
                                                        the SQL for an app's own model
        heavyweight predicate 'age > 20' --object '{"age": 30}' --json
                                                        the same for machines
        heavyweight predicate --object '{}' -- '-5 < 0'
                                                        a format that begins with a dash
        heavyweight predicate --cases cases.jsonl       a JSON line for each case in a file
        heavyweight predicate --cases cases.jsonl --sql
                                                        and what a fetch from an SQLite store gives

      A case is {"predicate": …, "arguments": […], "variables": {…}, "object": …, "expected": …}, \
      where "expected" is true, false or "error" and only "predicate" must be there. A file has one \
      case in each line, or is a JSON array of them. What is printed for each has "result": true, \
      false or "error"; with --sql also "sql": true, false, "error", or "refused" where the SQLite \
      store of a device raises an exception. A case with "sql", a text, may differ in the store.

      EXIT STATUS
        0  the predicate was evaluated, or every case has the result it expects
        1  it can't be evaluated, a device refuses the fetch, or a case differs
        2  the format can't be parsed, or an argument is wrong
        7  done and fine, but the report couldn't be printed
      """))

  @OptionGroup var request: PredicateRequest

  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    do {
      try request.check()
    } catch {
      throw ValidationError("\(error)")
    }
  }

  func note(in files: inout CommandFiles) {
    files.use("the model", request.models)
    files.use("--cases", request.cases)
    request.machine.note(in: &files)
  }

  func perform() -> ExitStatus { PredicateSession(request).run() }
}
