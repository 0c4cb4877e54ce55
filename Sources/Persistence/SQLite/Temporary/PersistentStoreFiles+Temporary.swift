// Stores for a while, beside the place of another.

extension PersistentStoreFiles {
  /// What the names of a migration's temporary stores have after the store's own name.
  package static let temporaryMark = "migrationdestination_"

  /// Whether these are the files of a store for a while.
  package var areTemporary: Bool { url.pathExtension.hasPrefix(Self.temporaryMark) }

  /// Makes a place beside the store for what may take its place, `.<name>.migrationdestination_…`,
  /// and its lock. ``remove()`` and ``replace(by:)`` give it back.
  ///
  /// What dead processes left of such places is removed before.
  /// - Throws: `CoreDataError` when nothing can be written there.
  package func makeTemporaryNeighbour() throws -> PersistentStoreFiles {
    removeLeftoversAtFirstLook()
    let folder = url.deletingLastPathComponent()
    let name = neighbourPrefix + UUID().uuidString.prefix(Self.neighbourNameLength)
    let neighbour = PersistentStoreFiles(folder.appendingPathComponent(name, isDirectory: false))
    do {
      // At the process's end there is nobody to tell; the next one tries again.
      try TemporaryFiles.claim(neighbour.url) { (try? neighbour.removeFiles()) != nil }
    } catch {
      throw CoreDataError.nothingBeside(folder, error)
    }
    return neighbour
  }

  private static let neighbourNameLength = 8

  /// Has the place to this process alone, until ``giveBackPlace()``: by a lock that is called like a neighbour's,
  /// so that the next process removes a dead one's.
  /// - Returns: Whether it has; false while another process does.
  /// - Throws: `CoreDataError` when nothing can be written there.
  package func reservePlace() throws -> Bool {
    do {
      // There is nothing but the lock.
      try TemporaryFiles.claim(reservation) { true }
      return true
    } catch let error as POSIXError where error.code == .EEXIST {
      return false
    } catch {
      throw CoreDataError.nothingBeside(url.deletingLastPathComponent(), error)
    }
  }

  package func giveBackPlace() { TemporaryFiles.release(reservation) }

  /// As long as every neighbour's name, and none of theirs, which have no such letters.
  private var reservation: URL {
    url.deletingLastPathComponent()
      .appendingPathComponent(neighbourPrefix + "reserved", isDirectory: false)
  }

  /// A neighbour's own neighbours are beside it, and called after the same store.
  private var neighbourPrefix: String {
    let name =
      areTemporary
      ? String(url.deletingPathExtension().lastPathComponent.dropFirst()) : url.lastPathComponent
    return ".\(name).\(Self.temporaryMark)"
  }

  /// As ``removeLeftovers()``, once in a process for each place.
  func removeLeftoversAtFirstLook() {
    if TemporaryFiles.isFirstLook(at: url.path) { removeLeftovers() }
  }

  /// Removes what dead processes left beside the store: all that bears a neighbour's name and a lock
  /// that nobody holds. What they were about to change over is undone or finished.
  package func removeLeftovers() {
    let folder = url.deletingLastPathComponent()
    // What can't be looked at stays for the next one.
    let locks = TemporaryFiles.deadLocks(
      in: folder, prefix: neighbourPrefix, nameLength: Self.neighbourNameLength)
    for lock in locks {
      let name = lock.url.lastPathComponent.dropLast(TemporaryFiles.lockSuffix.count)
      let left = PersistentStoreFiles(folder.appendingPathComponent(String(name)))
      // As does what can't be removed, with its lock, which says what it is.
      guard settle(Replacement(lock.lines), by: left), (try? left.removeFiles()) != nil else {
        continue
      }
      lock.remove()
    }
  }

  /// Until the one rename the old store counts, from then on the new one.
  /// - Returns: Whether that is done.
  private func settle(_ replacement: Replacement, by new: PersistentStoreFiles) -> Bool {
    if new.exist { return removeExternalFiles(replacement.adopted) }
    return exist ? removeExternalFiles(replacement.dropped) : true
  }

  /// Removes large values, and the folders that are empty then.
  /// - Returns: Whether all of these values are gone.
  @discardableResult
  func removeExternalFiles(_ names: [String]) -> Bool {
    let files = names.filter { !$0.contains("/") }
      .map { externalDataFolderURL.appendingPathComponent($0) }
    if files.isEmpty { return true }
    // One that stays takes room, and nothing refers to it.
    for file in files where file.isThere { try? FileCalls.removeFile(file) }
    for folder in [externalDataFolderURL, supportFolderURL] where folder.isThere {
      // There may be others in it.
      try? FileCalls.removeEmptyFolder(folder)
    }
    return !files.contains(where: \.isThere)
  }
}

/// What becomes of the large values when a store takes another's place, by the names of their files.
/// It is written down before, should the process be killed on the way.
struct Replacement {
  /// Those of the new store that the old one hasn't got.
  var adopted: [String] = []
  /// Those that only the old one has.
  var dropped: [String] = []

  init(adopted: [String], dropped: [String]) {
    self.adopted = adopted
    self.dropped = dropped
  }

  init(_ lines: [String]) {
    adopted = lines.filter { $0.hasPrefix("+") }.map { String($0.dropFirst()) }
    dropped = lines.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) }
  }

  var lines: [String] { adopted.map { "+\($0)" } + dropped.map { "-\($0)" } }
}
