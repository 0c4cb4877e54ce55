/// The stores of one run: the one the chain starts from, and the one it leads to.
package protocol ScenarioStores: AnyObject {
  /// Makes the empty store that the seed goes into.
  func createSource(model: ManagedObjectModel) throws -> PersistentStore

  /// Takes an existing store as the source, by a copy.
  func copySource(from url: URL, model: ManagedObjectModel) throws

  /// Ends the preparation of the source: what it is now is what "untouched" means.
  func sealSource(_ store: PersistentStore?) throws

  /// The metadata of the store that an app would find at its start: the result, if there is one, else
  /// the source.
  func metadataOfCurrent() throws -> [String: Any]

  /// The current store, open for reading with a model that fits it, until ``stopReading()``.
  func openCurrent(model: ManagedObjectModel) throws -> PersistentStore

  /// Closes what ``openCurrent(model:)`` opened, once the store may be another one.
  func stopReading()

  /// Opens the current store for reading and writing, with a model that fits it.
  func openForChanges(model: ManagedObjectModel) throws -> PersistentStore

  /// Where the chain writes.
  var factory: any StoreFactory { get }

  /// Notes what the chain published, which stays open like what ``openCurrent(model:)`` opened.
  func didPublish(_ store: PersistentStore)

  /// The file of the current store; nil for one in memory.
  var currentFile: URL? { get }

  /// Makes the store that the chain started from the current one again, where the result is another.
  func returnToSource()

  func isSourceUntouched() throws -> Bool
  var isDestinationAbsent: Bool { get }
}
