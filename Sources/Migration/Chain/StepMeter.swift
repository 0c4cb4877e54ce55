/// Told when the parts of a chain's steps begin and end, to measure what each of them uses.
///
/// Parts follow one another and don't overlap; what lies between two of them (choosing a mapping,
/// making the new store) belongs to none.
public protocol StepMeter: AnyObject {
  func begin(_ part: StepPart)
  func end(_ part: StepPart)
}

/// A part of a step that is measured by itself.
public enum StepPart: String, CaseIterable, Sendable, Codable {
  /// The first pass: source objects are read, and destination objects made from them.
  case instances
  case relationships, validation, save
  /// Everything of a step that runs inside SQLite, but for `sync`.
  case sql
  /// Indexes are made and, in the last step, all is made durable.
  case sync

  init?(_ pass: MigrationPass) {
    switch pass {
    case .instances: self = .instances
    case .relationships: self = .relationships
    case .validation: self = .validation
    case .save: self = .save
    case .willMigrate, .didMigrate: return nil
    }
  }
}

/// Measures `body` as a part of a step, if anybody does.
func measure<Result>(
  _ part: StepPart, by meter: (any StepMeter)?, _ body: () throws -> Result
) rethrows -> Result {
  meter?.begin(part)
  defer { meter?.end(part) }
  return try body()
}
