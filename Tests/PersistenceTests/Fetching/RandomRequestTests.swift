import Persistence
import TestSupport
import Testing

/// Whatever a fetch asks for, memory and SQLite answer alike, or both refuse.
///
/// `HEAVYWEIGHT_RANDOM_REQUESTS` says how many requests are tried (6000 unless set), and
/// `HEAVYWEIGHT_SEED` repeats one run of a failure.
@Suite struct RandomRequestTests {
  private static let perDataset = 60

  @Test(arguments: [false, true])
  func memoryAndSQLiteAgree(editing: Bool) throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["HEAVYWEIGHT_RANDOM_REQUESTS"].flatMap(Int.init) ?? 6000
    let first = environment["HEAVYWEIGHT_SEED"].flatMap(UInt64.init)
    var answered = 0
    for dataset in 0..<max(1, count / 2 / Self.perDataset) {
      let seed = first.map { $0 &+ UInt64(dataset) } ?? UInt64.random(in: .min ... .max)
      let trial = try RequestTrial(RandomRows(seed: seed), editing: editing ? seed : nil)
      var requests = RandomRequests(seed: seed)
      for _ in 0..<Self.perDataset {
        let request = requests.next()
        let outcome = trial.outcome(of: request)
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

    var isAnswered: Bool { memory != "error" }
    var isDifference: Bool { memory != sqlite || (strict != sqlite && strict != "error") }
    var description: String { "memory  \(memory)\nSQLite  \(sqlite)\nstrict  \(strict)" }
  }

  private let rows: RandomRows
  private let edits: UInt64?
  private var stacks: [Stack] = []
  private var sides: [(context: ManagedObjectContext, variables: [String: Any])] = []

  init(_ rows: RandomRows, editing edits: UInt64?) throws {
    self.rows = rows
    self.edits = edits
    let model = try RandomRows.model()
    for backend in Backend.allCases {
      let stack = try Stack(backend, model)
      let (context, objects) = try rows.objects(in: stack)
      if let edits { try RandomRows.edit(objects, in: context, seed: edits) }
      let named = objects.enumerated().map { ("o\($0.offset)", $0.element) }
      stacks.append(stack)
      sides.append((context, Dictionary(uniqueKeysWithValues: named)))
    }
  }

  func outcome(of request: RandomRequest) -> Outcome {
    for side in sides { side.context.unsupportedFetches = .evaluatedInMemory }
    let (memory, sqlite) = (answer(0, request), answer(1, request))
    sides[1].context.unsupportedFetches = .refused
    return Outcome(memory: memory, sqlite: sqlite, strict: answer(1, request))
  }

  private func answer(_ side: Int, _ request: RandomRequest) -> String {
    do {
      return try ExceptionTrap.catching {
        let found = try sides[side].context.fetch(request.request(sides[side].variables))
        return "\(try found.map(Self.shown))"
      }
    } catch { return "error" }
  }

  /// The result as text that is the same for both stores.
  private static func shown(_ result: Any) throws -> String {
    switch result {
    case let object as ManagedObject: return try number(of: object)
    case let id as ManagedObjectID:
      return id.isTemporaryID ? "new" : "\(id.entity.name) \(id.primaryKey)"
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
    switch Value(value) {
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
