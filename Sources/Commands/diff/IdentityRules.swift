/// How a person wants objects to be recognised, entity by entity.
package struct IdentityRules: Sendable {
  /// The rule for one entity and its subentities.
  struct Rule: Sendable {
    enum Kind: Sendable {
      /// Key paths whose values identify an object.
      case values([String])
      case rowKey
      case content
    }
    let entity: String
    let kind: Kind
    /// Where the rule was written; nil for the command line.
    let place: SourcePlace?
  }

  private(set) var rules: [Rule] = []

  package init() {}

  /// Reads rules as the command line has them: `Entity=attribute,other.attribute`, `Entity=.row`,
  /// `Entity=.content`, or the name of a YAML file with a map of such rules.
  /// - Throws: ``Diagnostics`` for what can't be read.
  package init(arguments: [String]) throws {
    for argument in arguments {
      guard let sign = argument.firstIndex(of: "=") else {
        try read(SourceFile(contentsOf: URL(fileURLWithPath: argument), shownAs: argument))
        continue
      }
      let words = argument[argument.index(after: sign)...].split(separator: ",")
        .map { $0.trimmingCharacters(in: .whitespaces) }
      let entity = argument[..<sign].trimmingCharacters(in: .whitespaces)
      guard let kind = Self.kind(words), !entity.isEmpty else {
        throw Diagnostics(file: "--identity \(argument)", Self.help)
      }
      rules.append(Rule(entity: entity, kind: kind, place: nil))
    }
  }

  private static let help =
    "a rule is 'Entity=property,relationship.property', 'Entity=.row' or 'Entity=.content'"

  private static func kind(_ words: [String]) -> Rule.Kind? {
    switch words {
    case []: return nil
    case [".row"]: return .rowKey
    case [".content"]: return .content
    default: return words.contains { $0.isEmpty || $0.hasPrefix(".") } ? nil : .values(words)
    }
  }

  // MARK: Files

  private mutating func read(_ file: SourceFile) throws {
    let collector = DiagnosticCollector()
    let root = try SourceNode.yaml(file)
    for entry in collector.map(root, of: "identity") ?? [] {
      let words = collector.texts(entry.value, of: entry.key.value).map(\.value)
      if let kind = Self.kind(words) {
        rules.append(Rule(entity: entry.key.value, kind: kind, place: entry.key.place))
      } else if !words.isEmpty {
        collector.report(
          "a rule is a key path, a list of them, .row or .content", at: entry.value.place)
      }
    }
    try collector.throwIfAny()
  }
}

// MARK: - Applied to models

extension IdentityRules {
  /// The basis of every pair that has a rule, by the pair's index.
  /// - Throws: ``Diagnostics`` for names that the models don't have.
  func bases(for pairing: ModelPairing) throws -> [Int: IdentityBasis] {
    var bases: [Int: IdentityBasis] = [:]
    var problems: [Diagnostic] = []
    // Those of subentities go before those of their superentities.
    var ruled: [(rule: Rule, pair: EntityPair)] = []
    for rule in rules {
      if let pair = pairing.pair(named: rule.entity) {
        ruled.append((rule, pair))
      } else {
        let hint = Spelling.hint(
          for: rule.entity, among: pairing.pairs.map(\.entity.a.name), called: "entities")
        problems.append(rule.diagnostic("no entity '\(rule.entity)' in both stores\(hint)"))
      }
    }
    for pair in pairing.pairs {
      let fitting = ruled.filter { pair.entity.a.isKindOf(entity: $0.pair.entity.a) }
      guard let nearest = fitting.max(by: { $0.pair.depth < $1.pair.depth }) else { continue }
      do {
        bases[pair.index] = try nearest.rule.basis(for: nearest.pair, in: pairing)
      } catch {
        problems.append(nearest.rule.diagnostic(error.text))
      }
    }
    if !problems.isEmpty { throw Diagnostics(problems.withoutRepeats) }
    return bases
  }
}

extension IdentityRules.Rule {
  fileprivate func basis(
    for pair: EntityPair, in pairing: ModelPairing
  ) throws(IdentityProblem) -> IdentityBasis {
    switch kind {
    case .rowKey: return IdentityBasis(kind: .rowKey, origin: .rule)
    case .content: return IdentityBasis(kind: .content, origin: .rule)
    case .values(let names):
      var paths: [IdentityPath] = []
      for name in names { paths.append(try IdentityPath(name, from: pair, in: pairing)) }
      return IdentityBasis(kind: .values(paths), origin: .rule)
    }
  }

  fileprivate func diagnostic(_ message: String) -> Diagnostic {
    place.map { Diagnostic(message, at: $0) } ?? Diagnostic(file: "--identity \(entity)", message)
  }
}

extension EntityPair {
  /// How many superentities there are above.
  fileprivate var depth: Int {
    sequence(first: entity.a, next: \.superentity).reduce(0) { count, _ in count + 1 }
  }
}

extension [Diagnostic] {
  fileprivate var withoutRepeats: [Diagnostic] {
    var seen: Set<String> = []
    return filter { seen.insert($0.description).inserted }
  }
}
