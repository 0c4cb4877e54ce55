extension PersistentStore {
  /// Closes a store that was only read, which loses nothing where it fails.
  func closeUnchanged() { try? close() }
}
