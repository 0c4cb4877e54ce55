/// What happened in a context since pending changes were processed last.
struct ContextEvent {
  var inserted: [ManagedObject] = []
  var updated: [ManagedObject] = []
  var deleted: [ManagedObject] = []
  var refreshed: [ManagedObject] = []
  /// Objects that another context inserted and saved.
  var merged: [ManagedObject] = []
  /// The values of changed objects before.
  var valuesBefore: [ObjectIdentifier: ContiguousArray<Value>] = [:]
  /// Those of the event that observers are being told of.
  var valuesBeforeTold: [ObjectIdentifier: ContiguousArray<Value>] = [:]
  /// Whether its end is arranged for.
  var isScheduled = false

  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
      && merged.isEmpty
  }
}

// MARK: - Noting

extension ManagedObjectContext {
  final func noteInsertion(of object: ManagedObject) {
    event.inserted.append(object)
    event.valuesBefore[ObjectIdentifier(object)] = initialValues(of: object.entity)
    scheduleEndOfEvent()
  }

  /// An object is about to change for the first time in this event.
  final func noteChange(of object: ManagedObject) {
    event.updated.append(object)
    event.valuesBefore[ObjectIdentifier(object)] = object.values
    scheduleEndOfEvent()
  }

  final func noteDeletion(of object: ManagedObject) {
    event.deleted.append(object)
    scheduleEndOfEvent()
  }

  final func noteRefresh(of object: ManagedObject) {
    event.refreshed.append(object)
    scheduleEndOfEvent()
  }

  /// On a queue, an event ends with the block that began it. Elsewhere nobody knows when; then it
  /// ends with the next save or call of ``processPendingChanges()``.
  final func scheduleEndOfEvent() {
    guard !event.isScheduled, let queue, queue.isCurrent else { return }
    event.isScheduled = true
    queue.async { [weak self] in self?.processPendingChanges() }
  }
}

// MARK: - The end of an event

extension ManagedObjectContext {
  /// Applies the delete rules of all objects deleted since the last time, and tells observers what
  /// changed.
  public final func processPendingChanges() {
    propagateDeletions()
    if announces { endEvent() }
  }

  private func endEvent() {
    let ended = event
    // An observer may end an event of its own.
    let outer = event.valuesBeforeTold
    event = ContextEvent()
    event.valuesBeforeTold = outer
    for object in ended.inserted + ended.updated { object.state.remove(.tracked) }
    if ended.isEmpty { return }
    let gone = Set(ended.deleted)
    let new = Set(ended.inserted + ended.merged).subtracting(gone)
    let refreshed = Set(ended.refreshed).subtracting(gone)
    let changed = Set(ended.updated).subtracting(new).subtracting(gone)
    event.valuesBeforeTold = ended.valuesBefore
    defer { event.valuesBeforeTold = outer }
    post(
      Self.didChangeObjectsNotification,
      [
        .insertedObjects: new, .updatedObjects: changed, .deletedObjects: gone,
        .refreshedObjects: refreshed,
      ])
  }

  /// Posts a notification with the sets that aren't empty.
  final func post(_ name: Notification.Name, _ sets: [NotificationKey: Set<ManagedObject>]) {
    var info: [AnyHashable: Any] = [:]
    for (key, objects) in sets where !objects.isEmpty { info[key.rawValue] = objects }
    NotificationCenter.default.post(name: name, object: self, userInfo: info)
  }
}
