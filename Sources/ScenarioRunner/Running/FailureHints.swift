/// Finds the explanations that fit a failure: the known traps.
struct FailureHints {
  let result: RunResult
  let failure: Failure
  let scenario: CheckedScenario

  /// The identifiers of explanations, the likeliest first.
  var identifiers: [String] {
    if !failure.hints.isEmpty { return failure.hints + staleMapping }
    switch failure.kind {
    case .crash: return Self.crash(failure.found)
    case .expectation: return forExpectation.map(\.rawValue)
    case .error: return staleMapping
    case .backendsDiffer, .sqlDiffers, .unknownOnDevice, .timeout, .memory, .notExecuted,
      .openedAgain,
      .damagedResult, .nothingExpected, .nothingLookedAt:
      return []
    }
  }

  // MARK: Errors

  /// By code; by the words of an error whose code stands for many things.
  static func identifiers(for error: any Error) -> [String] {
    guard let error = error as? CoreDataError else { return [] }
    let first = error.firstDetail
    if let trap = trap(in: first.reason) { return [trap.rawValue] }
    let inner = (first.underlying as? CoreDataError).map { ["\($0.code.rawValue)"] } ?? []
    let own = "\(first.code.rawValue)"
    return inner.contains(own) ? [own] : inner + [own]
  }

  private static func trap(in reason: String) -> Trap? {
    if let name = reason.firstMatch(of: #/mapping policy for class named \((.*)\)/#) {
      return name.1.contains(".") ? .unknownPolicy : .missingModule
    }
    let words: [(String, Trap)] = [
      ("does not respond to", .unknownSelector), ("different contexts", .foreignContext),
      ("Unacceptable type of value", .wrongValueType), ("Could not cast value", .subclassCast),
    ]
    return words.first { reason.contains($0.0) }?.1
  }

  private static func crash(_ message: String) -> [String] {
    // A managed object; a value of another type than expected is no trap of Core Data's.
    if message.contains("Could not cast value"), message.contains("NSManagedObject") {
      return [Trap.subclassCast.rawValue]
    }
    return message.contains("found nil") ? [Trap.unwrappedNil.rawValue] : []
  }

  private var staleMapping: [String] {
    hop?.stale.isEmpty == false && hop?.mapping != .custom ? [Trap.staleMapping.rawValue] : []
  }

  // MARK: Expectations

  /// The step at fault, as far as it is known.
  private var hop: HopReport? {
    let name = failure.origin?.step ?? failure.step
    return result.hops.last { $0.hop == name }
  }

  private var hasPolicy: Bool {
    hop?.entityMappings.contains { $0.policyClassName != nil } ?? false
  }

  private var forExpectation: [Trap] {
    if hop?.stale.isEmpty == false, hop?.mapping == .inferred { return [.staleMapping] }
    let isOfPolicy = ["calls of", "printed"].contains { failure.subject.hasPrefix($0) }
    if isOfPolicy, hop?.mapping == .inferred { return [.inferredInstead] }
    if failure.expected == "both sides agree" { return [.missingInverse] }
    if failure.found.hasSuffix("became nothing"), hop?.mapping == .custom {
      return [.notAssociated]
    }
    if failure.expected == "every value once", hasPolicy { return [.duplicates] }
    if isTooMany, hasPolicy { return [.duplicates] }
    if hop?.mapping == .inferred, isOfWrongRenaming { return [.lostRename] }
    return hasLostValue ? [lossOfValue].compactMap(\.self) : []
  }

  private var isTooMany: Bool {
    guard failure.subject.hasPrefix("count of"), !failure.subject.contains(" where "),
      let found = Int(failure.found),
      let expected = Int(failure.expected)
    else { return false }
    return found > expected
  }

  /// Whether the objects of an entity were lost whose renaming identifier is nobody's: the source's entity of that
  /// name is another one then.
  private var isOfWrongRenaming: Bool {
    let versions = (hop?.hop ?? "").components(separatedBy: " -> ")
    guard failure.subject.hasPrefix("count of"), failure.origin?.step != nil, versions.count == 2,
      let name = failure.subject.split(separator: " ").dropFirst(2).first.map(String.init),
      let identifier = scenario.models[versions[1]]?.entity(named: name)?
        .explicitRenamingIdentifier,
      let source = scenario.models[versions[0]], source.entity(named: name) != nil
    else { return false }
    return !source.entities.contains { $0.renamingIdentifier == identifier }
  }

  /// Whether there is no value where one should be, in a property that the step brought.
  private var hasLostValue: Bool {
    failure.origin?.step != nil && ["null", "[]"].contains(failure.found)
      && failure.expected != failure.found && failure.target?.property != nil
  }

  /// Whether the step took away a property that the one without a value may have been. Where its models aren't
  /// known, or the property isn't new, nothing speaks against it.
  private var mayBeRenamed: Bool {
    let versions = (hop?.hop ?? "").components(separatedBy: " -> ")
    guard versions.count == 2, let target = failure.target, let name = target.entity,
      let key = target.property?.split(separator: ".").first.map(String.init),
      let entity = scenario.models[versions[1]]?.entity(named: name),
      let property = entity.property(named: key), let source = scenario.models[versions[0]],
      let before = source.entity(named: entity.explicitRenamingIdentifier ?? name)
        ?? source.entity(named: name),
      before.property(named: key) == nil
    else { return true }
    let kept = Set(entity.properties.flatMap { [$0.name, $0.explicitRenamingIdentifier] })
    return before.properties.contains { old in
      if kept.contains(old.name) { return false }
      switch (old, property) {
      case (let old as AttributeDescription, let new as AttributeDescription):
        return old.attributeType == new.attributeType
      case (let old as RelationshipDescription, let new as RelationshipDescription):
        return old.isToMany == new.isToMany
      default: return false
      }
    }
  }

  private var lossOfValue: Trap? {
    guard hop?.mapping == .custom else { return mayBeRenamed ? .lostRename : nil }
    let hadValue = failure.history.dropLast().last.map { $0.value != nil } ?? false
    // Links that were there aren't lost to a value expression.
    if hadValue { return failure.found == "[]" ? nil : .nilOverDefault }
    return .notInMapping
  }
}
