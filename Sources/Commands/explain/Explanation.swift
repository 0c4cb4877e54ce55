/// What an error code, a trap or a finding means, for whoever has just met it.
///
/// The words are in `Resources/explanations.md`: reports show the first remedy as a hint, and `heavyweight explain` shows
/// all of it.
package struct Explanation: Sendable, Hashable {
  /// What to look it up by: `1570` for a code, `missing-module` for a trap.
  package let identifier: String
  /// The name in Core Data's header, or a few words for a trap.
  package var name: String
  /// What it says, in a sentence or two.
  package var meaning = ""
  /// What it usually comes from, the most frequent first.
  package var causes: [String] = []
  /// What to do, the best first.
  package var remedies: [String] = []
  /// What a console prints of it, in lower case, with … for anything.
  var patterns: [String] = []
}

// MARK: - Looking up

extension Explanation {
  /// All codes in ascending order, then all traps.
  package static let all = texts["codes", default: []] + texts["traps", default: []]

  /// The explanation with an identifier, or of an error by its name in Core Data's header.
  package static func find(_ text: String) -> Explanation? {
    byIdentifier[text] ?? all.first { $0.name.caseInsensitiveCompare(text) == .orderedSame }
  }

  private static let byIdentifier = Dictionary(
    firstOf: (all + storeFindings).map { ($0.identifier, $0) })
}

// MARK: - Groups

extension Explanation {
  /// Core Data's sentences that have no code of their own, or one that stands for many.
  static let messages = texts["sentences", default: []]

  static let hooks = texts["hooks", default: []]

  static let runFindings = findings(of: "run") { _ in nil }

  static let checkRules = findings(of: "check") { CheckRule(rawValue: $0)?.severity.rawValue }
    .map { rule in
      var rule = rule
      rule.remedies.append("If it is intended, accept it with a reason in .heavyweight-check.yaml.")
      return rule
    }

  /// Those that `check` has by the same name are explained there.
  static let lockFindings = findings(of: "lock") {
    LockFinding.Kind(rawValue: $0)?.severity.rawValue
  }

  static let storeFindings = findings(of: "inspect") {
    IntegrityFinding.Kind(rawValue: $0)?.severity.rawValue
  }

  /// What nothing else finds; for the rest it has the words of `check` and of traps.
  static let smokeFindings = findings(of: "smoke") { _ in nil }

  static let exitStatuses = texts["exits", default: []].map { exit in
    var exit = exit
    exit.name = "exit status of heavyweight"
    let status = ExitStatus.allCases.first { exit.identifier == "exit-\($0.rawValue)" }
    exit.meaning = "For `heavyweight run`: \(status?.meaning ?? "")."
    return exit
  }

  private static func findings(
    of command: String, severity: (String) -> String?
  ) -> [Explanation] {
    texts[command, default: []].map { finding in
      var finding = finding
      finding.name =
        (["finding of `heavyweight \(command)`"] + [severity(finding.identifier)].compactMap(\.self))
        .joined(separator: ", ")
      return finding
    }
  }

  /// All texts by group. The head of the file says how it is written.
  private static let texts: [String: [Explanation]] = {
    var groups: [String: [Explanation]] = [:]
    var group: [Explanation] = []
    // From the end: what belongs to a heading is known when it comes.
    var causes: [String] = []
    var remedies: [String] = []
    var patterns: [String] = []
    var meaning = ""
    for line in BuiltInFile.explanations.split(separator: "\n").reversed() {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      switch words[0] {
      case "#":
        groups[words[1]] = group.reversed()
        group = []
      case "##":
        let heading = words[1].split(separator: " ", maxSplits: 1).map(String.init)
        group.append(
          Explanation(
            identifier: heading[0], name: heading.dropFirst().first ?? "", meaning: meaning,
            causes: causes.reversed(), remedies: remedies.reversed(), patterns: patterns))
        (meaning, causes, remedies, patterns) = ("", [], [], [])
      case "-": causes.append(words[1])
      case "~": patterns.append(words[1])
      case "1.": remedies.append(words[1])
      default: meaning = String(line)
      }
    }
    return groups
  }()
}

extension IntegrityFinding.Kind {
  /// What to do, by what it costs to leave it.
  var remedy: String? {
    Explanation.storeFindings.first { $0.identifier == rawValue }?.remedies.first
  }
}
