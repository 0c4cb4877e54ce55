// Writing the rows of new objects before their save.

extension InMemoryStore: EarlyStore {
  var isBeingFilled: Bool {
    uniqueness.isEmpty && unanswered.isEmpty && tables.allSatisfy(\.isUntouched)
  }

  /// Constraints are left to those who keep their objects.
  func rowsAreUnique() -> Bool { true }

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
          let key = uncounted(link.member.objectID) { $0.primaryKey }
          change(owner, relationship) { $0.append(key) }
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
    let number = uncounted(object.objectID) {
      insertRow($0, version: 1, object.values, &moves)
    }
    changeLinks(of: object, number, unsaved)
    note(object, number)
  }

  private func updateEarly(
    _ object: ManagedObject, _ unsaved: UnsavedRows, _ moves: inout MemberMoves
  ) {
    guard let number = number(of: object.objectID) else { return }
    if object.changedSlots != 0 {
      setValues(object.values, of: object.objectID, number, &moves)
      note(object, number)
    }
    changeLinks(of: object, number, unsaved)
  }

  private func note(_ object: ManagedObject, _ number: Int) {
    if earlyProbes.isEmpty { return }
    let family = object.familyIndex
    earlyProbes.forEachUncounted {
      if $0.family == family, $0.slot < tables[family].rows.valueCount(number) {
        $0.note(object.objectID.primaryKey, tables[family].rows.value(number, $0.slot))
      }
    }
  }

  /// Both sides of a link between many and many are objects with changes, or the link is among those that
  /// older objects don't know of.
  private func changeLinks(of object: ManagedObject, _ number: Int, _ unsaved: UnsavedRows) {
    if object.toMany.isEmpty { return }
    let family = object.familyIndex
    unsaved.entities[object.storeIndex].toMany.forEachUncounted { relationship in
      let slot = relationship.slot
      guard object.toMany[slot] != nil, !relationship.followsKeys else { return }
      uncounted(object.toMany[slot]!) { members in
        if !members.hasChanges { return }
        tables[family].rows.changeMembers(number, slot) {
          if !members.removed.isEmpty {
            $0.change(removing: members.removed.map(\.current.primaryKey), adding: [])
          }
          members.addKeys(to: &$0)
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
    let table = tables[attribute.entity.familyIndex]
    table.forEachRow { key, number in
      if slot < table.rows.valueCount(number),
        let hash = KeyIndex.hash(table.rows.value(number, slot))
      {
        body(key, hash)
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
      guard let number = tables[family].number(of: key),
        tables[family].rows.value(number, attribute.slot) == value
      else { continue }
      let id = ManagedObjectID(
        entity: tables[family].rows.entity(number), primaryKey: key, anchor: anchor)
      if try !body(storeRow(number, id, family: family)) { break }
    }
    return true
  }

  private func probe(of family: Int, _ slot: Int) -> InMemoryProbe {
    if let known = earlyProbes.first(where: { $0.family == family && $0.slot == slot }) {
      return known
    }
    let probe = InMemoryProbe(family: family, slot: slot)
    let table = tables[family]
    table.forEachRow { key, number in
      if slot < table.rows.valueCount(number) { probe.note(key, table.rows.value(number, slot)) }
      return true
    }
    earlyProbes.append(probe)
    return probe
  }

  // MARK: Arrays used again

  /// More arrays than this are hardly ever waiting.
  private static let mostSpareValues = 1000

  func recycle(_ values: inout ContiguousArray<Value>, family: Int) {
    if values.isEmpty || spareValues[family, default: []].count >= Self.mostSpareValues { return }
    spareValues[family, default: []].append([])
    swap(&spareValues[family]![spareValues[family]!.count - 1], &values)
  }

  /// An array that was somebody's; empty where there is none.
  func takeSpareValues(of family: Int) -> ContiguousArray<Value> {
    spareValues.isEmpty ? [] : spareValues[family]?.popLast() ?? []
  }

  // MARK: The end

  func allRows(of entity: EntityDescription, have required: [PropertyDescription]) -> Bool {
    let areValues = required.allSatisfy {
      ($0 as? AttributeDescription)?.isPlainValue
        ?? (($0 as? RelationshipDescription)?.isToMany == false)
    }
    if !areValues { return false }
    let slots = required.map(\.slot)
    let table = tables[entity.familyIndex]
    guard let kind = table.rows.kind(of: entity) else { return true }
    var haveAll = true
    table.forEachRow { _, number in
      if table.rows.kind(number) != kind { return true }
      haveAll = table.rows.readValues(number) { row in !slots.contains { row[$0].isNull } }
      return haveAll
    }
    return haveAll
  }

  func confirmUnsavedRows(_ unsaved: UnsavedRows) {
    generation += 1
    for entity in model.entities where entity.superentity == nil {
      let family = entity.storeIndex
      tables[family].lastKey = max(tables[family].lastKey, unsaved.families[family].lastKey)
    }
    for entity in model.entities {
      let slots = entity.relationships.filter { !$0.isToMany }.map(\.slot)
      if !slots.isEmpty { makeIdentifiersPermanent(in: slots, of: entity) }
    }
  }

  /// Makes the identifiers of new objects those of saved ones, in the values of an entity's rows.
  private func makeIdentifiersPermanent(in slots: [Int], of entity: EntityDescription) {
    let table = tables[entity.familyIndex]
    guard let kind = table.rows.kind(of: entity) else { return }
    table.forEachRow { _, number in
      if table.rows.kind(number) != kind { return true }
      table.rows.readValues(number) { row in
        for slot in slots { row[slot].objectID?.becomePermanent() }
      }
      return true
    }
  }

  func removeUnsavedRows(keepingKeysOf unsaved: UnsavedRows) {
    generation += 1
    for family in tables.indices {
      tables[family] = InMemoryTable()
      tables[family].lastKey = unsaved.families[family].lastKey
    }
  }

  func didStopWritingEarly() {
    earlyProbes = []
    spareValues = [:]
  }
}

extension ToManyDestinations {
  /// Adds the keys of members that were added since the last save.
  fileprivate func addKeys(to members: inout InMemoryMembers) {
    forEachAddition { members.append($0.current.primaryKey) }
  }
}
