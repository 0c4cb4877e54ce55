/// The order in which a model's versions came about, and how it is known.
///
/// Nothing in a model's files says it. What there is, is evidence: see ``VersionOrder/Evidence``.
public struct VersionOrder: Sendable, Hashable {
  /// What tells that one version came before another, the most telling first.
  public enum Evidence: Sendable, Hashable {
    /// A person said so.
    case given
    /// A mapping file, named, leads from the one to the other.
    case mapping(String)
    /// Numbers in names: `App 2`, `App 10`; and Xcode's way to call the first one `App`.
    case numbers
    /// A renaming identifier of the later one, told in words, points at a name of the earlier one.
    case renaming(String)
    /// The version named like the model is the first.
    case modelName
    /// The current version is the last.
    case current
    /// Of all orders that are left, the versions differ least in this one.
    case difference
    /// Of merged models: their current versions belong together, and from there they went in step.
    case inStep
  }

  /// That one version came before another.
  public struct Claim: Sendable, Hashable {
    public let earlier: String
    public let later: String
    public let evidence: Evidence
  }

  /// Evidence that can't all be true.
  public struct Contradiction: Sendable, Hashable {
    /// What was set aside.
    public let claim: Claim
    /// What says otherwise.
    public let others: [Claim]
  }

  /// The versions' names, oldest first.
  public let names: [String]
  /// How the order of each two neighbours is known; nil where it isn't.
  public let evidence: [Evidence?]
  public let contradictions: [Contradiction]
  /// Versions whose order nothing tells, group by group.
  public let unknown: [[String]]

  package init(
    _ names: [String], evidence: [Evidence?], contradictions: [Contradiction] = [],
    unknown: [[String]] = []
  ) {
    self.names = names
    self.evidence = evidence
    self.contradictions = contradictions
    self.unknown = unknown
  }

  /// An order that nobody doubts, as of a single version.
  init(asGiven names: [String]) {
    self.init(names, evidence: names.dropFirst().map { _ in .given })
  }

  public var isCertain: Bool { contradictions.isEmpty && unknown.isEmpty }

  /// The versions whose place is a guess.
  public var doubtfulNames: Set<String> {
    let contradicted = contradictions.flatMap { contradiction in
      ([contradiction.claim] + contradiction.others).flatMap { [$0.earlier, $0.later] }
    }
    return Set(contradicted).union(unknown.flatMap { $0 })
  }
}

// MARK: - Wording

extension VersionOrder {
  /// The neighbours with what tells their order.
  public var steps: [(step: String, evidence: Evidence?)] {
    zip(zip(names, names.dropFirst()), evidence).map { ("\($0.0) -> \($0.1)", $1) }
  }

  /// How the order was found, in a line: `by the numbers in the names (App 2 -> App 3 and 5 more)`.
  public var howItWasFound: String {
    var kinds: [(text: String, steps: [String])] = []
    let files = steps.compactMap { $0.evidence?.mappingFile }
    for (step, evidence) in steps {
      // One or two files are named; of many, each beside its step, the line would only be long.
      let isOneOfMany = files.count > 2 && evidence?.mappingFile != nil
      let text = isOneOfMany ? "by mapping files" : evidence?.text ?? "not known"
      if let index = kinds.firstIndex(where: { $0.text == text }) {
        kinds[index].steps.append(step)
      } else {
        kinds.append((text, [step]))
      }
    }
    if kinds.count == 1 { return kinds[0].text }
    return kinds.map { kind in
      let more = kind.steps.count > 1 ? " and \(kind.steps.count - 1) more" : ""
      return "\(kind.text) (\(kind.steps[0])\(more))"
    }.joined(separator: ", ")
  }

  /// What is wrong with the order, in sentences.
  public var problems: [String] {
    contradictions.map(\.text) + unknown.map(Self.text)
  }

  public static func text(ofUnknown group: [String]) -> String {
    "the order of \(group.joined(separator: ", ")) isn't known: no mapping file, renaming identifier, "
      + "number or name determines it, and no order makes the versions differ less"
  }
}

extension VersionOrder.Evidence {
  fileprivate var mappingFile: String? {
    if case .mapping(let file) = self { file } else { nil }
  }

  public var text: String {
    switch self {
    case .given: "as given"
    case .mapping(let file): "by the mapping file \(file)"
    case .numbers: "by the numbers in the names"
    case .renaming(let what): "by the renaming identifier of \(what)"
    case .modelName: "by the model's name, which the first version has"
    case .current: "by the current version, which is the last"
    case .difference: "by the smallest differences"
    case .inStep: "in step, backwards from the current versions"
    }
  }

  /// A word for machines.
  public var name: String {
    switch self {
    case .given: "given"
    case .mapping: "mapping"
    case .numbers: "numbers"
    case .renaming: "renaming"
    case .modelName: "model-name"
    case .current: "current"
    case .difference: "difference"
    case .inStep: "in-step"
    }
  }
}

extension VersionOrder.Claim {
  /// `App 1 -> App 2 (by the numbers in the names)`.
  public var text: String { "\(earlier) -> \(later) (\(evidence.text))" }
}

extension VersionOrder.Contradiction {
  public var text: String {
    "the evidence for the order of the versions is contradictory: \(claim.text), but "
      + others.map(\.text).joined(separator: ", ")
  }
}
