/// All that can be looked up, by where a person meets it.
enum ExplanationIndex {
  static let groups: [(title: String, topics: [Explanation])] = [
    ("Core Data's error codes", Explanation.all.filter { Int($0.identifier) != nil }),
    ("Traps", Explanation.all.filter { Int($0.identifier) == nil }),
    ("Sentences of Core Data", Explanation.messages),
    ("Findings of heavyweight run", Explanation.runFindings),
    ("Findings of heavyweight check", Explanation.checkRules),
    ("Findings of heavyweight lock", Explanation.lockFindings),
    ("Findings of heavyweight inspect", Explanation.storeFindings),
    ("Findings of heavyweight smoke", Explanation.smokeFindings),
    ("Hooks of a migration policy", Explanation.hooks),
    ("Exit statuses", Explanation.exitStatuses),
  ]

  private static let topics = groups.flatMap(\.topics)

  /// What a word stands for: an identifier, the name of an error, or an exit status. Several where one word is used in
  /// several places.
  static func named(_ word: String) -> [Explanation] {
    let given = word.trimmingCharacters(in: .whitespaces).lowercased()
    let text = CheckRule.formerNames[given] ?? given
    let exact = topics.filter {
      $0.identifier.lowercased() == text || $0.name.lowercased() == text
    }
    guard exact.isEmpty, let status = text.firstMatch(of: #/^exit(?: status)?[ -]?(\d+)$/#) else {
      return exact
    }
    return with(identifier: "exit-\(status.1)")
  }

  static func with(identifier: String) -> [Explanation] {
    topics.filter { $0.identifier == identifier }
  }

  /// The first code in a text, whatever stands before it.
  static func coded(_ text: String) -> [Explanation] {
    text.firstMatch(of: #/\b(\d{4,6})\b/#).map { with(identifier: String($0.1)) } ?? []
  }

  /// The end of the message about a word that nothing is known about.
  static func hint(for word: String) -> String {
    if let number = Int(word), let nearest = nearestCode(to: number) {
      return "; did you mean '\(nearest)'?"
    }
    let names = topics.map(\.identifier) + Explanation.all.map(\.name).filter { $0.hasPrefix("NS") }
    if let closest = Spelling.closest(to: word, among: names) {
      return "; did you mean '\(closest)'?"
    }
    let parts = topics.map(\.identifier).filter { $0.contains(word.lowercased()) }
    if !word.isEmpty, !parts.isEmpty {
      return "; there are \(parts.prefix(5).joined(separator: ", "))"
    }
    return "; `heavyweight explain --list` shows what can be explained"
  }

  /// The code that differs least, if that is little.
  private static func nearestCode(to number: Int) -> Int? {
    let codes = CoreDataErrorCode.allCases.map(\.rawValue)
    let nearest = codes.min { abs($0 - number) < abs($1 - number) }
    return nearest.flatMap { abs($0 - number) < 100 ? $0 : nil }
  }
}
