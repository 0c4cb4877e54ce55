import TestSupport

@testable import Persistence

/// Plays a case on one backend and writes down what came of each step.
final class EditWorld {
  private let example: EditCase
  private let store: PersistentStore
  private let coordinator: PersistentStoreCoordinator
  private(set) var contexts: [ManagedObjectContext] = []
  /// The identifiers that objects were born with, by number.
  var born: [Int: ManagedObjectID] = [:]
  /// What an app would have on its screens.
  private var held: [[ManagedObject]]
  private(set) var log: [String] = []
  /// What each context told of its last save.
  private let saves = SaveNotes()

  init(_ example: EditCase, _ model: ManagedObjectModel, _ store: PersistentStore) {
    self.example = example
    self.store = store
    coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    coordinator.add(store)
    held = Array(repeating: [], count: example.contexts.count)
    for plan in example.contexts {
      let context = ManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      if let parent = plan.parent {
        context.parent = contexts[parent]
      } else {
        context.persistentStoreCoordinator = coordinator
      }
      context.mergePolicy = MergePolicy(merge: plan.policy)
      context.automaticallyMergesChangesFromParent = plan.mergesByItself
      saves.listen(to: context, contexts.count)
      contexts.append(context)
    }
  }

  /// Plays all steps.
  /// - Returns: What must never be, if it was; nil when all is well.
  func play() throws -> String? {
    for edit in example.edits {
      let outcome = outcome(of: edit)
      log.append("\(edit): \(outcome)")
      if edit.isBatch {
        if let fault = try noteContent() { return "after \(edit): \(fault)" }
        continue
      }
      guard case .save(let number) = edit else { continue }
      // What others merge by themselves, they merge now; and what a parent got, it deals with now.
      for (context, plan) in zip(contexts, example.contexts) where plan.mergesByItself {
        context.performAndWait {}
      }
      if let parent = example.contexts[number].parent {
        contexts[parent].performAndWait { contexts[parent].processPendingChanges() }
        continue
      }
      if let fault = try noteContent() { return "after \(edit): \(fault)" }
    }
    return nil
  }

  /// Writes down what is stored.
  /// - Returns: What must never be; nil when all is well.
  private func noteContent() throws -> String? {
    let content = try content()
    log += content.lines
    return content.fault
  }

  func content() throws -> EditContent {
    let context = ManagedObjectContext(coordinator: coordinator)
    let names = Dictionary(
      born.map { ($0.value.current, Self.name(of: $0.value, $0.key)) },
      uniquingKeysWith: { first, _ in first })
    return try EditContent(of: context) { names[$0.current] ?? "?\($0)" }
  }

  private func outcome(of edit: Edit) -> String {
    let context = contexts[edit.context]
    if let outcome = outcome(ofBatch: edit) { return outcome }
    return context.performAndWait {
      // The event ends here, not at some time later.
      defer { context.processPendingChanges() }
      do {
        return try ExceptionTrap.catching { try perform(edit, in: context) ? "done" : "skipped" }
      } catch { return text(of: error) }
    }
  }

  /// - Returns: Whether the objects were there.
  private func perform(_ edit: Edit, in context: ManagedObjectContext) throws -> Bool {
    switch edit {
    case .insert(_, let entity, let number):
      let object = EntityDescription.insertNewObject(forEntityName: entity, into: context)
      born[number] = object.objectID
      held[edit.context].append(object)
    case .save: try context.save()
    case .rollback: context.rollback()
    case .reset:
      context.reset()
      held[edit.context] = []
    case .refreshAll: context.refreshAllObjects()
    case .process: context.processPendingChanges()
    case .obtainIDs:
      // A set has another order in every process, and keys are given out in this one.
      try context.obtainPermanentIDs(
        for: context.insertedObjects.sorted { $0.objectID.primaryKey < $1.objectID.primaryKey })
    case .fetch(_, let entity):
      let found = try context.all(entity)
      held[edit.context] += found
      log.append("found \(found.map { name(of: $0.objectID) })")
    case .find(_, let number):
      let question = EditModel.questions[number]
      let found = try context.all(question.entity, question.format)
      held[edit.context] += found
      let request = FetchRequest<ManagedObject>(entityName: question.entity)
      request.predicate = try Predicate.parse(question.format)
      let count = try context.count(for: request)
      log.append("found \(count): \(found.map { name(of: $0.objectID) })")
    case .read(_, let number):
      guard let object = object(number, in: context) else { return false }
      log.append("found \(EditContent.line(of: object) { name(of: $0) })")
    case .merge(let number, let other):
      guard canMerge(number, other), let note = saves.last(of: other) else { return false }
      context.mergeChanges(fromContextDidSave: note)
    default: return try change(edit, in: context)
    }
    return true
  }

  /// Whether what one context saves is there for another.
  private func canMerge(_ context: Int, _ other: Int) -> Bool {
    guard other != context, other < contexts.count else { return false }
    let parent = example.contexts[context].parent
    return parent == other || parent == example.contexts[other].parent
  }

  private func change(_ edit: Edit, in context: ManagedObjectContext) throws -> Bool {
    switch edit {
    case .set(_, let number, let key, let value):
      guard let object = object(number, in: context) else { return false }
      let isText = object.entity.attributesByName[key]?.attributeType == .string
      object.setValue(value.map { isText ? "\($0)" as Any : $0 as Any }, forKey: key)
    case .link(_, let number, let key, let target):
      guard let object = object(number, in: context) else { return false }
      let other = target.flatMap { self.object($0, in: context) }
      if target != nil && other == nil { return false }
      object.setValue(other, forKey: key)
    case .add(_, let number, let key, let member), .remove(_, let number, let key, let member):
      guard let object = object(number, in: context), let other = self.object(member, in: context),
        let relationship = object.entity.relationship(named: key)
      else { return false }
      if case .add = edit {
        try object.add(other, to: relationship)
      } else {
        object.remove(other, from: relationship)
      }
    case .rotate(_, let number, let key):
      guard let object = object(number, in: context) else { return false }
      let members = object.mutableOrderedSetValue(forKey: key)
      if members.count > 1 {
        members.moveObjects(at: IndexSet(integer: members.count - 1), to: 0)
      }
    case .replace(_, let number, let key, let members):
      guard let object = object(number, in: context),
        let relationship = object.entity.relationship(named: key)
      else { return false }
      try object.setDestinations(
        members.compactMap { self.object($0, in: context) }, of: relationship)
    case .delete(_, let number):
      guard let object = object(number, in: context) else { return false }
      context.delete(object)
    case .refresh(_, let number, let merging):
      guard let object = object(number, in: context), merging || !hasChangedLinks(object)
      else { return false }
      context.refresh(object, mergeChanges: merging)
    default: break
    }
    return true
  }

  /// Giving up one side of an unsaved link alone isn't allowed.
  private func hasChangedLinks(_ object: ManagedObject) -> Bool {
    let changed = object.changedValues()
    return object.entity.relationships.contains { changed[$0.name] != nil }
  }

  /// The object of a number as a context knows it; nil when it isn't there, or deleted.
  func object(_ number: Int, in context: ManagedObjectContext) -> ManagedObject? {
    guard let id = born[number], let object = try? context.existingObject(with: id),
      !object.isDeleted
    else { return nil }
    if let index = contexts.firstIndex(where: { $0 === context }) { held[index].append(object) }
    return object
  }

  func name(of id: ManagedObjectID) -> String {
    let known = born.first { $0.value.isSame(id) }
    return known.map { Self.name(of: id, $0.key) } ?? "?\(id)"
  }

  private static func name(of id: ManagedObjectID, _ number: Int) -> String {
    "\(id.entity.name.prefix(2))\(number)"
  }

  func text(of error: any Error) -> String {
    guard let error = error as? CoreDataError else { return "\(error)" }
    let conflicts = error.conflictList.map { conflict in
      switch conflict {
      case let conflict as MergeConflict:
        "\(name(of: conflict.sourceObject.objectID)) \(conflict.oldVersionNumber)"
          + "-\(conflict.newVersionNumber)"
      case let conflict as ConstraintConflict:
        "\(conflict.constraint) \(conflict.objects.map { name(of: $0.objectID) })"
      default: "\(conflict)"
      }
    }
    let details = error.details.map { "\($0.code.rawValue) \($0.place.property ?? "-")" }
    return "\(error.code.rawValue) \(error.place.entity ?? "-") \(error.place.property ?? "-") "
      + (conflicts + details).joined(separator: "; ")
  }
}

/// The notification of each context's last save.
private final class SaveNotes: @unchecked Sendable {
  private let lock = NSLock()
  private var notes: [Int: Notification] = [:]
  private var observers: [any NSObjectProtocol] = []

  deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

  func listen(to context: ManagedObjectContext, _ number: Int) {
    observers.append(
      NotificationCenter.default.addObserver(
        forName: ManagedObjectContext.didSaveObjectIDsNotification, object: context, queue: nil
      ) { [weak self] note in self?.lock.withLock { self?.notes[number] = note } })
  }

  func last(of context: Int) -> Notification? { lock.withLock { notes[context] } }
}

extension ManagedObjectID {
  /// Whether both stand for one object, be it under its temporary or its permanent identifier.
  fileprivate func isSame(_ other: ManagedObjectID) -> Bool {
    self == other || current == other.current
  }
}
