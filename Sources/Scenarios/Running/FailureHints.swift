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
      .damagedResult, .nothingExpected, .nothingLookedAt, .notJudged:
      return []
    }
  }

  // MARK: Errors

  /// By code; by the mistake behind an error whose code stands for many things.
  static func identifiers(for error: any Error) -> [String] {
    guard let error = error as? CoreDataError else { return [] }
    let first = error.firstDetail
    if let mistake = first.originalMistake { return [Trap(mistake).rawValue] }
    let inner = (first.underlying as? CoreDataError).map { ["\($0.code.rawValue)"] } ?? []
    let own = "\(first.code.rawValue)"
    return inner.contains(own) ? [own] : inner + [own]
  }

  /// A process that died left nothing but what it printed.
  private static func crash(_ message: String) -> [String] {
    // A managed object; a value of another type than expected is no trap of Core Data's.
    if message.contains("Could not cast value"), message.contains("NSManagedObject") {
      return [Trap.subclassCast.rawValue]
    }
    return message.contains("found nil") ? [Trap.unwrappedNil.rawValue] : []
  }

  private var staleMapping: [String] {
    step?.stale.isEmpty == false && step?.mapping != .custom ? [Trap.staleMapping.rawValue] : []
  }

  // MARK: Expectations

  /// The step at fault, as far as it is known.
  private var step: ExecutedStep? {
    let name = failure.origin?.step ?? failure.step
    return result.executedSteps.last { $0.name == name }
  }

  private var hasPolicy: Bool {
    step?.entityMappings.contains { $0.policyClassName != nil } ?? false
  }

  private var forExpectation: [Trap] {
    if step?.stale.isEmpty == false, step?.mapping == .inferred { return [.staleMapping] }
    let isInferred = step?.mapping == .inferred
    switch failure.symptom {
    case .callsOfPolicy where isInferred: return [.inferredInstead]
    case .oneSidedLinks: return [.missingInverse]
    case .lostObject where hasPolicy && !isOfUnmappedEntity: return [.notAssociated]
    case .repeatedValues where hasPolicy, .repeatedNil where hasPolicy,
      .tooManyObjects where hasPolicy:
      return [.duplicates]
    case .tooFewObjects where isInferred && isOfWrongRenaming: return [.lostRename]
    case .noValue where hasLostValue: return [lossOfValue].compactMap(\.self)
    case .callsOfPolicy, .fetches, .lostObject, .unmigrated, .repeatedValues, .repeatedNil,
      .tooManyObjects,
      .tooFewObjects, .noValue, nil:
      return []
    }
  }

  /// Whether the mapping leaves the entity out, which the step's remarks say.
  private var isOfUnmappedEntity: Bool {
    step?.emptied.contains { $0.entity == failure.target?.entity } ?? false
  }

  /// The models of the step at fault, as far as they are known.
  private var models: (source: ManagedObjectModel, destination: ManagedObjectModel)? {
    guard let ends = step.flatMap({ StepEnds($0.name) }), let source = scenario.models[ends.source],
      let destination = scenario.models[ends.destination]
    else { return nil }
    return (source, destination)
  }

  /// Whether an entity has no objects of the source's since its renaming identifier is nobody's canonical name.
  private var isOfWrongRenaming: Bool {
    guard failure.origin?.step != nil, let models, let name = failure.target?.entity,
      let identifier = models.destination.entity(named: name)?.explicitRenamingIdentifier
    else { return false }
    return !models.source.entities.contains { $0.renamingIdentifier == identifier }
  }

  /// Whether there is no value where one should be, in a property that the step brought.
  private var hasLostValue: Bool {
    failure.origin?.step != nil && failure.target?.property != nil
  }

  /// Whether the step took away a property that the one without a value may have been. Where its models aren't
  /// known, or the property isn't new, nothing speaks against it.
  private var mayBeRenamed: Bool {
    guard let models, let target = failure.target, let name = target.entity,
      let key = target.property?.split(separator: ".").first.map(String.init),
      let entity = models.destination.entity(named: name),
      let property = entity.property(named: key),
      let before = models.source.entity(named: entity.explicitRenamingIdentifier ?? name)
        ?? models.source.entity(named: name),
      before.property(named: key) == nil
    else { return true }
    let kept = Set(entity.properties.map(\.renamingIdentifier))
    return before.properties.contains { old in
      if kept.contains(old.renamingIdentifier) { return false }
      switch (old, property) {
      case (let old as AttributeDescription, let new as AttributeDescription):
        return old.attributeType == new.attributeType
      case (let old as RelationshipDescription, let new as RelationshipDescription):
        return old.isToMany == new.isToMany
      default: return false
      }
    }
  }

  private var isOfRelationship: Bool {
    guard let target = failure.target, let entity = target.entity, let property = target.property
    else { return false }
    return models?.destination.entity(named: entity)?.relationship(named: property) != nil
  }

  private var lossOfValue: Trap? {
    guard step?.mapping == .custom else { return mayBeRenamed ? .lostRename : nil }
    let hadValue = failure.history.dropLast().last.map { $0.value != nil } ?? false
    // Links that were there aren't lost to a value expression.
    if hadValue { return isOfRelationship ? nil : .nilOverDefault }
    return .notInMapping
  }
}

extension Trap {
  /// What there is to say about a mistake that an error names.
  fileprivate init(_ mistake: CoreDataError.Mistake) {
    self =
      switch mistake {
      case .missingPolicy(let name): name.contains(".") ? .unknownPolicy : .missingModule
      case .unknownSelector: .unknownSelector
      case .foreignContext: .foreignContext
      case .wrongValueType: .wrongValueType
      case .subclassCast: .subclassCast
      case .nilArgument: .unwrappedNil
      }
  }
}
