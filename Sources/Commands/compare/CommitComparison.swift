/// What one store came to at one commit.
struct CommitMigration: Codable, Sendable {
  /// The error that the migration ended with.
  struct Failure: Codable, Equatable, Sendable {
    let domain: String
    let code: Int
    let step: String?
    let pass: String?
    let entityMapping: String?
    let entity: String?
    let property: String?
    let object: String?
    let message: String
    /// All that is known, for people.
    let text: String

    /// Whether `--timeout` or `--memory` ended the migration.
    var isOfLimit: Bool {
      domain == PolicyDeath.errorDomain && PolicyDeath.codesOfLimits.contains(code)
    }

    /// Nothing but the text may be another with the same failure.
    static func == (a: Failure, b: Failure) -> Bool {
      a.domain == b.domain && a.code == b.code && a.step == b.step && a.pass == b.pass
        && a.entityMapping == b.entityMapping && a.entity == b.entity && a.property == b.property
        && a.object == b.object && a.message == b.message
    }
  }

  /// A step, and what isn't known of a device's doing the same.
  struct Step: Codable, Sendable {
    let step: String
    let unknownOnDevice: [String]
  }

  let versions: [String]
  let target: String?
  let steps: [Step]
  let failure: Failure?
  /// What is wrong with the store, and what of it is passed over.
  let findings: [String]

  /// What isn't known of a device, with the steps, as lines of a report.
  var unknowns: [String] {
    steps.flatMap { step in
      step.unknownOnDevice.map { "unknown on a device: \(step.step): \($0)" }
    }
  }

  /// Whether nothing was migrated, since the store is of none of the versions.
  var fitsNoVersion: Bool {
    versions.isEmpty && failure?.code == CoreDataErrorCode.migrationMissingSourceModel.rawValue
  }

  /// Whether nothing was migrated, since the store has the version already that it was to get.
  var isThereAlready: Bool { failure == nil && target.map(versions.contains) == true }
}

/// One store at two commits.
struct CommitComparison: Sendable {
  let store: String
  let sides: Both<CommitMigration>
  /// What differs in the results; nil where there aren't two.
  let differences: StoreDifferences?
  /// Entities and properties that only one of the results has, as `Book` and `Book.title`, or has with this type, as
  /// `Book.price: double`: objects are compared by what both have.
  let onlyIn: Both<[String]>

  /// Why there was nothing to compare; nil where there was.
  enum Nothing {
    /// The store is of no version at both commits.
    case fitsNoVersion
    /// No step ran on either side, and the results are the store itself.
    case isThereAlready

    var text: String {
      switch self {
      case .fitsNoVersion: "of no version on either side, so nothing was compared"
      case .isThereAlready: "of the newest version on both sides, so nothing was migrated"
      }
    }

    fileprivate var rule: String {
      switch self {
      case .fitsNoVersion: "no-version"
      case .isThereAlready: "not-migrated"
      }
    }
  }

  var nothing: Nothing? {
    if sides.a.fitsNoVersion, sides.b.fitsNoVersion { return .fitsNoVersion }
    return sides.a.isThereAlready && sides.b.isThereAlready && !isDifferent ? .isThereAlready : nil
  }

  /// Whether somebody who reviews a change should look at it.
  var isDifferent: Bool {
    // The one names other versions than the other, which says nothing of the store.
    if sides.a.fitsNoVersion, sides.b.fitsNoVersion { return false }
    // What came out alike here may not on a device.
    if sides.a.unknowns != sides.b.unknowns { return true }
    if let differences {
      return !differences.isEmpty || sides.a.target != sides.b.target || !onlyIn.a.isEmpty
        || !onlyIn.b.isEmpty
    }
    return sides.a.failure != sides.b.failure
  }
}

/// What a call of `heavyweight compare` found.
package struct CommitReport: CommandReport {
  struct Side: Encodable {
    let name: String
    let commit: String?
    let shownName: String
  }

  let old: Side
  let new: Side
  /// How many stores were to be compared.
  let storeCount: Int
  var comparisons: [CommitComparison]

  package var exitStatus: ExitStatus {
    if comparisons.contains(where: \.isDifferent) { return .failed }
    return comparisons.contains { $0.nothing != nil } ? .nothingChecked : .passed
  }

  // MARK: For machines

  var json: JSONObject {
    [
      "format": 1, "old": old, "new": new, "exitStatus": exitStatus.rawValue,
      "stores": comparisons.map { comparison -> JSONObject in
        [
          "store": comparison.store, "isDifferent": comparison.isDifferent,
          "old": comparison.sides.a, "new": comparison.sides.b,
          "differences": comparison.differences?.json, "onlyInOldModel": comparison.onlyIn.a,
          "onlyInNewModel": comparison.onlyIn.b,
        ]
      },
    ]
  }

  /// A finding for each difference between the results, for a migration that fails at one commit only, and for a
  /// store that there was nothing to compare of.
  var told: ToldFindings {
    ToldFindings(
      command: "compare", file: comparisons.map(\.store).joined(separator: ", "),
      findings: comparisons.filter { $0.isDifferent || $0.nothing != nil }.flatMap(told),
      isFailure: exitStatus != .passed,
      sections: comparisons.compactMap { comparison in
        comparison.differences?.table.map { .table(comparison.store, $0) }
      })
  }

  private func told(_ comparison: CommitComparison) -> [ToldFinding] {
    let place = FilePlace(file: comparison.store)
    func finding(_ rule: String, _ message: String) -> ToldFinding {
      ToldFinding(.error, rule: rule, about: comparison.store, message, place: place)
    }
    if let nothing = comparison.nothing { return [finding(nothing.rule, nothing.text)] }
    guard let differences = comparison.differences else {
      let lines =
        Self.sideLines("old", comparison.sides.a) + Self.sideLines("new", comparison.sides.b)
        + Self.unknownLines(comparison)
      return [finding("other-failure", lines.map { $0.dropFirst(4) }.joined(separator: "\n"))]
    }
    return Self.unknownLines(comparison).map {
      finding("unknown-on-device", String($0.dropFirst(4)))
    } + Self.modelLines(comparison).map { finding("other-model", String($0.dropFirst(4))) }
      + differences.told(file: comparison.store, as: Both("old", "new"))
  }

  // MARK: For people

  func text(style: TextStyle) -> String {
    let head = ["old  \(style.strong(old.shownName))", "new  \(style.strong(new.shownName))"]
    let all = head + comparisons.flatMap { [""] + lines(of: $0, style) } + ["", ending(style)]
    return all.map { $0 + "\n" }.joined()
  }

  private func lines(of comparison: CommitComparison, _ style: TextStyle) -> [String] {
    if let nothing = comparison.nothing {
      let failure = Self.failureLines(comparison.sides.b.failure)
      return [
        "\(style.bad("✗")) \(style.strong(comparison.store))  \(nothing.text)\(failure.isEmpty ? "" : ":")"
      ] + failure
    }
    let mark = comparison.isDifferent ? style.bad("✗") : style.good("✓")
    let heading = "\(mark) \(style.strong(comparison.store))"
    if let differences = comparison.differences {
      let others = Self.unknownLines(comparison) + Self.modelLines(comparison)
      if differences.isEmpty {
        let count = differences.entities.reduce(0) { $0 + $1.counts.a }
        let target = comparison.sides.b.target ?? "?"
        return ["\(heading)  \(target): the same \(count.counted("object"))"] + others
      }
      let text = differences.text(style: style).split(
        separator: "\n", omittingEmptySubsequences: false)
      return [heading] + others + text.dropLast().map { $0.isEmpty ? "" : "    \($0)" }
    }
    if !comparison.isDifferent {
      return ["\(heading)  fails in the same way:"] + Self.failureLines(comparison.sides.a.failure)
        + Self.unknownLines(comparison)
    }
    return [heading] + Self.sideLines("old", comparison.sides.a)
      + Self.sideLines("new", comparison.sides.b) + Self.unknownLines(comparison)
  }

  private static func modelLines(_ comparison: CommitComparison) -> [String] {
    let targets = comparison.sides.map { $0.target ?? "?" }
    let versions =
      targets.a == targets.b
      ? [] : ["    the old side ends with \(targets.a), the new side with \(targets.b)"]
    return versions + comparison.onlyIn.a.map { "    only the old model has \($0)" }
      + comparison.onlyIn.b.map { "    only the new model has \($0)" }
  }

  private static func sideLines(_ name: String, _ side: CommitMigration) -> [String] {
    guard let failure = side.failure else {
      return ["    \(name): migrated to \(side.target ?? "?")"]
    }
    return ["    \(name): fails"] + failureLines(failure).map { "  " + $0 }
  }

  private static func unknownLines(_ comparison: CommitComparison) -> [String] {
    comparison.sides.a.unknowns.map { "    old: \($0)" }
      + comparison.sides.b.unknowns.map { "    new: \($0)" }
  }

  private static func failureLines(_ failure: CommitMigration.Failure?) -> [String] {
    (failure?.text ?? "").split(separator: "\n").map { "    \($0)" }
  }

  private func ending(_ style: TextStyle) -> String {
    if comparisons.count < storeCount {
      return style.notable(
        "\(comparisons.count) of \(storeCount.counted("store")) compared, interrupted before the end"
      )
    }
    let count = comparisons.count(where: \.isDifferent)
    let all = comparisons.count.counted("store")
    var texts =
      count == 0 ? [] : ["\(count) of \(all) \(count == 1 ? "gives" : "give") a different result"]
    texts += [CommitComparison.Nothing.fitsNoVersion, .isThereAlready].compactMap { nothing in
      let count = comparisons.count { $0.nothing == nothing }
      return count == 0 ? nil : "\(count) of \(all) \(count == 1 ? "is" : "are") \(nothing.text)"
    }
    if texts.isEmpty { return style.good("\(all): all give the same result") }
    return style.bad(texts.joined(separator: "; "))
  }
}
