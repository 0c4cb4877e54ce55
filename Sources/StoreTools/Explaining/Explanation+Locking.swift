// What `heavyweight lock` finds beside what `check` finds too.

extension Explanation {
  /// Those that `check` has by the same name are explained there.
  static let lockFindings = LockFinding.Kind.allCases
    .filter { CheckRule(rawValue: $0.rawValue) == nil }
    .map { kind in
      Explanation(
        kind.rawValue, "finding of `heavyweight lock`, \(kind.severity.rawValue)",
        meaning: kind.meaning, causes: kind.usualCauses, remedies: kind.remedies)
    }
}

extension LockFinding.Kind {
  fileprivate var meaning: String {
    switch self {
    case .editedVersion:
      "A released version was changed: existing stores no longer match any version."
    case .deletedVersion: "A released version is gone: its stores can no longer be opened."
    case .currentMovedBack:
      "The current version is older than a released one, whose stores can't be opened."
    case .noPath:
      "From a released version to the next there is neither a mapping model nor an inferred mapping (134140)."
    case .knownWithoutPath:
      "From an older version to the next there is no path, and there was none when the manifest was written."
    case .notLocked: "A version isn't in the manifest yet."
    case .orderUnknown: CheckRule.orderUnknown.summary
    case .equalVersions: CheckRule.equalVersions.summary
    }
  }

  fileprivate var usualCauses: [String] {
    switch self {
    case .editedVersion:
      ["The model was edited without adding a version first.", "A merge took changes of a branch."]
    case .deletedVersion: ["It was thought never to have shipped.", "It was renamed."]
    case .currentMovedBack: ["A release was taken back, or a merge lost the current version."]
    case .noPath: ["A type or a destination was changed, and no mapping model was written."]
    case .knownWithoutPath:
      [
        "Both versions shipped, and stores of the older one can't be migrated; the app may make a new store instead."
      ]
    case .notLocked: ["It was added since the manifest was written."]
    case .orderUnknown, .equalVersions: []
    }
  }

  fileprivate var remedies: [String] {
    let accepting =
      "If it is intended, accept it: `heavyweight lock MODEL --accept REASON`."
    switch self {
    case .editedVersion:
      return [
        "Revert the change, add a version, and make the change there.",
        "If the version never shipped, rewrite the manifest with `heavyweight lock`.", accepting,
      ]
    case .deletedVersion:
      return [
        "Restore the version from version control.",
        "If it never shipped, rewrite the manifest with `heavyweight lock`.", accepting,
      ]
    case .currentMovedBack:
      return [
        "Set the current version to the one that was released, or to a newer one.", accepting,
      ]
    case .noPath:
      return [CheckRule.stepImpossible.remedy, accepting]
    case .knownWithoutPath:
      return [
        "Nothing; or write a mapping model for the step, and rewrite the manifest with `heavyweight lock`."
      ]
    case .notLocked: return ["Run `heavyweight lock` when it ships."]
    case .orderUnknown: return [CheckRule.orderUnknown.remedy]
    case .equalVersions: return [CheckRule.equalVersions.remedy, accepting]
    }
  }
}
