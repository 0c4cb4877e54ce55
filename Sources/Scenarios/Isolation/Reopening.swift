/// The store that a run ended with, for whoever opens it again.
struct StoreEnding: Codable, Equatable, Sendable {
  /// The database file.
  let store: String
  /// The version whose model it was read with.
  let version: String
  /// Whether that is the newest version: the app's next start must then find nothing to migrate.
  let isMigrated: Bool
  let digest: StoreDigest
}

/// Opens the store of a finished run again, as the app's next start does.
///
/// That must change nothing: a store that has arrived isn't migrated once more, and what it holds
/// is what it held when it was written, byte for byte. Done in a process that had no part in the
/// run, so that nothing that only memory knows can help.
struct Reopening {
  let ending: StoreEnding
  let model: ManagedObjectModel

  /// What isn't as it was; nil when all is.
  func problem() -> ReopeningProblem? {
    do {
      return try changedFiles(.byThen) ?? openAndCompare() ?? changedFiles(.byOpening)
    } catch let error as CoreDataError where error.code == .persistentStoreIncompatibleVersionHash {
      return ReopeningProblem(
        expected: "a store of \(ending.version), which needs no migration",
        found: "the store's version hashes differ: it would be migrated once more")
    } catch {
      MachineFaultWatch.note(error)
      return ReopeningProblem(expected: "a store that opens", found: "\(error)")
    }
  }

  private var url: URL { URL(fileURLWithPath: ending.store) }

  private func openAndCompare() throws -> ReopeningProblem? {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
    // A store that needs a migration is refused, and one that a failed chain left behind only looked at.
    let options = ending.isMigrated ? [:] : [PersistentStore.Option.readOnly: true]
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    // It was only read.
    defer { try? coordinator.remove(store) }
    let found = try RowDigest(of: store)
    if found.text == ending.digest.content { return nil }
    return ReopeningProblem(
      expected: "the same content (\(ending.digest.objectCount.counted("object")))",
      found: found.count == ending.digest.objectCount
        ? "different values or links in \(found.count.counted("object"))"
        : found.count.counted("object"))
  }

  private enum Moment {
    case byThen, byOpening
  }

  private func changedFiles(_ moment: Moment) throws -> ReopeningProblem? {
    let found = try StoreDigest.files(of: PersistentStoreFiles(url))
    let names = Set(found.keys).union(ending.digest.files.keys)
    let changed = names.filter { found[$0] != ending.digest.files[$0] }.sorted()
    if changed.isEmpty { return nil }
    let list = changed.joined(separator: ", ")
    return ReopeningProblem(
      expected: "files that don't change",
      found: moment == .byOpening
        ? "opening changed \(list)" : "\(list) changed after the run had closed the store")
  }
}

/// What came of opening a run's store again.
package struct ReopeningOutcome: Codable, Equatable, Sendable {
  package let version: String
  /// How many objects the run had left in it.
  package let objectCount: Int
  package let isUnchanged: Bool

  init(_ ending: StoreEnding, _ failures: [Failure]) {
    version = ending.version
    objectCount = ending.digest.objectCount
    isUnchanged = failures.isEmpty
  }
}

/// What opening a store again brought to light.
struct ReopeningProblem: Error, Codable, Equatable, Sendable {
  let expected: String
  let found: String

  /// The run's failure.
  func failure(of scenario: CheckedScenario, _ ending: StoreEnding) -> Failure {
    Failure(
      .openedAgain, at: scenario.scenario.title.place,
      step: scenario.scenario.chain.last?.ends.value.description,
      "the store, opened again by another process", expected: expected, found: found,
      notes: ["the app's next start finds this store, of version \(ending.version)"])
  }
}
