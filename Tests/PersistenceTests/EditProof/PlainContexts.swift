import Persistence

/// Contexts and a store with nothing but attributes, written down a second time and as plainly as
/// possible, to compare the engine with.
struct PlainContexts {
  struct Row: Equatable {
    var version: Int
    var values: [String: Int]
  }
  private struct Local {
    enum State { case clean, updated, inserted, deleted }
    var version: Int
    var base: [String: Int]
    var values: [String: Int]
    var state = State.clean
  }
  private(set) var rows: [Int: Row] = [:]
  private var locals: [[Int: Local]]
  private let policies: [MergePolicyType]
  /// How many rows were made again.
  private var remakes = 0

  init(policies: [MergePolicyType]) {
    self.policies = policies
    locals = policies.map { _ in [:] }
  }

  /// Reads an object, as whoever edits it does.
  private mutating func read(_ object: Int, _ context: Int) -> Bool {
    if let known = locals[context][object] { return known.state != .deleted }
    guard let row = rows[object] else { return false }
    locals[context][object] = Local(version: row.version, base: row.values, values: row.values)
    return true
  }

  mutating func insert(_ object: Int, _ context: Int) {
    locals[context][object] = Local(version: 0, base: [:], values: [:], state: .inserted)
  }

  mutating func set(_ object: Int, _ key: String, _ value: Int?, _ context: Int) -> Bool {
    guard read(object, context) else { return false }
    if locals[context][object]?.state == .clean { locals[context][object]?.state = .updated }
    locals[context][object]?.values[key] = value
    return true
  }

  mutating func delete(_ object: Int, _ context: Int) -> Bool {
    guard read(object, context) else { return false }
    let isNew = locals[context][object]?.state == .inserted
    if isNew { locals[context][object] = nil } else { locals[context][object]?.state = .deleted }
    return true
  }

  mutating func rollback(_ context: Int) {
    locals[context] = locals[context].filter { $0.value.state == .clean }
  }

  mutating func refresh(_ object: Int, merging: Bool, _ context: Int) -> Bool {
    guard read(object, context) else { return false }
    guard let local = locals[context][object], local.state != .inserted else {
      if !merging { locals[context][object]?.values = [:] }
      return true
    }
    if !merging || local.state == .clean {
      locals[context][object] = nil
    } else if let row = rows[object] {
      locals[context][object] = merged(local, with: row) { mine, base, theirs in
        mine == base ? theirs : mine
      }
    }
    return true
  }

  private func merged(
    _ local: Local, with row: Row, _ choose: (Int?, Int?, Int?) -> Int?
  ) -> Local {
    var result = local
    for key in Set(local.values.keys).union(local.base.keys).union(row.values.keys) {
      result.values[key] = choose(local.values[key], local.base[key], row.values[key])
    }
    (result.base, result.version) = (row.values, row.version)
    return result
  }

  // MARK: Saving

  /// - Returns: 133020 for a save that is refused, 0 for one that isn't.
  mutating func save(_ context: Int) -> Int {
    let conflicts = locals[context].filter { object, local in
      local.state != .clean && local.state != .inserted
        && rows[object]?.version != local.version
    }
    if !conflicts.isEmpty && policies[context] == .errorMergePolicyType { return 133020 }
    for (object, local) in conflicts { resolve(object, local, context) }
    for (object, local) in locals[context] where local.state != .clean {
      write(object, local, context)
    }
    return 0
  }

  private mutating func resolve(_ object: Int, _ local: Local, _ context: Int) {
    let policy = policies[context]
    let wins =
      policy == .mergeByPropertyObjectTrumpMergePolicyType || policy == .overwriteMergePolicyType
    guard let row = rows[object] else {
      let isUpdate = local.state == .updated
      locals[context][object] = isUpdate && wins ? reinserted(local) : nil
      return
    }
    switch (local.state, policy) {
    case (.deleted, _): if !wins { locals[context][object] = nil }
    case (_, .rollbackMergePolicyType): locals[context][object] = nil
    case (_, .mergeByPropertyStoreTrumpMergePolicyType):
      locals[context][object] = merged(local, with: row) { $2 == $1 ? $0 : $2 }
    case (_, .overwriteMergePolicyType):
      locals[context][object] = merged(local, with: row) { mine, _, _ in mine }
    default: locals[context][object] = merged(local, with: row) { $0 == $1 ? $2 : $0 }
    }
  }

  private mutating func reinserted(_ local: Local) -> Local {
    var again = local
    remakes += 1
    (again.state, again.version) = (.inserted, local.version + remakes << 20)
    return again
  }

  private mutating func write(_ object: Int, _ local: Local, _ context: Int) {
    if local.state == .deleted {
      rows[object] = nil
      locals[context][object] = nil
      return
    }
    let version =
      local.state == .inserted ? max(1, local.version) : (rows[object]?.version ?? 0) + 1
    rows[object] = Row(version: version, values: local.values)
    locals[context][object] = Local(version: version, base: local.values, values: local.values)
  }
}
