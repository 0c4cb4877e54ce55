/// Steps that neither a mapping model nor inference can make.
struct ImpossibleStepRule: StepRule {
  func findings(in situation: StepSituation) -> [CheckFinding] {
    guard let error = situation.checked.verdict.error else { return [] }
    return error.inferenceProblems.map { problem in
      CheckFinding(
        .stepImpossible,
        about: CheckFinding.Subject(
          step: situation.checked.versions, entity: problem.place.entity,
          property: problem.place.property), problem.reason, advice: problem.advice,
        code: error.code.rawValue)
    }
  }
}

extension CoreDataError {
  /// The changes that can't be inferred, behind the error for a step without a mapping; the error
  /// itself where there are none.
  var inferenceProblems: [CoreDataError] {
    guard let cause = underlying as? CoreDataError else { return [self] }
    return cause.details.isEmpty ? [cause] : cause.details
  }
}

/// Versions from which Core Data itself, which makes one step of a migration, can't get to the current
/// one.
struct DirectPathRule {
  /// The steps to the current version that aren't from one version to the next.
  let leaps: [CheckedStep]

  /// One finding for versions in a row with the same reason.
  var findings: [CheckFinding] {
    var findings: [CheckFinding] = []
    var last: String?
    for leap in leaps {
      guard let error = leap.verdict.error else {
        last = nil
        continue
      }
      let reasons = Self.reasons(of: error)
      if reasons == last, let index = findings.indices.last {
        findings[index].subject.lastVersion = leap.versions.source
      } else {
        findings.append(Self.finding(on: leap, for: error, because: reasons))
      }
      last = reasons
    }
    return findings
  }

  private static func finding(
    on leap: CheckedStep, for error: CoreDataError, because reasons: String
  ) -> CheckFinding {
    CheckFinding(
      .noDirectPath, about: CheckFinding.Subject(version: leap.versions.source),
      "no way to \(leap.versions.destination) in one step: \(reasons)",
      advice: "Migrate version by version, or add a mapping model from here.",
      code: error.code.rawValue)
  }

  private static func reasons(of error: CoreDataError) -> String {
    let problems = error.inferenceProblems
    let texts = problems.prefix(3).map { problem in
      let place = [problem.place.entity, problem.place.property].compactMap { $0 }
      return place.isEmpty ? problem.reason : place.joined(separator: ".") + ": " + problem.reason
    }
    let more = problems.count > 3 ? "; and \(problems.count - 3) more" : ""
    return texts.joined(separator: "; ") + more
  }
}
