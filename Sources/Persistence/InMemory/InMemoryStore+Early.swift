// Writing the rows of new objects before their save.

extension InMemoryStore: EarlyStore {
  var isBeingFilled: Bool {
    uniqueness.isEmpty && unanswered.isEmpty && tables.allSatisfy(\.isUntouched)
  }

  /// Constraints are left to those who keep their objects.
  func rowsAreUnique() -> Bool { true }

  var rowsShareValues: Bool { true }

  func writeEarly(
    new: [ManagedObject], changed: [ManagedObject], _ unsaved: UnsavedRows
  ) -> EarlyBatch? {
    generation += 1
    var moves = MemberMoves()
    new.forEachUncounted { insertEarly($0, unsaved, &moves) }
    changed.forEachUncounted { updateEarly($0, unsaved, &moves) }
    carryOut(moves, inKeyOrder: false)
    for link in unsaved.links {
      uncounted(link.relationship) { relationship in
        uncounted(link.owner.objectID) { owner in
          change(owner, relationship) { $0.append(link.member.objectID) }
        }
      }
    }
    return nil
  }

  func writesLinks(of relationship: RelationshipDescription) -> Bool {
    guard let inverse = relationship.inverseRelationship else { return false }
    return relationship.isToMany && inverse.isToMany && inverse !== relationship
  }

  private func insertEarly(
    _ object: ManagedObject, _ unsaved: UnsavedRows, _ moves: inout MemberMoves
  ) {
    let id = object.objectID
    var row = InMemoryRow(
      id: id, version: 1, values: storedValues(object.values, of: id.entity),
      toMany: takeMembers(of: id))
    changeLinks(of: object, in: &row, unsaved)
    if !earlyProbes.isEmpty { earlyProbes.forEachUncounted { $0.note(row) } }
    put(row, &moves)
  }

  private func updateEarly(
    _ object: ManagedObject, _ unsaved: UnsavedRows, _ moves: inout MemberMoves
  ) {
    let id = object.objectID
    tables[id.entity.familyIndex].change(id.primaryKey) { row in
      if object.changedSlots != 0 {
        let values = storedValues(object.values, of: id.entity)
        move(id, from: row.values, to: values, &moves)
        row.values = values
        for probe in earlyProbes { probe.note(row) }
      }
      changeLinks(of: object, in: &row, unsaved)
    }
  }

  /// Both sides of a link between many and many are objects with changes, or the link is among those that
  /// older objects don't know of.
  private func changeLinks(
    of object: ManagedObject, in row: inout InMemoryRow, _ unsaved: UnsavedRows
  ) {
    if object.toMany.isEmpty { return }
    unsaved.entities[object.storeIndex].toMany.forEachUncounted { relationship in
      let slot = relationship.slot
      guard object.toMany[slot] != nil, !relationship.followsKeys else { return }
      uncounted(object.toMany[slot]!) { members in
        if !members.hasChanges { return }
        row.toMany.change(slot) {
          $0.change(
            removing: members.removed.map(\.current), adding: members.additions.map(\.current))
        }
      }
    }
  }

  func writeBehind(_ batch: consuming EarlyBatch) {}

  func finishWriting() {}

  // MARK: Finding them again

  /// Attributes of sibling entities may have one slot.
  func columnName(of attribute: AttributeDescription) -> String? {
    "\(attribute.slot) \(attribute.entity.name)"
  }

  func forEachHash(
    in column: String, of attribute: AttributeDescription, _ body: (Int64, UInt32) -> Void
  ) {
    let slot = attribute.slot
    tables[attribute.entity.familyIndex].forEachRow { row in
      if slot < row.values.count, let hash = KeyIndex.hash(row.values[slot]) {
        body(row.id.primaryKey, hash)
      }
      return true
    }
  }

  func enumerateEarlyRows(
    of entity: EntityDescription, where attribute: AttributeDescription, equals value: Value,
    _ body: (StoreRow) throws -> Bool
  ) throws -> Bool {
    if value.isNull || value.isNotANumber { return false }
    let family = entity.familyIndex
    for key in probe(of: family, attribute.slot).keys(value) {
      guard let row = tables[family][key], row.values[attribute.slot] == value else { continue }
      if try !body(StoreRow(objectID: row.id, version: row.version, values: row.values)) { break }
    }
    return true
  }

  private func probe(of family: Int, _ slot: Int) -> InMemoryProbe {
    if let known = earlyProbes.first(where: { $0.family == family && $0.slot == slot }) {
      return known
    }
    let probe = InMemoryProbe(family: family, slot: slot)
    tables[family].forEachRow {
      probe.note($0)
      return true
    }
    earlyProbes.append(probe)
    return probe
  }

  /// Its values are in the row, too.
  func recycle(_ values: inout ContiguousArray<Value>, family: Int) {
    values = []
  }

  // MARK: The end

  func allRows(of entity: EntityDescription, have required: [PropertyDescription]) -> Bool {
    let areValues = required.allSatisfy {
      ($0 as? AttributeDescription)?.isPlainValue
        ?? (($0 as? RelationshipDescription)?.isToMany == false)
    }
    if !areValues { return false }
    let slots = required.map(\.slot)
    var haveAll = true
    tables[entity.familyIndex].forEachRow { row in
      haveAll = row.id.entity !== entity || !slots.contains { row.values[$0].isNull }
      return haveAll
    }
    return haveAll
  }

  func confirmUnsavedRows(_ unsaved: UnsavedRows) {
    generation += 1
    for entity in model.entities where entity.superentity == nil {
      let family = entity.storeIndex
      tables[family].lastKey = max(tables[family].lastKey, unsaved.families[family].lastKey)
      tables[family].forEachRow {
        $0.becomePermanent()
        return true
      }
    }
  }

  func removeUnsavedRows(keepingKeysOf unsaved: UnsavedRows) {
    generation += 1
    for family in tables.indices {
      tables[family] = InMemoryTable()
      tables[family].lastKey = unsaved.families[family].lastKey
    }
  }

  func didStopWritingEarly() { earlyProbes = [] }
}

extension InMemoryRow {
  /// Makes the identifiers of new objects those of saved ones.
  fileprivate func becomePermanent() {
    id.becomePermanent()
    id.entity.relationships.forEachUncounted {
      if !$0.isToMany { values[$0.slot].objectID?.becomePermanent() }
    }
    toMany.forEachList { members in
      members.array.forEachUncounted { $0.becomePermanent() }
    }
  }
}
