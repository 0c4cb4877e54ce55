/// Options that have another name now. The former one is taken for one minor version, with a warning.
package enum FormerOption {
  private static let names = [
    "check": ["silence": "accepted"], "lock": ["silence": "accepted"],
    "capture": ["keep": "unchanged"], "smoke": ["save": "output"],
  ]

  /// Today's name; that which is given where it isn't a former one.
  static func current(_ name: String, of command: String, at place: String = "") -> String {
    guard let current = names[command]?[name] else { return name }
    Console.complain(
      "\(place)warning: '--\(name)' of '\(command)' is '--\(current)' now; 0.5 won't know the former name"
    )
    return current
  }

  /// What somebody typed, by today's names.
  package static func renamed(_ arguments: [String]) -> [String] {
    guard let command = arguments.first, names[command] != nil else { return arguments }
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments[..<end].map { word in
      guard word.hasPrefix("--") else { return word }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1).map(String.init)
      guard let name = parts.first else { return word }
      return (["--" + current(name, of: command)] + parts.dropFirst()).joined(separator: "=")
    } + arguments[end...]
  }
}
