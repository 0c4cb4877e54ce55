/// Watches which objects meet a condition: which hook made the first one that shouldn't, or spoiled the
/// first one that should?
final class ConditionWatch: HookWatch {
  private var log: InsertedLog<Bool>
  private let condition: HistoryQuestion.Condition
  private let suspects: [Int]

  /// - Parameter suspects: The objects of the seed whose objects became wrong in the step.
  init(_ condition: HistoryQuestion.Condition, suspects: [Int]) {
    let predicate = condition.predicate
    log = InsertedLog(of: condition.entity) { object in
      try ExceptionTrap.catching { try predicate.evaluate(.object(object), variables: [:]) }
    }
    self.condition = condition
    self.suspects = suspects
  }

  func look(_ hook: SeenHook) { log.look(hook) }

  var finding: Failure.Origin? {
    if log.isOverfull { return nil }
    let wrong = log.records.filter {
      $0.state == condition.isWrongWhenMet && !$0.object.isMarkedDeleted
    }
    if let known = wrong.first(where: { $0.origins.contains(where: suspects.contains) }) {
      return known.place
    }
    // Where too few meet a condition, most of the others may be right.
    if !condition.hasTooMany { return nil }
    // What came from the seed was no different before.
    return (wrong.first { $0.origins.isEmpty } ?? wrong.first)?.place
  }
}

/// Watches what becomes of one object of the seed: which hook was called for it, and made nothing?
final class PresenceWatch: HookWatch {
  private let origin: Int
  private var isTaken = false
  private var place: Failure.Origin?

  init(origin: Int) { self.origin = origin }

  func look(_ hook: SeenHook) {
    guard hook.origins.contains(origin) else { return }
    if hook.made.isEmpty { place = hook.origin } else { isTaken = true }
  }

  var finding: Failure.Origin? { isTaken ? nil : place }
}
