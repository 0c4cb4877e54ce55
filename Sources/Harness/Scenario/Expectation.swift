/// Something a scenario says must be true.
public struct Expectation: Sendable {
  public var place: SourcePlace
  /// The version whose store is looked at; nil for the chain's last.
  public var version: Located<String>?
  /// The starts it holds for; empty for all.
  public var starts: [Located<String>] = []
  public var check: Check

  public enum Check: Sendable {
    case count([CountExpectation])
    case unique([PropertyReference])
    case inverse([PropertyReference])
    case required([PropertyReference])
    case quantity(Quantity, ObjectQuery)
    case object(ObjectExpectation)
    case made([MadeExpectation])
    case dropped([ObjectReference])
    /// The source entities; empty for all.
    case everySourceMigrated([Located<String>])
    case model([ModelFact])
    case calls([CallCount])
    case prints([PrintedCount])
    case trace([Located<String>])
    case hops([HopExpectation])
    case mapping(Located<MappingUse>)
    case sourceUntouched
    case destinationAbsent
    case store(Located<String>)
    case fails(FailureExpectation)
  }
}

extension Expectation.Check {
  /// The keyword it is written with.
  public var keyword: String {
    switch self {
    case .count: "count"
    case .unique: "unique"
    case .inverse: "inverse"
    case .required: "required"
    case .quantity(let quantity, _): quantity.keyword
    case .object: "object"
    case .made: "made"
    case .dropped: "dropped"
    case .everySourceMigrated: "everySourceMigrated"
    case .model: "model"
    case .calls: "calls"
    case .prints: "prints"
    case .trace: "trace"
    case .hops: "hops"
    case .mapping: "mapping"
    case .sourceUntouched: "source"
    case .destinationAbsent: "destination"
    case .store: "store"
    case .fails: "fails"
    }
  }
}

/// How many objects of a query there must be.
public enum Quantity: Sendable, Equatable {
  case none, some, all
  case exactly(Int)

  public var keyword: String {
    switch self {
    case .none: "none"
    case .some: "some"
    case .all: "all"
    case .exactly: "exactly"
    }
  }
}

public struct CountExpectation: Sendable {
  public var query: ObjectQuery
  public var count: Located<Int>
}

/// An object, the values it must have and the object it must come from.
public struct ObjectExpectation: Sendable {
  public var object: ObjectReference
  public var values: [PropertyValue] = []
  /// The source object it was made from.
  public var origin: ObjectReference?
}

/// What a source object must have become: one destination entity per object.
public struct MadeExpectation: Sendable {
  public var source: ObjectReference
  public var entities: [Located<String>]
}

/// A statement about the model of a version.
public struct ModelFact: Sendable {
  public enum Claim: Sendable {
    case exists
    case gone
    /// Facts by name: `type`, `optional`, `deleteRule`, …
    case facts([PropertyValue])
  }
  public var subject: PropertyReference
  public var claim: Claim
}

/// How often a policy's hook must have been called.
public struct CallCount: Sendable {
  /// The policy class as the mapping names it, or the name of an entity mapping.
  public var target: Located<String>
  /// The hook, by the base name of its method.
  public var hook: Located<String>
  public var count: Located<Int>
}

/// How often the app's code must have printed a text.
public struct PrintedCount: Sendable {
  public var text: Located<String>
  public var count: Located<Int>
}

public enum MappingUse: String, Sendable, CaseIterable, Codable {
  case custom, inferred
}

/// A hop that must have been executed.
public struct HopExpectation: Sendable {
  public var hop: Located<Hop>
  public var mapping: Located<MappingUse>?
}

/// The error a run must end with. What is nil isn't looked at.
public struct FailureExpectation: Sendable {
  public var place: SourcePlace
  public var step: Located<Hop>?
  public var code: Located<Int>?
  /// The domain of the code; Core Data's unless said.
  public var domain: Located<String>?
  /// The code of the error behind it.
  public var underlying: Located<Int>?
  public var pass: Located<String>?
  /// The name of the entity mapping.
  public var mapping: Located<String>?
  public var entity: Located<String>?
  public var property: Located<String>?
  public var object: Located<String>?
  /// Text that the reason must contain.
  public var message: Located<String>?
  /// One for each single error of an error for several (1560).
  public var errors: [FailureExpectation] = []

  public init(place: SourcePlace) { self.place = place }
}
