import Resources

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
    (all + storeFindings).map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
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
    var meaning = ""
    for line in ExplanationTexts.text.split(separator: "\n").reversed() {
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
            causes: causes.reversed(), remedies: remedies.reversed()))
        (meaning, causes, remedies) = ("", [], [])
      case "-": causes.append(words[1])
      case "1.": remedies.append(words[1])
      default: meaning = String(line)
      }
    }
    return groups
  }()
}

// MARK: - Sentences of consoles

extension Explanation {
  /// What sentences in logs stand for; the first that a text contains counts.
  private static let sentences: [(part: String, identifier: String)] = [
    ("missing attribute values on mandatory destination", "missing-mandatory-value"),
    ("constraint violation during attempted migration", "134111"),
    ("unique constraint failed", "134111"),
    ("no such table", "no-such-table"), ("sqlite error code:1,", "no-such-table"),
    ("couldn't create mapping policy for class named", "unknown-policy"),
    ("mismatch between mapping and source/destination models", "stale-mapping"),
    ("cannot merge multiple root entity source tables", "merged-roots"),
    ("between objects in different contexts", "foreign-context"),
    ("duplicate version checksums across stages", "duplicate-checksums"),
    ("incompatible metadata after migration", "stage-gap"),
    ("staged migration was requested with", "staged-options"),
    ("cannot use staged migration with an unknown", "134504"),
    ("cannot be migrated backwards with staged migration", "134506"),
    ("has no persistent stores", "no-stores"),
    ("loadissuemodelcontainer", "swiftdata-container"),
    ("cloudkit integration requires", "cloudkit-model"),
    ("automatically infer mapping model", "134140"), ("find mapping model", "134140"),
    ("missing mapping model", "134140"), ("find model for source store", "134130"),
    ("missing source managed object model", "134130"),
    ("attribute types are incompatible", "134190"),
    ("model used to open the store is incompatible", "134100"),
    ("model version used to open the persistent store is incompatible", "134100"),
    ("an error occurred during persistent store migration", "134110"),
  ]

  /// The identifier of what a sentence stands for.
  static func identifier(ofSentence text: String) -> String? {
    // Apostrophes are straight or curved.
    let text = text.lowercased().replacing("\u{2019}", with: "'")
    return sentences.first { text.contains($0.part) }?.identifier
  }
}

extension IntegrityFinding.Kind {
  /// What to do, by what it costs to leave it.
  var remedy: String? {
    Explanation.storeFindings.first { $0.identifier == rawValue }?.remedies.first
  }
}
