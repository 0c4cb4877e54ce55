/// What a chain did, up to its end or its failure.
public struct ChainReport {
  /// The steps that were begun, in order; of a failed chain the last one is the one that failed.
  public var steps: [StepReport] = []
  public var failure: ChainFailure?

  public init() {}

  /// The steps' names, as `v1 -> v2`.
  public var stepNames: [String] { steps.map(\.name) }

  /// The objects that were made in the end from an object of the first store. Needs origins; see
  /// ``MigrationChain/recordsOrigins``.
  public func destinations(of source: MigrationOrigins.ObjectKey) -> [MigrationOrigins.ObjectKey] {
    steps.reduce([source]) { objects, step in objects.flatMap { step.origins.destinations(of: $0) }
    }
  }

  /// The objects of the first store that an object of the last one was made from.
  public func sources(
    of destination: MigrationOrigins.ObjectKey
  ) -> [MigrationOrigins.ObjectKey] {
    steps.reversed().reduce([destination]) { objects, step in
      objects.flatMap { step.origins.sources(of: $0) }
    }
  }
}

/// Why a chain stopped.
public struct ChainFailure: Error {
  /// What was thrown: a `CoreDataError`, or a policy's own error as it is.
  public var error: any Error
  /// Where it happened, for errors that can't say so themselves.
  public var place: CoreDataError.Place

  public init(error: any Error, place: CoreDataError.Place) {
    self.error = error
    self.place = place
  }
}

extension ChainFailure: CustomStringConvertible {
  public var description: String {
    if error is CoreDataError { return "\(error)" }
    let facts = [
      ("step", place.step), ("pass", place.pass), ("entity mapping", place.entityMapping),
      ("property", place.property), ("object", place.object), ("made from", place.sourceObject),
    ]
    let lines = facts.compactMap { name, fact in fact.map { "  \(name): \($0)" } }
    return ([error.titledReason] + lines).joined(separator: "\n")
  }
}

extension Error {
  /// What the error says went wrong: a `CoreDataError`'s reason, the text that a policy's own error
  /// has for people, else all of the error.
  public var reasonText: String {
    switch self {
    case let error as CoreDataError: error.reason
    case let error as any LocalizedError: error.errorDescription ?? "\(error)"
    case _ where type(of: self) is NSError.Type:
      (self as NSError).ownText ?? (self as NSError).title
    default: "\(self)"
    }
  }

  /// The same after domain and code, where the error has them of its own.
  fileprivate var titledReason: String {
    guard type(of: self) is NSError.Type else { return reasonText }
    let error = self as NSError
    return error.ownText.map { "\(error.title): \($0)" } ?? error.title
  }
}

extension NSError {
  /// As a `CoreDataError` begins.
  fileprivate var title: String { "\(domain) \(code)" }

  /// What the error says; nil where Foundation makes a sentence of nothing but domain and code.
  fileprivate var ownText: String? {
    let text = localizedDescription
    return text.contains("(\(domain) error \(code).)") ? nil : text
  }
}

/// What one step did.
public struct StepReport {
  public var name: String
  public var sourceModel: String?
  public var destinationModel: String?
  /// Nil when the step failed before a mapping was chosen.
  public var choice: MappingChoice?
  /// Seconds from choosing the mapping to the durable store.
  public var seconds = 0.0
  /// Seconds of those that it took to make indexes and, in the last step, everything durable.
  public var sealSeconds = 0.0
  /// One entry per mapping model that ran.
  public var runs: [Run] = []
  /// Empty unless the chain records origins.
  public var origins = MigrationOrigins()
  /// Whether the step ran together with the next one: its store was never made, and the time is that
  /// one's.
  public var isPassedThrough = false
  /// How many objects the source has of an entity, by name, where the step has found out by the way;
  /// those of subentities not included.
  public var sourceCounts: [String: Int] = [:]
  /// Predicates that SQL answered otherwise than memory would have, so that rows were left out or taken: as
  /// on a device.
  public var sqlDifferences: [SQLDifference] = []
  /// Why ways to carry out the step that come before the one taken couldn't be taken; see
  /// ``StepExecutor``.
  public var unsupported: [String] = []
  /// The entities that lost all their objects because nothing maps or takes them.
  public var emptied: [EmptiedEntity] = []
  /// What was inferred, and a device may do otherwise, as far as the store's rows are concerned.
  public var doubts: [InferenceDoubt] = []
  /// What the step met or did that a device may take otherwise; of a failed step, too.
  public var stepDoubts: [StepDoubt] = []
  /// The entities of which a policy fetched several new objects in no order, where the newest come first.
  public var unorderedEntities: Set<String> = []
  /// The links of which nobody knows what a device makes of them.
  public var doubtfulLinks: [DoubtfulLinks] = []
  /// Whether the store was in the middle of a deferred lightweight migration.
  public var followsPendingMigration = false
  /// The values that came along although a device couldn't read them.
  public var unreadableValues: [UnreadableValues] = []

  /// What one mapping model did.
  public struct Run {
    public var name: String
    /// What the mapping model was compiled to; of steps that ran as one, what they came to so far. Nil for a
    /// stage's handlers, and where it couldn't be compiled.
    package var plan: MigrationPlan?
    public var entityMappings: [EntityMappingReport]
    /// Empty where SQL did it, which calls no hooks, and for a lightweight migration, which calls none either.
    public var trace: MigrationTrace
    public var method = MigrationMethod.manager
    /// Seconds by pass, where a migration manager ran.
    public var passSeconds: [MigrationPass: Double] = [:]
    /// Seconds of the first pass that went into reading, where the chain has a meter.
    public var readSeconds = 0.0
    /// What the calls of hooks did, where the chain has a meter.
    public var hookWork: [HookWork] = []
  }

}

extension StepReport.Run {
  /// What Core Data calls on a device, in order: where SQL stood in for Core Data's own policy, which was asked for
  /// nothing, what it would have been asked for.
  public var hooks: [MigrationTrace.Event] {
    guard method == .sets else { return trace.events }
    let passes: [[MigrationTrace.Event.Kind]] = [
      [.begin, .createDestinationInstances, .endInstanceCreation],
      [.createRelationships, .endRelationshipCreation], [.performCustomValidation], [.end],
    ]
    let hooks = MigrationTrace()
    for pass in passes {
      for report in entityMappings {
        for hook in pass {
          let isForEach = hook == .createDestinationInstances || hook == .createRelationships
          hooks.record(
            hook, entityMapping: report.name, count: isForEach ? report.destinationCount : 1)
        }
      }
    }
    let count = entityMappings.reduce(0) { $0 + $1.destinationCount }
    hooks.record(.validate, count: count)
    hooks.record(.save, count: count)
    return hooks.events
  }
}

/// What one entity mapping did.
public struct EntityMappingReport: Hashable, Sendable, Codable {
  public var name: String
  public var type: EntityMappingType
  public var sourceEntity: String?
  public var destinationEntity: String?
  public var policyClassName: String?
  /// Source instances visited in the first pass.
  public var sourceCount: Int
  /// Destination instances associated under the mapping.
  public var destinationCount: Int
  /// Objects that the mapping's policy and its expressions fetched; nil where no policy ran.
  public var fetchedCount: Int?
}

extension MigrationManager {
  /// What each entity mapping has done so far.
  public final var entityMappingReports: [EntityMappingReport] {
    let visits = trace.counts(of: .createDestinationInstances)
    return (run?.programs ?? []).map { program in
      let mapping = program.mapping
      return EntityMappingReport(
        name: mapping.name, type: mapping.mappingType, sourceEntity: mapping.sourceEntityName,
        destinationEntity: mapping.destinationEntityName,
        policyClassName: mapping.entityMigrationPolicyClassName,
        sourceCount: visits[mapping.name] ?? 0,
        destinationCount: program.associations.destinationCount,
        fetchedCount: program.usesDefaultPolicy ? nil : program.fetchedCount)
    }
  }
}
