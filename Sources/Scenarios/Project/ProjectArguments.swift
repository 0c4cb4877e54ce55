/// The options that a project file gives a command, beside those that somebody typed.
package struct ProjectArguments {
  /// An option of a command.
  struct Option: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }
    let kind: String
    let names: [Name]?
    let valueName: String?
    let isRepeating: Bool
    let shouldDisplay: Bool

    var longName: String? { names?.first { $0.kind == "long" }?.name }

    /// As it is typed.
    var words: [String] { (names ?? []).map { ($0.kind == "short" ? "-" : "--") + $0.name } }

    /// Whether somebody typed it.
    func isGiven(in arguments: [String]) -> Bool {
      words.contains { word in arguments.contains { $0 == word || $0.hasPrefix(word + "=") } }
    }

    /// Whether the value is a path, which is relative to the project file.
    var takesPath: Bool {
      ["file", "folder", "path", "program", "xcdatamodeld", "swift-file"].contains(valueName)
    }

    /// Whether a path may be in the value, behind a name and `=` maybe.
    var mayNamePath: Bool {
      takesPath || ["names|file", "module=swift-file", "commit", "rule"].contains(valueName)
    }
  }

  private struct Help: Decodable {
    struct Command: Decodable {
      let commandName: String
      let arguments: [Option]?
      let subcommands: [Command]?
      let shouldDisplay: Bool?
    }
    let command: Command
  }

  /// One default.
  package struct Default {
    package let arguments: [String]
    package let place: SourcePlace
    /// Whether a path may be in it.
    fileprivate let mayNamePath: Bool
  }

  /// What only a person says who is at the terminal.
  private static let typedOnly: Set = ["help", "version", "allow"]

  private let project: ProjectFile
  private let commands: [String: [Option]]
  /// What the file gives to commands, by today's names.
  private let defaults: [(command: Located<String>, options: [SourceNode.Entry])]

  /// An option that was typed more than once and takes one value, of which the parser takes the last in silence.
  /// - Parameter help: What the argument parser says of all commands, as JSON.
  package static func optionTypedTwice(in arguments: [String], help: () -> String) throws -> String?
  {
    let words = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") && $0 != "-" }
      .map { $0 == "-o" ? "--output" : String($0.prefix { $0 != "=" }) }
    // What all commands have takes time.
    if words.count == Set(words).count { return nil }
    let command = try commands(in: help()).first { $0.commandName == arguments.first }
    let single = (command?.arguments ?? []).filter { $0.kind == "option" && !$0.isRepeating }
    return single.first { option in words.count(where: option.words.contains) > 1 }?.words.last
  }

  private static func commands(in help: String) throws -> [Help.Command] {
    try JSONDecoder().decode(Help.self, from: Data(help.utf8)).command.subcommands ?? []
  }

  /// - Parameter help: What the argument parser says of all commands, as JSON.
  /// - Throws: ``Diagnostics`` for commands and options that there aren't, and values of the wrong form.
  package init(_ project: ProjectFile, help: String) throws {
    self.project = project
    let shown = try Self.commands(in: help).filter { $0.shouldDisplay ?? true }
    let pairs = shown.map { command in
      let options = (command.arguments ?? []).filter {
        $0.shouldDisplay && $0.kind != "positional" && !Self.typedOnly.contains($0.longName ?? "")
      }
      return (command.commandName, options)
    }
    commands = Dictionary(firstOf: pairs.filter { $0.0 != "help" })
    let collector = DiagnosticCollector()
    defaults = project.defaults.map { command, options in
      let renamed = options.map { entry in
        let name = FormerOption.current(
          entry.key.value, of: command.value, at: "\(entry.key.place): ")
        return SourceNode.Entry(key: Located(name, at: entry.key.place), value: entry.value)
      }
      return (command, renamed)
    }
    for (command, options) in defaults { check(command, options: options, collector: collector) }
    try collector.throwIfAny()
  }

  private func check(
    _ command: Located<String>, options: [SourceNode.Entry], collector: DiagnosticCollector
  ) {
    guard let known = commands[command.value] else {
      return collector.report(
        "there is no command", unknown: command, among: commands.keys, called: "commands")
    }
    let names = known.compactMap(\.longName)
    for entry in options {
      guard let option = known.first(where: { $0.longName == entry.key.value }) else {
        let hint = Spelling.hint(for: entry.key.value, among: names, called: "options")
        collector.report(
          "'\(command.value)' has no option '--\(entry.key.value)'\(hint)", at: entry.key.place)
        continue
      }
      if option.kind == "flag" {
        _ = collector.flag(entry.value, of: entry.key.value)
      } else if option.isRepeating {
        _ = collector.texts(entry.value, of: entry.key.value)
      } else {
        _ = collector.text(entry.value, of: entry.key.value)
      }
    }
  }

  /// What the project file adds to a command: nothing for options that were typed.
  package func defaults(for arguments: [String]) -> [Default] {
    guard let name = arguments.first, let known = commands[name],
      let entries = defaults.first(where: { $0.command.value == name })?.options
    else { return [] }
    let typed = Array(arguments.prefix { $0 != "--" })
    return entries.compactMap { entry in
      guard let option = known.first(where: { $0.longName == entry.key.value }),
        !option.isGiven(in: typed)
      else { return nil }
      let words = words(of: option, named: "--" + entry.key.value, from: entry.value)
      return words.isEmpty
        ? nil
        : Default(
          arguments: words, place: entry.value.place, mayNamePath: option.mayNamePath)
    }
  }

  /// Where the path in a word leads, if that is outside of the project.
  private func stray(_ word: String) -> String? {
    let path = URL(fileURLWithPath: String(word.split(separator: "=").last ?? "")).finalPath
    return ProjectPlace.isBelow(ProjectPlace.of(project.url), path) ? nil : path
  }

  private func words(of option: Option, named word: String, from node: SourceNode) -> [String] {
    if option.kind == "flag" { return node.text == "true" ? [word] : [] }
    return (node.list ?? [node]).compactMap(\.text).map { text in
      "\(word)=\(option.takesPath && text != "-" ? project.path(text) : text)"
    }
  }

  /// Whether a message of the parser's is about an option that was typed.
  private func mentionsTyped(_ text: String, _ arguments: [String]) -> Bool {
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init)
    return (arguments.first.flatMap { commands[$0] } ?? []).contains { option in
      guard let name = option.longName, option.isGiven(in: arguments) else { return false }
      return words.contains("--" + name)
    }
  }

  // MARK: Parsing

  /// Parses a command with what the project file adds to it.
  ///
  /// A default that contradicts what was typed is left out: what was typed counts.
  /// - Parameters:
  ///   - parse: Throws for what can't be parsed.
  ///   - message: What the parser says of its error.
  /// - Returns: What was parsed, and the defaults that were added.
  /// - Throws: What `parse` does; ``Diagnostics`` with the place of a default that it doesn't take, or that names what
  ///   others have in a sandbox's call.
  package func parse<Command>(
    _ arguments: [String], by parse: ([String]) throws -> Command,
    message: (any Error) -> String
  ) throws -> (command: Command, added: [String]) {
    var added: [String] = []
    let split = arguments.firstIndex(of: "--") ?? arguments.endIndex
    func whole(_ more: [String]) -> [String] {
      arguments[..<split] + more + arguments[split...]
    }
    let defaults = defaults(for: arguments)
    let isConfined = (arguments + defaults.flatMap(\.arguments)).contains("--sandbox")
    for one in defaults {
      if isConfined, one.mayNamePath, let stray = one.arguments.lazy.compactMap(stray).first {
        throw Diagnostics(
          "this is \(stray), outside of \(ProjectPlace.of(project.url)): with --sandbox, a project file names nothing "
            + "there", at: one.place)
      }
      do {
        _ = try parse(whole(added + one.arguments))
        added += one.arguments
      } catch {
        // Something that was typed is wrong, or lacks what another default gives.
        guard (try? parse(whole(added))) != nil else {
          added += one.arguments
          continue
        }
        let text = message(error)
        if !mentionsTyped(text, arguments) {
          throw Diagnostics(text, at: one.place)
        }
      }
    }
    return (try parse(whole(added)), added)
  }
}
