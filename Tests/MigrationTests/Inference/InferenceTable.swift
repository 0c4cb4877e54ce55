import Migration
import Testing

/// One kind of change between two versions of a model, and what a lightweight migration makes of it.
struct InferenceRow: Sendable, CustomTestStringConvertible {
  enum Outcome: Sendable {
    /// The step is inferred, and the new store holds this.
    case gives([String])
    /// The versions have the same hashes: there is nothing to migrate.
    case isNoChange
    /// - Parameter cause: The code of the error behind it.
    case fails(Int, String, cause: Int?)
  }
  typealias Seed = @Sendable (ManagedObjectContext) -> Void

  let change: String
  let old: [String]
  let new: [String]
  let seed: Seed
  let outcome: Outcome
  /// Whether SQL alone can do it; else objects are made, also where the step is to be done in place.
  let isSetBased: Bool

  /// - Parameters:
  ///   - old: Entities as ``notated(_:)`` reads them.
  ///   - seed: What is in the old store.
  init(
    _ change: String, from old: [String], to new: [String], _ outcome: Outcome,
    isSetBased: Bool = true, seed: @escaping Seed = { $0.insert("A", ["x": "1"]) }
  ) {
    self.change = change
    self.old = old
    self.new = new
    self.outcome = outcome
    self.isSetBased = isSetBased
    self.seed = seed
  }

  var testDescription: String { change }

  /// A row that inference refuses.
  static func refused(
    _ change: String, from old: [String], to new: [String], _ reason: String
  ) -> InferenceRow {
    InferenceRow(change, from: old, to: new, .refused(reason), seed: { _ in })
  }
}

extension InferenceRow.Outcome {
  /// Inference refuses with 134190; opening the store, or a chain's step, tells it as 134140.
  static func refused(_ reason: String) -> Self { .fails(134190, reason, cause: nil) }

  static func missing(_ what: String) -> Self {
    .fails(
      134110,
      "Cannot migrate store in-place: Validation error missing attribute values on mandatory "
        + "destination \(what)", cause: 134110)
  }
}

/// An entity in a line: `abstract A : Parent was Old | x = string?; bs = [B] <-> a`.
///
/// Before the bar: the name and options, a word each with what belongs to it; after it the properties
/// in the short notation of scenario files.
func notated(_ line: String) throws -> EntityDescription {
  let parts = line.split(separator: "|", maxSplits: 1).map(String.init)
  var words = parts[0].split(separator: " ").map(String.init)
  let isAbstract = words.first == "abstract"
  if isAbstract { words.removeFirst() }
  let entity = EntityDescription(name: words.removeFirst())
  entity.isAbstract = isAbstract
  while words.count > 1 {
    let (option, text) = (words.removeFirst(), words.removeFirst())
    switch option {
    case ":": entity.superentityName = text
    case "was": entity.explicitRenamingIdentifier = text
    case "unique": entity.uniquenessConstraints = [[text]]
    case "class": entity.managedObjectClassName = text
    case "index":
      entity.indexes = [.init(name: "by", elements: [.init(propertyName: text)])]
    default: entity.userInfo[option] = text
    }
  }
  entity.ownProperties = try (parts.count > 1 ? parts[1] : "").split(separator: ";").map {
    let sides = $0.split(separator: "=", maxSplits: 1).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    return try ModelNotation.property(named: sides[0], sides[1])
  }
  return entity
}
