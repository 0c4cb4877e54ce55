/// Something a scenario says must be true.
package struct Expectation: Sendable {
  package var place: SourcePlace
  /// The version whose store is looked at; nil for the chain's last.
  package var version: Located<String>?
  /// The starts it holds for; empty for all.
  package var starts: [Located<String>] = []
  package var check: Check

  package enum Check: Sendable {
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
  package var keyword: String {
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

extension Expectation.Check {
  package var isFailure: Bool {
    if case .fails = self { true } else { false }
  }

  /// Whether it says which steps are executed.
  package var isAboutSteps: Bool {
    switch self {
    case .hops, .fails: true
    default: false
    }
  }

  /// Whether it looks at what the run did, not at objects.
  package var isAboutRun: Bool {
    switch self {
    case .calls, .prints, .trace, .hops, .mapping, .sourceUntouched, .destinationAbsent, .store,
      .fails:
      true
    default: false
    }
  }
}

extension [ChainStep] {
  /// Where a step is written.
  package func place(of hop: String?) -> SourcePlace? {
    first { $0.hop.value.description == hop }?.hop.place
  }
}

/// How many objects of a query there must be.
package enum Quantity: Sendable, Equatable {
  case none, some, all
  case exactly(Int)

  package var keyword: String {
    switch self {
    case .none: "none"
    case .some: "some"
    case .all: "all"
    case .exactly: "exactly"
    }
  }
}

package struct CountExpectation: Sendable {
  package var query: ObjectQuery
  package var count: Located<Int>
}

/// An object, the values it must have and the object it must come from.
package struct ObjectExpectation: Sendable {
  package var object: ObjectReference
  package var values: [PropertyValue] = []
  /// The source object it was made from.
  package var origin: ObjectReference?
}

/// What a source object must have become: one destination entity per object.
package struct MadeExpectation: Sendable {
  package var source: ObjectReference
  package var entities: [Located<String>]
}

/// A statement about the model of a version.
package struct ModelFact: Sendable {
  package enum Claim: Sendable {
    case exists
    case gone
    /// Facts by name: `type`, `optional`, `deleteRule`, …
    case facts([PropertyValue])
  }
  package var subject: PropertyReference
  package var claim: Claim
}

/// How often a policy's hook must have been called.
package struct CallCount: Sendable {
  /// The policy class as the mapping names it, or the name of an entity mapping.
  package var target: Located<String>
  /// The hook, by the base name of its method.
  package var hook: Located<String>
  package var count: Located<Int>
}

/// How often the app's code must have printed a text.
package struct PrintedCount: Sendable {
  package var text: Located<String>
  package var count: Located<Int>
}

package enum MappingUse: String, Sendable, CaseIterable, Codable {
  case custom, inferred
}

/// A hop that must have been executed.
package struct HopExpectation: Sendable {
  package var hop: Located<Hop>
  package var mapping: Located<MappingUse>?
}

/// The error a run must end with. What is nil isn't looked at.
package struct FailureExpectation: Sendable {
  package var place: SourcePlace
  package var step: Located<Hop>?
  package var code: Located<Int>?
  /// The domain of the code; Core Data's unless said.
  package var domain: Located<String>?
  /// The code of the error behind it.
  package var underlying: Located<Int>?
  package var pass: Located<String>?
  /// The name of the entity mapping.
  package var mapping: Located<String>?
  package var entity: Located<String>?
  package var property: Located<String>?
  package var object: Located<String>?
  /// Text that the reason must contain.
  package var message: Located<String>?
  /// One for each single error of an error for several (1560).
  package var errors: [FailureExpectation] = []

  package init(place: SourcePlace) { self.place = place }
}
