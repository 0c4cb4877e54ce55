/// Something that isn't as it should be.
package struct Failure: Sendable, Codable {
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// An expectation doesn't hold.
    case expectation
    /// An error that nobody expected.
    case error
    /// The two backends ended with different content.
    case backendsDiffer = "backends differ"
    /// A predicate chose other rows in SQL, as on a device, than it would in memory.
    case sqlDiffers = "SQL differs"
    /// A step did what nobody knows a device to do.
    case unknownOnDevice = "unknown on a device"
    /// The run's process ended before the run did.
    case crash
    /// The run took longer than it may.
    case timeout
    /// The run took more memory than it may.
    case memory
    /// A step of the chain should have been executed, and wasn't.
    case notExecuted = "not executed"
    /// The result, opened by another process, isn't what the run left.
    case openedAgain = "opened again"
    /// The result isn't a sound store: what `heavyweight inspect` calls an error.
    case damagedResult = "damaged result"
    /// The scenario expects nothing.
    case nothingExpected = "nothing expected"
    /// An expectation holds because there was nothing that it could have been wrong about.
    case nothingLookedAt = "nothing looked at"
    /// The machine failed, so that nothing is known of the run.
    case notJudged = "not judged"
  }
  package let kind: Kind
  package let place: SourcePlace?
  /// The step of the chain, or of what follows it, at which it shows.
  package var step: String?
  /// What was looked at.
  package let subject: String
  package let expected: String
  package let found: String
  package var notes: [String]
  /// What of a store it is about.
  package var target: Target?
  /// What an expectation missed, where that alone suggests a cause.
  package var symptom: Symptom?
  package var counts: Counts?
  package var error: ErrorCode?
  /// The pass of the migration that an error stopped.
  package var pass: String?
  /// Where the value that was found first was what it is.
  package var origin: Origin?
  /// What was in the place of the value at the versions before, the oldest first.
  package var history: [Stage] = []
  /// The line of a policy that was running, as `Policies/SongPolicy.swift:12`.
  package var code: CodePlace?
  /// The explanations that may help, by identifier.
  package var hints: [String] = []
  /// Options of the call without which it doesn't happen again, as a command line has them.
  package var options: [String] = []
  /// What would have to be written in the scenario for this to hold; empty where that is no value.
  package var repairs: [Repair] = []
  /// The fault of the machine that it is about.
  package var fault: MachineFault?
  /// Whether it is an error that brings advice of its own.
  package var isAdvised = false
  /// Every value that was expected, where there may be several.
  var expectedItems: [String] = []
  /// What to look up in earlier stores; not for another process, which has none.
  var question: HistoryQuestion?

  private enum CodingKeys: String, CodingKey {
    case kind, place, step, subject, expected, found, notes, target, symptom, counts, error, pass
    case origin, history, code, hints, options, repairs, fault, isAdvised
  }

  package init(
    _ kind: Kind, at place: SourcePlace?, step: String? = nil, _ subject: String,
    expected: String, found: String, notes: [String] = []
  ) {
    self.kind = kind
    self.place = place
    self.step = step
    self.subject = subject
    // Texts can look alike and be made of other characters.
    let isAlike = expected.appearance == found.appearance
    self.expected = isAlike ? expected.withEscapes : expected
    self.found = isAlike ? found.withEscapes : found
    self.notes = notes
  }
}

extension String {
  /// The text with an escape for each character beyond ASCII, or that shows nothing.
  fileprivate var withEscapes: String {
    unicodeScalars.map { scalar in
      scalar == "\n" || scalar.isASCII && scalar.properties.generalCategory != .control
        ? "\(scalar)" : "\\u{\(String(scalar.value, radix: 16))}"
    }.joined()
  }

  /// What a reader sees of the text: nothing of characters that show nothing, and one letter for those of one shape.
  fileprivate var appearance: String {
    let shown = unicodeScalars.filter {
      !$0.properties.isDefaultIgnorableCodePoint && $0.properties.generalCategory != .control
    }
    let text = String(String.UnicodeScalarView(shown)).precomposedStringWithCompatibilityMapping
    return String(text.map { Self.lookalikes[$0] ?? $0 })
  }

  private static let lookalikes = Dictionary(
    uniqueKeysWithValues: zip(
      "аеорсухіјѕАВЕКМНОРСТХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "aeopcyxijsABEKMHOPCTXIJSABEZHIKMNOPTYXo"))
}

// MARK: - Facts

extension Failure {
  /// An object, or all of an entity, and the property in question.
  package struct Target: Sendable, Codable, Equatable {
    package var entity: String?
    /// The local name, where the object has one.
    package var name: String?
    /// How to find the object in the store, as `Event/p2`: entity and row number.
    package var row: String?
    package var property: String?
  }

  /// What is wrong with a result, whatever the words for it.
  package enum Symptom: String, Sendable, Codable {
    /// Another number of calls of a policy's methods, or of what they print.
    case callsOfPolicy
    /// Links that don't lead back.
    case oneSidedLinks
    /// A seeded object that became nothing.
    case lostObject
    /// Seeded objects of which nothing became, whichever they are.
    case unmigrated
    /// Values that should be there once.
    case repeatedValues
    /// More objects of an entity than expected.
    case tooManyObjects
    /// Fewer objects of an entity than expected.
    case tooFewObjects
    /// Several objects without a value where each should have its own.
    case repeatedNil
    /// Nothing where a value, or a link, is expected.
    case noValue
    /// Another number of objects that a policy fetches.
    case fetches
  }

  /// How many of something there should be, and how many there are.
  package struct Counts: Sendable, Codable, Equatable {
    package var expected: Int
    package var found: Int

    package var difference: Int { found - expected }
  }

  /// An error, by what code compares.
  package struct ErrorCode: Sendable, Codable, Equatable {
    package var domain: String
    package var code: Int
  }

  /// Where in a chain a value came to be.
  package struct Origin: Sendable, Codable, Equatable {
    /// The step; nil when the seed has it already.
    package var step: String?
    /// The version that has it first.
    package var version: String
    package var pass: String?
    /// The hook of the policy, its entity mapping, and the object that it was called for.
    package var hook: String?
    package var entityMapping: String?
    package var policy: String?
    package var object: String?
    /// Why no hook is named.
    package var remark: String?
  }

  /// What a version's store held.
  package struct Stage: Sendable, Codable, Equatable {
    package var version: String
    /// Nil where the version has nothing of the kind.
    package var value: String?
  }

  /// A line of an app's code.
  package struct CodePlace: Sendable, Codable, Equatable {
    package var file: String
    package var line: Int?
    /// The method, as `createRelationships of App.SongPolicy`.
    package var method: String?
  }
}

// MARK: - Making

extension Failure {
  /// An expectation that doesn't hold.
  /// - Parameters:
  ///   - notes: Examples, or where to look.
  ///   - repairs: What would have to be written for it to hold; empty for a rule, which isn't a value.
  package init(
    at place: SourcePlace, _ subject: String, expected: String, found: String, notes: [String] = [],
    repairs: [Repair] = []
  ) {
    self.init(.expectation, at: place, subject, expected: expected, found: found, notes: notes)
    self.repairs = repairs
  }

  /// The same, and a symptom of something.
  func showing(_ symptom: Symptom?) -> Failure {
    var failure = self
    failure.symptom = symptom
    return failure
  }

  /// The same at a step.
  func at(_ step: String?) -> Failure {
    var failure = self
    failure.step = step
    return failure
  }

  /// An error where none was expected.
  package init(error: any Error, at place: SourcePlace?, step: String?, _ subject: String) {
    let chain = error as? ChainFailure
    let fault = MachineFault(chain?.error ?? error)
    let text = fault.map { "\($0.kind.rawValue): \($0.text)" } ?? "\(error)"
    let lines = text.split(separator: "\n").map(String.init)
    self.init(
      fault == nil ? .error : .notJudged, at: place, step: step, subject,
      expected: fault == nil ? "no error" : "a machine on which it can be judged",
      found: lines.first ?? "error", notes: Array(lines.dropFirst()))
    self.fault = fault
    let inner = (chain?.error ?? error) as? CoreDataError
    let cause = (inner?.firstDetail ?? chain?.error ?? error) as NSError
    self.error = ErrorCode(domain: cause.domain, code: cause.code)
    let facts = inner?.firstDetail.place ?? chain?.place
    pass = inner?.place.pass ?? chain?.place.pass
    target = facts.flatMap(Target.init)
    isAdvised = inner.map { ([$0] + $0.details).contains { $0.advice != nil } } ?? false
    hints = FailureHints.identifiers(for: chain?.error ?? error)
  }
}

extension Failure.Target {
  /// What an error is about; nil when it doesn't say.
  fileprivate init?(_ place: CoreDataError.Place) {
    guard place.entity != nil || place.property != nil || place.object != nil else { return nil }
    entity = place.entity
    property = place.property
    name = place.sourceObject ?? place.object
  }
}

extension CoreDataError {
  /// Of an error for several the first, which says most.
  var firstDetail: CoreDataError { details.first ?? self }
}

extension Failure.CodePlace: CustomStringConvertible {
  package var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return method.map { "\(place), \($0)" } ?? place
  }
}
