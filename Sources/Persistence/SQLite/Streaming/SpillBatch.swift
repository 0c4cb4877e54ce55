/// New and changed objects as they are to be written, with the statements for it.
struct SpillBatch {
  struct Insertion {
    let writer: RowWriter
    let key: Int64
    let values: ContiguousArray<Value>
  }
  struct Update {
    let update: PartialUpdate
    let key: Int64
    /// Where the values of its fields begin.
    let start: Int
    /// The object and its writer, where files may become superfluous.
    let files: (ManagedObjectID, RowWriter)?
  }
  struct Link {
    let writer: Unmanaged<LinkWriter>
    let owner: Int64
    let destination: Int64
    let isRemoval: Bool
  }
  private(set) var updates: ContiguousArray<Update> = []
  /// Updates that set nothing but keys of to-one relationships.
  private(set) var keyUpdates = KeyUpdates()
  /// The values that updates write.
  private(set) var updatedValues: ContiguousArray<Value> = []
  private(set) var links: ContiguousArray<Link> = []
  var insertions: ContiguousArray<Insertion> = []
  /// The writers of the new rows, each once.
  private(set) var writers: ContiguousArray<RowWriter> = []
  /// Whether a link sets a key in the row of an object that isn't itself in the batch.
  private(set) var linksChangeRows = false
  /// Whether it can be written by statements alone, without files.
  private(set) var isPlain = true

  /// How many rows it writes.
  var count: Int { insertions.count + updates.count + keyUpdates.count }

  mutating func removeAll() {
    insertions.removeAll(keepingCapacity: true)
    writers.removeAll(keepingCapacity: true)
    updates.removeAll(keepingCapacity: true)
    updatedValues.removeAll(keepingCapacity: true)
    keyUpdates.removeAll()
    links.removeAll(keepingCapacity: true)
    linksChangeRows = false
    isPlain = true
  }

  mutating func insert(_ object: ManagedObject, by writer: RowWriter) {
    if insertions.last?.writer !== writer { note(writer) }
    insertions.append(
      Insertion(writer: writer, key: object.objectID.primaryKey, values: object.values))
  }

  private mutating func note(_ writer: RowWriter) {
    if writers.contains(where: { $0 === writer }) { return }
    if !writer.isPlain { isPlain = false }
    writers.append(writer)
  }

  /// Whether a writer makes all new rows of its table, so that they can be inserted in the order of
  /// their keys.
  func isAlone(_ writer: RowWriter) -> Bool {
    !writers.contains { $0 !== writer && $0.table == writer.table }
  }

  mutating func update(_ object: ManagedObject, _ update: PartialUpdate, by writer: RowWriter) {
    if !writer.isPlain { isPlain = false }
    if update.keyColumns != nil, keyUpdates.add(object, update) { return }
    updates.append(
      Update(
        update: update, key: object.objectID.primaryKey, start: updatedValues.count,
        files: update.changesFiles ? (object.objectID, writer) : nil))
    for field in update.fields { updatedValues.append(object.values[field.slot]) }
  }

  mutating func addLinks(of members: ToManyDestinations, owner: Int64, by writer: LinkWriter) {
    if writer.changesRows { linksChangeRows = true }
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
}

// MARK: - Writing

extension SQLiteStore {
  /// Not atomic: after an error, part of the batch has been written.
  func write(_ batch: SpillBatch) throws {
    var files = ExternalFileChanges()
    // On the background thread there are no files, and the store must not change there.
    defer { if !files.isEmpty { bulk?.files.add(files) } }
    try insertRows(of: batch, files: &files)
    for row in batch.updates { try update(row, batch, files: &files) }
    try batch.keyUpdates.forEachGroup(write)
    for link in batch.links {
      try link.writer.use { writer in
        if link.isRemoval {
          try writer.remove(link.destination, from: link.owner)
        } else {
          try writer.add(link.destination, to: link.owner)
        }
      }
    }
  }

  private func insertRows(
    of batch: SpillBatch, files: inout ExternalFileChanges
  ) throws {
    var others: [RowWriter] = []
    for writer in batch.writers {
      if let given = writer.virtualTable, batch.isAlone(writer) {
        try batch.insertions.withUnsafeBufferPointer { try given.insert(from: $0) }
      } else {
        others.append(writer)
      }
    }
    if others.isEmpty { return }
    for index in batch.insertions.indices
    where others.contains(where: { $0 === batch.insertions[index].writer }) {
      try insert(batch.insertions[index], files: &files)
    }
  }

  @inline(__always)
  private func insert(
    _ row: SpillBatch.Insertion, files: inout ExternalFileChanges
  ) throws {
    let writer = row.writer
    let insertion = writer.insertion
    insertion.bind(Int64(1), at: 2)
    insertion.bind(row.key, at: 1)
    for field in writer.plain {
      if try field.codec.bind(row.values[field.slot], to: insertion, at: field.column) { continue }
      // For example a number of another width, or a Boolean.
      for other in writer.fields where other.slot == field.slot {
        try bind(row.values[field.slot], of: other, to: insertion, files: &files)
      }
    }
    for field in writer.others {
      try bind(row.values[field.slot], of: field, to: insertion, files: &files)
    }
    try insertion.run()
  }

  private func update(
    _ row: SpillBatch.Update, _ batch: SpillBatch, files: inout ExternalFileChanges
  ) throws {
    if let (id, writer) = row.files { try noteFiles(of: id, writer: writer, files: &files) }
    let statement = row.update.statement
    statement.bind(row.key, at: 1)
    var place = row.start
    for field in row.update.fields {
      try bind(batch.updatedValues[place], of: field, to: statement, files: &files)
      place += 1
    }
    try statement.run()
  }
}
