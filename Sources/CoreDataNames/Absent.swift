// What is left out on purpose. The names are there to say so.

@available(
  *, unavailable,
  message: """
    CloudKit is left out on purpose: nothing here reaches a server. Use NSPersistentContainer, whose \
    stores and migrations are the same
    """
)
// Sendable unchecked: as its superclass, and it has nothing of its own.
open class NSPersistentCloudKitContainer: PersistentContainer, @unchecked Sendable {}

@available(
  *, unavailable, message: "CloudKit is left out on purpose: nothing here reaches a server"
)
open class NSPersistentCloudKitContainerOptions: NSObject {}

@available(
  *, unavailable,
  message: """
    Atomic stores are left out on purpose: the stores here are SQLite and InMemory. Leave the file of \
    such a store out of the policies' sources
    """
)
open class NSAtomicStore: NSObject {}

@available(*, unavailable, message: "Atomic stores are left out on purpose: see NSAtomicStore")
open class NSAtomicStoreCacheNode: NSObject {}

@available(
  *, unavailable,
  message: """
    Incremental stores are left out on purpose: the stores here are SQLite and InMemory. Leave the \
    file of such a store out of the policies' sources
    """
)
open class NSIncrementalStore: NSObject {}

@available(
  *, unavailable, message: "Incremental stores are left out on purpose: see NSIncrementalStore"
)
open class NSIncrementalStoreNode: NSObject {}

@available(
  *, unavailable,
  message: "Spotlight is left out on purpose: nothing here is indexed for searching"
)
open class NSCoreDataCoreSpotlightDelegate: NSObject {}

extension PersistentStoreDescription {
  @available(
    *, unavailable, message: "CloudKit is left out on purpose: nothing here reaches a server"
  )
  public var cloudKitContainerOptions: NSObject? {
    get { nil }
    set { _ = newValue }
  }
}

/// Undo is left out on purpose. A context's `undoManager` is nil, as it is on a device unless an app
/// sets one; there is none to be set.
public final class UndoManager: NSObject {
  @available(
    *, unavailable, message: "Undo is left out on purpose: a context's undoManager is always nil"
  )
  public override init() { fatalError("There is no undo manager") }

  public var groupsByEvent: Bool {
    get { false }
    set { _ = newValue }
  }
  public var levelsOfUndo: Int {
    get { 0 }
    set { _ = newValue }
  }
  public var canUndo: Bool { false }
  public var canRedo: Bool { false }
  public var isUndoRegistrationEnabled: Bool { false }
  public func beginUndoGrouping() {}
  public func endUndoGrouping() {}
  public func disableUndoRegistration() {}
  public func enableUndoRegistration() {}
  public func removeAllActions() {}
  public func setActionName(_ actionName: String) {}
  public func undo() {}
  public func redo() {}
}
