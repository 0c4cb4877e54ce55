/// New and changed objects as they are to be written, with the statements for it.
///
/// Only objects whose values are columns' values: files and transformers belong to the thread of the policies.
struct SpillBatch {
  fileprivate struct Insertion {
    let writer: RowWriter
    let key: Int64
    let values: ContiguousArray<Value>
  }
  fileprivate struct Update {
    let update: PartialUpdate
    let key: Int64
    /// Where the values of its fields begin.
    let start: Int
  }
  fileprivate struct Link {
    let writer: Unmanaged<LinkWriter>
    let owner: Int64
    let destination: Int64
    let isRemoval: Bool
  }
  private var insertions: ContiguousArray<Insertion> = []
  private var updates: ContiguousArray<Update> = []
  /// The values that updates write.
  private var updatedValues: ContiguousArray<Value> = []
  private var links: ContiguousArray<Link> = []

  mutating func removeAll() {
    insertions.removeAll(keepingCapacity: true)
    updates.removeAll(keepingCapacity: true)
    updatedValues.removeAll(keepingCapacity: true)
    links.removeAll(keepingCapacity: true)
  }

  mutating func insert(_ object: ManagedObject, by writer: RowWriter) {
    insertions.append(
      Insertion(writer: writer, key: object.objectID.primaryKey, values: object.values))
  }

  mutating func update(_ object: ManagedObject, _ update: PartialUpdate) {
    updates.append(
      Update(update: update, key: object.objectID.primaryKey, start: updatedValues.count))
    for field in update.fields { updatedValues.append(object.values[field.slot]) }
  }

  mutating func addLinks(of members: ToManyDestinations, owner: Int64, by writer: LinkWriter) {
    let writer = Unmanaged.passUnretained(writer)
    for id in members.removed {
      links.append(
        Link(writer: writer, owner: owner, destination: id.primaryKey, isRemoval: true))
    }
    members.forEachAddition {
      links.append(
        Link(writer: writer, owner: owner, destination: $0.primaryKey, isRemoval: false))
    }
  }

  /// Not atomic: after an error, part of it has been written.
  func write(to store: SQLiteStore) throws {
    var files = ExternalFileChanges()
    defer { assert(files.isEmpty, "a file is written on the second thread") }
    for row in insertions {
      try store.insert(row.key, row.values, by: row.writer, files: &files)
    }
    for row in updates { try write(row, to: store, files: &files) }
    for link in links { try write(link) }
  }

  private func write(
    _ row: Update, to store: SQLiteStore, files: inout ExternalFileChanges
  ) throws {
    let statement = row.update.statement
    statement.bind(row.key, at: 1)
    for (index, field) in row.update.fields.enumerated() {
      try store.bind(updatedValues[row.start + index], of: field, to: statement, files: &files)
    }
    try statement.run()
  }

  private func write(_ link: Link) throws {
    let writer = link.writer.takeUnretainedValue()
    if link.isRemoval {
      try writer.remove(link.destination, from: link.owner)
    } else {
      try writer.add(link.destination, to: link.owner)
    }
  }
}
