/// What a migration did, in order: hooks, validation, the save, and warnings.
///
/// Calls of one hook for many objects in a row are one event with a count, so a trace stays small
/// and still shows the exact order.
public final class MigrationTrace {
  /// One thing that happened.
  public struct Event: Hashable, Sendable, Codable {
    public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
      case begin, createDestinationInstances, endInstanceCreation
      case createRelationships, endRelationshipCreation
      case performCustomValidation, end
      case validate, save, cancel, warning
      /// The handlers of a custom stage.
      case willMigrate, didMigrate
    }
    public var kind: Kind
    /// The name of the entity mapping; nil for `validate` and `save`. For a stage's handlers, the
    /// stage's label, or the step it makes.
    public var entityMapping: String?
    /// How often it happened in a row: once per object for the hooks that objects have, else once.
    /// For `validate` and `save` the number of new objects.
    public var count = 1
    /// The text of a warning.
    public var text: String?
  }

  public private(set) var events: [Event] = []

  public init() {}

  /// How often a hook was called, for one entity mapping or for all.
  public func count(of kind: Event.Kind, entityMapping: String? = nil) -> Int {
    events.lazy
      .filter { $0.kind == kind && (entityMapping == nil || $0.entityMapping == entityMapping) }
      .reduce(0) { $0 + $1.count }
  }

  /// How often a hook was called, by the name of the entity mapping.
  func counts(of kind: Event.Kind) -> [String: Int] {
    var counts: [String: Int] = [:]
    for event in events where event.kind == kind {
      if let name = event.entityMapping { counts[name, default: 0] += event.count }
    }
    return counts
  }

  /// The warnings' texts, each once, in order of their first appearance.
  public var warnings: [String] { events.warnings }

  /// What there is to say of a step that calls no hooks on a device.
  var withoutHooks: MigrationTrace {
    let trace = MigrationTrace()
    trace.events = events.filter { $0.kind == .warning }
    return trace
  }

  func record(_ kind: Event.Kind, entityMapping: String? = nil, count: Int = 1) {
    guard count > 0 else { return }
    if let last = events.last, last.kind == kind, last.entityMapping == entityMapping {
      events[events.count - 1].count += count
    } else {
      events.append(Event(kind: kind, entityMapping: entityMapping, count: count))
    }
  }

  func warn(_ text: String, entityMapping: String?) {
    if let last = events.last, last.kind == .warning, last.text == text {
      events[events.count - 1].count += 1
    } else {
      events.append(Event(kind: .warning, entityMapping: entityMapping, text: text))
    }
  }
}

extension [MigrationTrace.Event] {
  /// The warnings' texts, each once, in order of their first appearance.
  package var warnings: [String] { compactMap(\.text).uniqued() }
}

extension MigrationTrace.Event: CustomStringConvertible {
  /// `createDestinationInstances EventToEvent ×3`.
  public var description: String {
    let words = [kind.rawValue, entityMapping, text, count > 1 ? "×\(count)" : nil]
    return words.compactMap { $0 }.joined(separator: " ")
  }
}
