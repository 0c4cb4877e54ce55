/// What one executed step did.
package struct ExecutedStep: Sendable, Codable {
  package let name: String
  /// Nil when the step failed before a mapping was chosen.
  package let mapping: MappingUse?
  /// The mapping models that ran, by name.
  package let mappingNames: [String]
  /// The mapping models on offer that don't fit, and why.
  package let stale: [StaleMapping]
  /// The entities that lost all their objects because nothing maps or takes them.
  package let emptied: [EmptiedEntity]
  /// What the step did of which nobody knows whether a device does it.
  package internal(set) var unknowns: [UnknownOnDevice]
  /// The entities of which a policy fetched several new objects in no order, in memory.
  package let unorderedEntities: [String]?
  /// Predicates that SQL answered otherwise than memory would have.
  package let sqlDifferences: [SQLDifference]
  /// Why the step wasn't carried out in SQL, where that was asked for and couldn't be.
  package var unsupported: [String]
  package let entityMappings: [EntityMappingReport]
  /// The hooks that Core Data calls on a device and what belongs to them, in order.
  package let events: [MigrationTrace.Event]
  /// Whether it ran as SQL, so that none of the hooks was called.
  package let isSQL: Bool?
  /// What its mapping models were compiled to, as text; nil where nobody asked.
  package var plans: [String]?
  /// 0 for a step that ran together with the next one.
  package let seconds: Double
  /// Whether the step ran together with the next one, so that its store was never made.
  package let isPassedThrough: Bool?
  /// Seconds by pass, and `sync` for making the result durable; passes that didn't run are left out.
  let passes: [String: Double]
  /// Seconds of the first pass that went into reading; nil unless a migration manager ran.
  package let readSeconds: Double?
  /// What the calls of hooks did; nil where nobody measured.
  package let hookWork: [HookWork]?
  /// Objects in the store before and after; no second number for a step that failed.
  package let sourceObjectCount: Int
  package let destinationObjectCount: Int?
  /// The error that the step ended with, in a few words.
  package var errorText: String?

  /// Something of which nobody knows whether a device does it.
  package struct UnknownOnDevice: Sendable, Codable, CustomStringConvertible {
    /// Without the numbers of what it is about.
    package let what: String
    private var numbers: String?
    /// What a device may do instead.
    package let doubt: String
    /// What it is about, in the destination's model; nil for a step, or an entity mapping, as a whole.
    package var entity: String?
    package var property: String?
    /// Whether it hangs on objects having several links, or the same ones.
    package var isOfLinks = false
    /// What did it, for a failure of the run.
    var subject = "the inferred mapping"
    /// What the step should have done, so that the result is certain.
    var expected = "a change that a device is known to infer a mapping for"
    /// How it becomes certain.
    var remedy = "Write a mapping model for this step"

    /// A step from a store in the middle of a deferred lightweight migration.
    static let pendingMigration = UnknownOnDevice(
      ofStore:
        "the store is in the middle of a deferred lightweight migration, which this step takes as finished",
      doubt: "A device may finish it first, or meet what is left of it in the file.",
      expected: "a store whose last migration is finished",
      remedy: "Let the app call finishDeferredLightweightMigration() before this step")

    /// A store that none of the versions fits, and that an error is expected of.
    // Core Data: two apps' reports have SwiftData migrate such stores; with a plan it has the error of staged migration
    // for a version that no stage names.
    static func refusal(ofStoreBy maker: OwnModel.Maker) -> UnknownOnDevice {
      UnknownOnDevice(
        ofStore: maker == .swiftData
          ? "the store is SwiftData's, and has a model of its own to be migrated from"
          : "the store may be SwiftData's, since it has persistent history, and has a model of its own to be migrated from",
        doubt:
          "SwiftData migrates it from there where there is no migration plan, and ends with 134504 where a plan lacks its "
          + "version.",
        expected: "a store that a device is known to refuse like this",
        remedy: "Take the store as a version to start with, 'models: { old: STORE, … }'")
    }

    package var description: String { numbers.map { "\(what): \($0)" } ?? what }

    private init(ofStore what: String, doubt: String, expected: String, remedy: String) {
      (self.what, self.doubt) = (what, doubt)
      (self.subject, self.expected, self.remedy) = ("the store", expected, remedy)
    }

    init(_ inferred: InferenceDoubt) {
      (entity, property) = (inferred.entity, inferred.property)
      what = "\(inferred)"
      doubt = inferred.doubt
      if inferred.kind == .identifierChanged, let before = inferred.before.first {
        remedy = "Let it be known as '\(before)' in this version, too, by its renaming identifier"
      }
    }

    init(_ step: StepDoubt) {
      what = "\(step)"
      isOfLinks = step.isOfLinks
      doubt = step.doubt
      remedy = step.remedy
      subject = "the step"
      expected = "a step that a device is known to carry out like this"
    }

    init(_ links: DoubtfulLinks) {
      (entity, property) = (links.entity, links.relationship)
      (what, numbers) = (links.what, links.numbers)
      doubt =
        switch links.reason {
        case .filledFromInverse:
          "It may be empty there, like any new relationship. If it was renamed, give it a renaming identifier."
        case .inversesExchanged:
          "A device may keep the links of either of the two relationships."
        case .ended:
          "A device may leave the keys of objects that are gone, so that following one raises."
        case .lost: "A device may drop the same links, drop others, or end in an error."
        }
    }

    // Core Data: nothing says in which order the members of a set, or objects that a fetch gives, come to be ordered.
    init(orderOf relationship: RelationshipDescription, which reason: String) {
      (entity, property) = (relationship.entity.name, relationship.name)
      what =
        "\(relationship.entity.name).\(relationship.name) \(reason), and an order of it is expected"
      doubt = "The members may come in any other order there."
      (subject, expected) = ("the step", "an order that a device is known to give")
      remedy = "Give it an order in a policy, expect its members without one"
    }

    init(_ values: UnreadableValues) {
      what = "\(values)"
      doubt =
        values.formerTransformer == nil
        ? "A migration manager on a device reads each value with the transformer, which may raise an exception, or "
          + "give nil or another object."
        : "The app may find nil there, an exception may be raised, or \"will become unreadable\" is in the console."
      subject = "the entity mapping '\(values.entityMapping)'"
      expected = "values that a device can read"
      remedy =
        values.formerTransformer != nil
        ? "Write the values anew in a policy, or let the transformer allow their classes"
        : "Give the object in the transformer's reverseTransformedValue(_:), and let allowsReverseTransformation() "
          + "return true"
    }
  }

  /// A mapping model that was made for other versions.
  package struct StaleMapping: Sendable, Codable, CustomStringConvertible {
    package let name: String
    /// The entities that it doesn't fit.
    package let entities: [String]

    package var description: String {
      "\(name), made for other versions of \(entities.joined(separator: ", "))"
    }
  }

  /// - Parameter explains: Whether to keep the plans, which are long.
  package init(
    _ report: StepReport, sourceCount: Int, destinationCount: Int?, explains: Bool = false
  ) {
    name = report.name
    mapping = report.choice.flatMap { MappingUse(rawValue: $0.kind.rawValue) }
    mappingNames = report.runs.map(\.name)
    stale = (report.choice?.stale ?? []).map { stale in
      StaleMapping(name: stale.name, entities: Set(stale.misfits.map(\.entity)).sorted())
    }
    emptied = report.emptied
    // Links that were counted say more.
    let counted = Set(report.doubtfulLinks.map { [$0.entity, $0.relationship] })
    let inferred = report.doubts.filter { !counted.contains([$0.entity, $0.property ?? ""]) }
    let pending = report.followsPendingMigration ? [UnknownOnDevice.pendingMigration] : []
    unknowns =
      pending + report.stepDoubts.map(UnknownOnDevice.init) + inferred.map(UnknownOnDevice.init)
      + report.doubtfulLinks.map(UnknownOnDevice.init)
      + report.unreadableValues.map(UnknownOnDevice.init)
    unorderedEntities =
      report.unorderedEntities.isEmpty ? nil : report.unorderedEntities.sorted()
    sqlDifferences = report.sqlDifferences
    unsupported = report.unsupported
    entityMappings = report.runs.flatMap(\.entityMappings)
    events = report.runs.flatMap(\.hooks)
    isSQL = report.runs.contains { $0.method == .sets } ? true : nil
    plans = explains ? report.runs.compactMap { $0.plan?.description } : nil
    seconds = report.seconds
    isPassedThrough = report.isPassedThrough ? true : nil
    passes = report.passes
    let managed = report.runs.filter { $0.method == .manager }
    readSeconds = managed.isEmpty ? nil : managed.reduce(0) { $0 + $1.readSeconds }
    let work = managed.flatMap(\.hookWork)
    hookWork = work.isEmpty ? nil : work
    sourceObjectCount = sourceCount
    destinationObjectCount = destinationCount
  }
}

extension ExecutedStep {
  /// What is worth a word whatever came of the step, for people: mapping models that don't run, and
  /// entities whose objects are gone.
  package var remarks: [String] {
    stale.map { "not used: \($0)" } + emptied.map { "emptied: \($0)" }
      + unknowns.map { "unknown on a device: \($0)" }
      + sqlDifferences.map { "SQL differs: \($0.text)" }
      + events.warnings.map { "warning: \($0)" }
  }
}

extension [ExecutedStep] {
  /// What may explain a failure in memory, or that SQLite has something else: see
  /// ``Persistence/ManagedObjectContext/givesNewestFirst``.
  var orderNotes: [String] {
    compactMap { step in
      step.unorderedEntities.map {
        "a policy fetched several new objects of \($0.joined(separator: ", ")) whose order no sort descriptor "
          + "decides (\(step.name)): a device gives them in any order; here the newest come first in memory, and last in SQLite"
      }
    }
  }
}

extension ExecutedStep {
  /// The step in a report for machines.
  package var json: JSONObject {
    [
      "step": name, "hop": name, "mapping": mapping?.rawValue, "mappingModels": mappingNames,
      "staleMappings": stale.map(\.name),
      "emptiedEntities": emptied.map { ["entity": $0.entity, "objects": $0.count] as JSONObject },
      "unknownOnDevice": unknowns.map(\.description), "sourceObjects": sourceObjectCount,
      "destinationObjects": destinationObjectCount, "error": errorText, "seconds": seconds,
      "entityMappings": entityMappings.map { mapping -> JSONObject in
        [
          "name": mapping.name, "type": "\(mapping.type)", "policy": mapping.policyClassName,
          "sourceInstances": mapping.sourceCount,
          "destinationInstances": mapping.destinationCount,
        ]
      },
    ]
  }
}

extension ExecutedStep {
  /// Whether code of the app's ran, which may depend on anything: files, variables, the day.
  var ranPolicies: Bool { entityMappings.contains { $0.policyClassName != nil } }
}

extension ExecutedStep {
  /// Why the step took objects, for who wants to know more.
  package var unsupportedRemarks: [String] { unsupported.map { "object by object: \($0)" } }

  /// What its mapping models were compiled to, for who asked.
  package var planLines: [String] {
    (plans ?? []).flatMap { plan in
      ["plan"] + plan.split(separator: "\n").map { "  \($0)" }
    }
  }
}

extension StepReport {
  fileprivate var passes: [String: Double] {
    var passes: [String: Double] = sealSeconds > 0 ? ["sync": sealSeconds] : [:]
    for (pass, seconds) in runs.flatMap(\.passSeconds) {
      passes[pass.rawValue, default: 0] += seconds
    }
    return passes
  }
}

extension ExecutedStep {
  /// How often a hook was called for an entity mapping, or for all mappings of a policy class.
  func calls(of hook: String, for target: String) -> Int {
    let mappings = Set(
      entityMappings.filter { $0.name == target || $0.policyClassName == target }.map(\.name))
    return events.filter { event in
      let isTarget =
        event.kind.isOfStage
        ? event.entityMapping == target : event.entityMapping.map(mappings.contains) == true
      return event.kind.rawValue == hook && isTarget
    }.reduce(0) { $0 + $1.count }
  }
}

extension MigrationTrace.Event.Kind {
  /// Whether it is a handler of a stage, not a hook of an entity mapping.
  fileprivate var isOfStage: Bool { self == .willMigrate || self == .didMigrate }
}

extension ChainFailure {
  /// `error 1570`, or the domain of an error that isn't Core Data's.
  package var shortText: String {
    let error = error as NSError
    return error.domain == CoreDataError.errorDomain ? "error \(error.code)" : error.domain
  }
}

extension SQLDifference {
  /// What differs, in one line.
  var text: String {
    "\(place ?? "a fetch") (\(predicate)): \(objectText), on which memory and SQL "
      + (reason == .types ? "may disagree" : "disagree")
  }

  /// `2 rows of User (User/p3, User/p4)`.
  var objectText: String {
    let names = objects.joined(separator: ", ") + (count > objects.count ? ", …" : "")
    return "\(count.counted("row")) of \(entity) (\(names))"
  }
}
