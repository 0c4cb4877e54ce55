import Persistence
import TestSupport
import Testing

/// A fetch gives the same objects, or fails, from memory and from SQLite.
///
/// `HEAVYWEIGHT_RANDOM_PREDICATES` says how many predicates are tried (6000 unless set), and
/// `HEAVYWEIGHT_SEED` repeats one run of a failure.
@Suite(.tags(.random), .tiered) struct RandomFetchTests {
  private static let perDataset = 60

  @Test func memoryAndSQLiteAgree() throws {
    try compare(share: 1, editing: false) { $0.condition() }
  }

  /// Changed objects are judged in memory, the others by SQL.
  @Test func memoryAndSQLiteAgreeBesideUnsavedChanges() throws {
    try compare(share: 0.25, editing: true) { $0.ownCondition() }
  }

  /// Tries predicates until one fails; that one is shown with as few parts and rows as possible.
  private func compare(
    share: Double, editing: Bool, _ condition: (inout RandomFormat) -> String
  ) throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["HEAVYWEIGHT_RANDOM_PREDICATES"].flatMap(Double.init) ?? 6000
    let first = environment["HEAVYWEIGHT_SEED"].flatMap(UInt64.init)
    var refused = 0
    for dataset in 0..<max(1, Int(count * share) / Self.perDataset) {
      let seed = first.map { $0 &+ UInt64(dataset) } ?? UInt64.random(in: .min ... .max)
      var trial = try FetchTrial(RandomRows(seed: seed), editing: editing ? seed : nil)
      var writer = RandomFormat(seed: seed)
      for _ in 0..<Self.perDataset {
        let predicate = try Predicate.parse(condition(&writer))
        switch trial.outcome(of: predicate) {
        case .agreement(let wasRefused): refused += wasRefused ? 1 : 0
        case .difference:
          Issue.record("HEAVYWEIGHT_SEED=\(seed)\n\(try trial.smallestFailure(of: predicate))")
          return
        }
      }
    }
    #expect(Double(refused) < count * share / 2, "\(refused) were refused")
    #expect(editing || refused > 0, "nothing was refused")
  }
}

/// The same rows in both stores, to be asked with the same predicates.
private struct FetchTrial {
  enum Outcome: Equatable {
    case agreement(refused: Bool)
    case difference(String)
  }

  private let rows: RandomRows
  /// The seed of unsaved changes; nil for none.
  private let edits: UInt64?
  private var stacks: [Stack] = []
  private var sides: [(context: ManagedObjectContext, variables: [String: Any])] = []

  init(_ rows: RandomRows, editing edits: UInt64? = nil) throws {
    self.rows = rows
    self.edits = edits
    let model = try RandomRows.model()
    for backend in Backend.allCases {
      let stack = try Stack(backend, model)
      let (context, objects) = try rows.objects(in: stack)
      context.unsupportedFetches = .evaluatedInMemory
      if let edits { try RandomRows.edit(objects, in: context, seed: edits) }
      let named = objects.enumerated().map { ("o\($0.offset)", $0.element) }
      stacks.append(stack)
      sides.append((context, Dictionary(uniqueKeysWithValues: named)))
    }
  }

  /// Asks memory and SQLite, and SQLite once more as a device would: that may refuse, but must not
  /// give another answer.
  func outcome(of predicate: Predicate) -> Outcome {
    let (memory, sqlite) = (answer(0, predicate), answer(1, predicate))
    let context = sides[1].context
    context.unsupportedFetches = .refused
    let strict = answer(1, predicate)
    context.unsupportedFetches = .evaluatedInMemory
    let isRefused = strict == "error" && sqlite != "error"
    if memory == sqlite, isRefused || strict == sqlite { return .agreement(refused: isRefused) }
    return .difference("memory  \(memory)\nSQLite  \(sqlite)\nstrict  \(strict)")
  }

  /// The numbers of the objects found, or `error`.
  private func answer(_ side: Int, _ predicate: Predicate) -> String {
    let request = FetchRequest<ManagedObject>(entityName: "Person")
    request.predicate = predicate.withSubstitutionVariables(sides[side].variables)
    do {
      return try ExceptionTrap.catching {
        let found = try sides[side].context.fetch(request)
        let numbers = try found.map { try $0.typedValue(forKey: "number").doubleValue ?? -1 }
        return "\(numbers.map { Int($0) }.sorted())"
      }
    } catch { return "error" }
  }

  /// The failure with fewer parts and fewer rows.
  mutating func smallestFailure(of predicate: Predicate) throws -> String {
    let trial = self
    let small = predicate.shrunk {
      if case .difference = trial.outcome(of: $0) { true } else { false }
    }
    var best = self
    var place = 0
    while place < best.rows.rows.count {
      let fewer = try FetchTrial(best.rows.without(place), editing: edits)
      if case .difference = fewer.outcome(of: small) { best = fewer } else { place += 1 }
    }
    guard case .difference(let text) = best.outcome(of: small) else { return "\(small)" }
    let shown = best.rows.rows.enumerated().map { "\($0.offset)  \($0.element)" }
    return "\(small)\n\(text)\n" + shown.joined(separator: "\n")
  }
}

// MARK: - Whole requests

/// Whatever a fetch asks for, memory and SQLite answer alike, or both refuse.
///
/// `HEAVYWEIGHT_RANDOM_REQUESTS` says how many requests are tried (6000 unless set), and
/// `HEAVYWEIGHT_SEED` is the first seed, 1 unless set: it repeats a failure, or tries other requests.
@Suite(.tags(.random), .tiered) struct RandomRequestTests {
  private static let perDataset = 60

  @Test(arguments: [false, true])
  func memoryAndSQLiteAgree(editing: Bool) throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["HEAVYWEIGHT_RANDOM_REQUESTS"].flatMap(Int.init) ?? 6000
    let first = environment["HEAVYWEIGHT_SEED"].flatMap(UInt64.init) ?? 1
    var answered = 0
    for dataset in 0..<max(1, count / 2 / Self.perDataset) {
      let seed = first &+ UInt64(dataset)
      let trial = try RequestTrial(RandomRows(seed: seed), editing: editing ? seed : nil)
      var requests = RandomRequests(seed: seed)
      for number in 0..<Self.perDataset {
        let request = requests.next()
        let outcome = trial.outcome(of: request, askingChildren: number % 4 == 0)
        if outcome.isDifference {
          Issue.record(
            "HEAVYWEIGHT_SEED=\(seed)\n\(try trial.smallestFailure(of: request))")
          return
        }
        if outcome.isAnswered { answered += 1 }
      }
    }
    #expect(answered > count / 4, "\(answered) were answered")
  }
}

/// The same rows in both stores, to be asked with the same requests.
private struct RequestTrial {
  struct Outcome {
    let memory: String
    let sqlite: String
    /// What SQLite says as strictly as a device.
    let strict: String
    /// What child contexts with the same unsaved changes say, on either store.
    let children: [String]

    var isAnswered: Bool { memory != "error" }
    var isDifference: Bool {
      memory != sqlite || (strict != sqlite && strict != "error")
        || children.contains { $0 != memory }
    }
    var description: String {
      "memory  \(memory)\nSQLite  \(sqlite)\nstrict  \(strict)\nchildren  "
        + children.joined(separator: "\n")
    }
  }

  private let rows: RandomRows
  private let edits: UInt64?
  private var stacks: [Stack] = []
  private var sides: [Side] = []
  private var children: [Side] = []
  private typealias Side = (context: ManagedObjectContext, variables: [String: Any])

  init(_ rows: RandomRows, editing edits: UInt64?) throws {
    self.rows = rows
    self.edits = edits
    let model = try RandomRows.model()
    for backend in Backend.allCases {
      let stack = try Stack(backend, model)
      let (context, objects) = try rows.objects(in: stack)
      stacks.append(stack)
      sides.append(try Self.side(context, objects, edits))
      let child = Self.child(on: stack)
      children.append(
        try Self.side(child, objects.map { child.object(with: $0.objectID) }, edits))
    }
  }

  private static func side(
    _ context: ManagedObjectContext, _ objects: [ManagedObject], _ edits: UInt64?
  ) throws -> Side {
    if let edits { try RandomRows.edit(objects, in: context, seed: edits) }
    let named = objects.enumerated().map { ("o\($0.offset)", $0.element) }
    return (context, Dictionary(uniqueKeysWithValues: named))
  }

  /// A context whose parent reads the store.
  private static func child(on stack: Stack) -> ManagedObjectContext {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: stack.model)
    coordinator.add(stack.store)
    let parent = ManagedObjectContext(concurrencyType: .privateQueue)
    parent.persistentStoreCoordinator = coordinator
    let child = ManagedObjectContext(concurrencyType: .privateQueue)
    child.parent = parent
    for context in [parent, child] { context.unsupportedFetches = .evaluatedInMemory }
    return child
  }

  func outcome(of request: RandomRequest, askingChildren: Bool = true) -> Outcome {
    for side in sides { side.context.unsupportedFetches = .evaluatedInMemory }
    let (memory, sqlite) = (answer(sides[0], request), answer(sides[1], request))
    sides[1].context.unsupportedFetches = .refused
    return Outcome(
      memory: memory, sqlite: sqlite, strict: answer(sides[1], request),
      children: askingChildren ? children.map { answer($0, request) } : [])
  }

  private func answer(_ side: Side, _ request: RandomRequest) -> String {
    do {
      return try ExceptionTrap.catching {
        let asked = try request.request(side.variables)
        let found = try side.context.fetch(asked)
        let count = try side.context.count(for: asked)
        let isCounted =
          request.result == .count
          ? (found.first as? NSNumber)?.intValue == count : found.count == count
        return "\(try Self.shown(found))" + (isCounted ? "" : "\ncounted \(count)")
      }
    } catch { return "error" }
  }

  private static func shown(_ results: [any FetchRequestResult]) throws -> String {
    var texts: [String] = []
    for result in results { texts.append(try shown(result)) }
    return texts.joined(separator: "\n")
  }

  /// The result as text that is the same for both stores.
  private static func shown(_ result: any FetchRequestResult) throws -> String {
    switch result {
    case let object as ManagedObject: return try number(of: object)
    case let id as ManagedObjectID:
      return id.isTemporaryID ? "new" : shown(value: id)
    case let dictionary as NSDictionary:
      let entries = dictionary.map { key, value in "\(key): \(shown(value: value))" }
      return "{\(entries.sorted().joined(separator: ", "))}"
    default: return shown(value: result)
    }
  }

  private static func number(of object: ManagedObject) throws -> String {
    "\(object.entity.name) \(try object.typedValue(forKey: "number").doubleValue ?? -1)"
  }

  private static func shown(value: Any) -> String {
    if let id = value as? ManagedObjectID { return "\(id.entity.name) \(id.primaryKey)" }
    return switch Value(value) {
    // 0 and -0 are one number to everybody.
    case .double(let number): "\(number == 0 ? 0 : number)"
    case let value: value.notation ?? "nil"
    }
  }

  // MARK: Shrinking

  /// The failure with less to ask for, and fewer rows.
  func smallestFailure(of request: RandomRequest) throws -> String {
    var small = request
    while let next = small.smaller.first(where: { outcome(of: $0).isDifference }) { small = next }
    var best = self
    var place = 0
    while place < best.rows.rows.count {
      let fewer = try RequestTrial(best.rows.without(place), editing: edits)
      if fewer.outcome(of: small).isDifference { best = fewer } else { place += 1 }
    }
    let shown = best.rows.rows.enumerated().map { "\($0.offset)  \($0.element)" }
    return "\(small)\n\(best.outcome(of: small).description)\n" + shown.joined(separator: "\n")
  }
}
