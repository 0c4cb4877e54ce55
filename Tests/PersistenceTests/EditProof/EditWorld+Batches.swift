import TestSupport

@testable import Persistence

// Batches: the stores change, and contexts learn of it when they are told, or when they save.

extension EditWorld {
  /// - Returns: nil for an edit that isn't a batch.
  func outcome(ofBatch edit: Edit) -> String? {
    let context = contexts[edit.context]
    do {
      guard let batch = try context.performAndWait({ try batch(edit, in: context) }) else {
        return nil
      }
      guard let request = batch.request else { return "skipped" }
      let ids = try context.performAndWait {
        try ExceptionTrap.catching {
          (try context.execute(request) as? BatchResult)?.result as? [ManagedObjectID] ?? []
        }
      }
      if case .store(_, _, let number, _, _) = edit, let id = ids.first {
        // It may have met an object with the same unique values.
        if !born.values.contains(where: { $0.current == id }) { born[number] = id }
      }
      if let key = batch.key {
        ManagedObjectContext.mergeChanges(
          fromRemoteContextSave: [key.rawValue: ids], into: contexts)
      }
      return "done \(ids.map { name(of: $0) }.sorted())"
    } catch { return text(of: error) }
  }

  private typealias Batch = (
    request: PersistentStoreRequest?, key: ManagedObjectContext.NotificationKey?
  )

  /// What is to be executed, and as what contexts are told; no request where an object isn't there.
  private func batch(_ edit: Edit, in context: ManagedObjectContext) throws -> Batch? {
    switch edit {
    case .updateAll(_, let question, let key, let value, let merging):
      let update = try Self.update(question)
      let isText = ["name", "code", "title"].contains(key)
      update.propertiesToUpdate = [
        key: value.map { isText ? "\($0)" as Any : $0 as Any } ?? NSNull()
      ]
      return (update, merging ? .updatedObjectIDs : nil)
    case .linkAll(_, let question, let key, let target, let merging):
      let other = target.flatMap { object($0, in: context) }
      if target != nil && other?.objectID.isTemporaryID != false { return (nil, nil) }
      let update = try Self.update(question)
      update.propertiesToUpdate = [key: other ?? NSNull()]
      return (update, merging ? .updatedObjectIDs : nil)
    case .store(_, let entity, _, let values, let merging):
      let row = Dictionary(
        uniqueKeysWithValues: values.compactMap { key, value in
          storedValue(value, of: key, in: context).map { (key, $0) }
        })
      let insertion = BatchInsertRequest(entityName: entity, objects: [row])
      insertion.resultType = .objectIDs
      return (insertion, merging ? .insertedObjectIDs : nil)
    case .deleteAll(_, let number, let merging):
      let question = EditModel.questions[number]
      let fetch = FetchRequest<any FetchRequestResult>(entityName: question.entity)
      fetch.predicate = try Predicate.parse(question.format)
      let deletion = BatchDeleteRequest(fetchRequest: fetch)
      deletion.resultType = .objectIDs
      return (deletion, merging ? .deletedObjectIDs : nil)
    default: return nil
    }
  }

  /// - Returns: nil for an object that isn't there, or isn't saved.
  private func storedValue(
    _ value: Int, of key: String, in context: ManagedObjectContext
  ) -> Any? {
    switch key {
    case "age", "number": value
    case "owner", "team":
      object(value, in: context).flatMap { $0.objectID.isTemporaryID ? nil : $0.objectID }
    default: "\(value)"
    }
  }

  private static func update(_ number: Int) throws -> BatchUpdateRequest {
    let question = EditModel.questions[number]
    let update = BatchUpdateRequest(entityName: question.entity)
    update.predicate = try Predicate.parse(question.format)
    update.resultType = .objectIDs
    return update
  }
}
