/// What one executed step did.
public struct HopReport: Sendable {
  public let hop: String
  /// Nil when the step failed before a mapping was chosen.
  public let mapping: MappingUse?
  /// The mapping models that ran, by name.
  public let mappingNames: [String]
  /// The mapping models on offer that don't fit, and why.
  public let stale: [String]
  public let entityMappings: [EntityMappingReport]
  /// What happened, in order.
  public let events: [MigrationTrace.Event]
  public let seconds: Double
  /// Objects in the store before and after; nil where the run didn't get there.
  public internal(set) var sourceObjectCount: Int?
  public internal(set) var destinationObjectCount: Int?

  init(_ report: StepReport) {
    hop = report.name
    mapping = report.choice.flatMap { MappingUse(rawValue: $0.kind.rawValue) }
    mappingNames = report.runs.map(\.name)
    stale = report.choice?.stale.map(\.description) ?? []
    entityMappings = report.runs.flatMap(\.entityMappings)
    events = report.runs.flatMap(\.trace.events)
    seconds = report.seconds
  }
}

extension HopReport {
  /// How often a hook was called for an entity mapping, or for all mappings of a policy class.
  func calls(of hook: String, for target: String) -> Int {
    let mappings = Set(
      entityMappings.filter { $0.name == target || $0.policyClassName == target }.map(\.name))
    return events.filter { event in
      event.kind.rawValue == hook && event.entityMapping.map(mappings.contains) == true
    }.reduce(0) { $0 + $1.count }
  }
}
