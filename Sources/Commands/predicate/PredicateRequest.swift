import ArgumentParser

/// What a person asked `heavyweight predicate`, as the command line has it.
struct PredicateRequest: ParsableArguments {
  @Argument(help: .taking("format", "The predicate's format string."))
  var format: String?

  @Option(parsing: .unconditional, help: .taking("json", "The object to evaluate, as JSON."))
  var object: String?

  @Option(
    name: .customLong("argument"), parsing: .unconditionalSingleValue,
    help: .taking("json", "The value of the next %@, %K or %d; repeat for several."))
  var arguments: [String] = []

  @Option(
    name: .customLong("variable"), parsing: .unconditionalSingleValue,
    help: .taking("name=json", "The value of $name; repeat for several."))
  var variables: [String] = []

  /// With cases, each case's object is fetched from a store, too.
  @Flag(name: .customLong("sql"), help: "Show the SQL of a fetch, or why there is none.")
  var wantsSQL = false

  @Option(help: .taking("path", "The model for the SQL, .xcdatamodeld or .xcdatamodel."))
  var models: String?

  @Option(help: .taking("name", "The entity in that model."))
  var entity: String?

  @Option(
    name: .customLong("version"),
    help: .taking("name", "The model's version (default: the current one)."),
    completion: .versions)
  var version: String?

  @Option(help: .taking("file", "Evaluate the cases of a file; - for stdin."))
  var cases: String?

  @OptionGroup var machine: JSONOption

  /// Where the answer goes as JSON.
  var json: JSONPlace { machine.place }

  /// The model that was named, else the project's only one where an entity was.
  var model: String? {
    let known = ProjectModel.all()
    return models ?? (entity != nil && known.count == 1 ? known[0] : nil)
  }

  /// A request that makes no sense.
  struct Problem: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  /// - Throws: ``Problem`` for options that don't go together.
  func check() throws {
    if cases != nil {
      let others = [format, object, model, entity, version].contains { $0 != nil }
      guard !others, arguments.isEmpty, variables.isEmpty else {
        throw Problem("--cases can be combined with --sql only: the cases hold everything else.")
      }
      if json != .none {
        throw Problem("--cases prints a line of JSON for each case: leave out --json.")
      }
      return
    }
    guard format != nil else { throw Problem("Give a format, or --cases with a file.") }
    guard (model == nil) == (entity == nil) else {
      throw Problem("Give --models and --entity together.")
    }
    if version != nil, model == nil { throw Problem("--version needs --models.") }
    if model != nil, !wantsSQL { throw Problem("--models is for --sql.") }
    if wantsSQL, model == nil, object == nil {
      throw Problem("--sql needs an --object, or --models and --entity.")
    }
  }

  // MARK: Values

  /// - Throws: ``Problem`` for a value that isn't JSON.
  func predicateCase() throws -> PredicateCase {
    var entry = PredicateCase(format: format ?? "")
    entry.arguments = try arguments.map { try value($0, "--argument") }
    entry.object = try object.map { try value($0, "--object") } ?? .null
    for variable in variables {
      let (name, value) = try self.variable(variable)
      entry.variables[name] = value
    }
    return entry
  }

  /// - Throws: ``Problem`` for arguments and variables that the predicate has no place for.
  func checkUse(by predicate: Predicate, _ entry: PredicateCase) throws {
    let count = entry.arguments.count
    let needed = (0..<count).first { count in
      (try? Predicate.parse(
        entry.format, arguments: entry.arguments.prefix(count).map { $0 as Any? })) != nil
    }
    if let needed {
      throw Problem(
        needed == 0
          ? "--argument: the format has no %@, %K or %d that it could stand for; leave it out."
          : "--argument is given \(count) times, and the format has \(needed.counted("specifier")): leave out the rest."
      )
    }
    for name in entry.variables.keys.sorted() {
      let filled = predicate.substituting([name: .string("\u{0}")])
      guard filled.predicateFormat == predicate.predicateFormat else { continue }
      throw Problem("--variable \(name): the format has no $\(name); leave it out.")
    }
  }

  private func variable(_ text: String) throws -> (String, Value) {
    let name = text.prefix { $0 != "=" }
    guard name.count < text.count, !name.drop(while: { $0 == "$" }).isEmpty else {
      throw Problem("--variable \(text) isn't of the form name=JSON.")
    }
    let value = try value(String(text.dropFirst(name.count + 1)), "--variable \(name)")
    return (name.hasPrefix("$") ? String(name.dropFirst()) : String(name), value)
  }

  private func value(_ text: String, _ option: String) throws -> Value {
    if let value = JSONText.value(text) { return value }
    let hint =
      text.contains { "{[\"".contains($0) }
      ? "" : #"; a text is written "\#(text)", in a shell '"\#(text)"'"#
    throw Problem("\(option): '\(text)' isn't JSON\(hint).")
  }
}
