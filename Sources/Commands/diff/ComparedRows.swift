/// What is remembered of one entity's rows in one store: some numbers per row, never the values.
struct ComparedRows {
  /// Primary keys, ascending.
  var keys: ContiguousArray<Int64> = []
  /// Hashes over the values of all attributes that are compared.
  var content: ContiguousArray<Int> = []
  /// Hashes over what identifies the object; equal in both stores for the same object.
  var identity: ContiguousArray<Int> = []
  /// The destinations of to-one relationships, by place among the pair's relationships; empty for
  /// to-many ones.
  var toOnes: [ContiguousArray<LinkEnd>]
  /// How many objects have a value, by place among the properties that only this store has.
  var unpairedValues: [Int]

  init(of pair: EntityPair, _ side: StoreSide) {
    toOnes = pair.relationships.map { _ in [] }
    unpairedValues = pair.unpaired[side].map { _ in 0 }
  }

  var count: Int { keys.count }

  /// The place of a row; nil when there is none with this key.
  /// - Complexity: O(log *rows*)
  func place(of key: Int64) -> Int? {
    let place = keys.indices.firstPlace { keys[$0] >= key }
    return place < keys.count && keys[place] == key ? place : nil
  }
}

/// Where a to-one relationship leads.
struct LinkEnd {
  let key: Int64
  /// The destination's ``EntityDescription/storeIndex``; negative for nil.
  let entity: Int32

  static let none = LinkEnd(key: 0, entity: -1)
}

extension LinkEnd {
  init(_ value: Value) {
    guard case .object(let object) = value, let id = object as? ManagedObjectID else {
      self = .none
      return
    }
    self.init(key: id.primaryKey, entity: Int32(id.entity.storeIndex))
  }
}

/// The hashes that a basis gives for all rows, while it isn't known yet whether it will do.
struct CandidateColumn {
  var hashes: ContiguousArray<Int> = []
  /// Whether all values were there, by row.
  var isComplete: ContiguousArray<Bool> = []

  /// Whether the basis tells objects apart: most have values, and no two the same ones.
  var isUsable: Bool {
    let complete = isComplete.count { $0 }
    guard complete * 2 >= hashes.count else { return false }
    var known = ContiguousArray(zip(hashes, isComplete).lazy.filter(\.1).map(\.0))
    known.sort()
    return !zip(known, known.dropFirst()).contains { $0 == $1 }
  }
}
