/// Seeded stores, and stores that were taken part of a chain, kept from run to run by the content
/// they were made from.
///
/// Several processes may use one folder: an entry is made in a folder of its own and then renamed
/// into place, so it is there whole or not at all. An entry whose files aren't what was put there is
/// removed, and made anew by whoever needs it. Nothing ever depends on an entry being there: a full
/// disk, say, only makes runs take longer.
struct StoreCache: Sendable, Codable {
  /// The cache's folder: where entries are made and unmade, beside that of the entries.
  let workshop: URL
  /// Most bytes of all entries together.
  let mostBytes: Int64
  var folder: URL { workshop.appending(path: "stores", directoryHint: .isDirectory) }

  /// - Parameters:
  ///   - folder: The cache's folder, shared with compiled policies.
  ///   - mostBytes: Most bytes of all entries together, also while one is being added.
  init(in folder: URL, mostBytes: Int64) {
    workshop = folder
    self.mostBytes = mostBytes
  }

  private static let storeName = "store.sqlite"
  private static let descriptionName = "entry.plist"

  /// What an entry has beside the store.
  private struct Description<Content: Codable>: Codable {
    let files: [String: String]
    let content: Content
  }

  // MARK: Taking

  /// Copies the store kept under a key.
  /// - Parameter place: Where the copy goes; its database must be called `store.sqlite`.
  /// - Returns: What was kept with the store; nil when there is no such entry, or a damaged one.
  func take<Content: Codable>(
    _ key: String, as type: Content.Type, to place: PersistentStoreFiles
  ) -> Content? {
    let entry = folder.appending(path: key)
    guard FileManager.default.fileExists(atPath: entry.path) else { return nil }
    do {
      let data = try Self.checked(
        Data(contentsOf: entry.appending(path: Self.descriptionName)), of: key)
      let description = try PropertyListDecoder().decode(Description<Content>.self, from: data)
      try PersistentStoreFiles(entry.appending(path: Self.storeName)).copy(to: place)
      guard try StoreDigest.files(of: place) == description.files else {
        throw CocoaError(.fileReadCorruptFile)
      }
      touch(entry)
      return description.content
    } catch {
      // Half a copy, which nobody uses.
      try? place.remove()
      discard(entry)
      return nil
    }
  }

  /// What is said of an entry decides a verdict as its store does: it begins with a digest of the rest,
  /// and of the key, under which no other entry may be found.
  /// - Throws: When it isn't what was written.
  private static func checked(_ data: Data, of key: String) throws -> Data {
    let content = data.dropFirst(SHA2.Size.bits256.rawValue)
    guard data.prefix(SHA2.Size.bits256.rawValue) == digest(content, of: key) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return Data(content)
  }

  private static func digest(_ content: Data, of key: String) -> Data {
    var hash = SHA2()
    hash.update(Data(key.utf8))
    hash.update(content)
    return Data(hash.value)
  }

  /// What was used last is removed last.
  private func touch(_ entry: URL) {
    // Else it counts as used when it was used before.
    try? FileManager.default.setAttributes(
      [.modificationDate: Date()], ofItemAtPath: entry.path)
  }

  /// Takes an entry out of the way first, so that nobody finds half of it.
  func discard(_ entry: URL) {
    // On a full disk at least the entry goes; half of one isn't taken for a whole.
    guard let trash = try? TemporaryFiles.makeFolder(in: workshop) else {
      try? FileManager.default.removeItem(at: entry)
      return
    }
    defer { TemporaryFiles.removeFolder(trash) }
    _ = rename(entry.path, trash.appending(path: "entry").path)
  }

  // MARK: Keeping

  /// Keeps a copy of a store, which nobody may be writing to. Does nothing where that fails, and for
  /// a store that is larger than all may be together.
  func keep<Content: Codable>(_ store: PersistentStoreFiles, with content: Content, as key: String)
  {
    let entry = folder.appending(path: key)
    if FileManager.default.fileExists(atPath: entry.path) { return }
    withRoom(for: store) {
      // Without room for it nothing is kept, and the next run plays it again.
      guard let workspace = try? TemporaryFiles.makeFolder(in: workshop) else { return nil }
      defer { TemporaryFiles.removeFolder(workspace) }
      let made = workspace.appending(path: "entry", directoryHint: .isDirectory)
      do {
        try Self.write(store, content, of: key, to: made)
        try PrivateFolder.make(folder)
      } catch {
        return nil
      }
      // Whoever was first kept the same.
      return rename(made.path, entry.path) == 0 ? entry : nil
    }
  }

  private static func write<Content: Codable>(
    _ store: PersistentStoreFiles, _ content: Content, of key: String, to entry: URL
  ) throws {
    try PrivateFolder.make(entry)
    let copy = PersistentStoreFiles(entry.appending(path: storeName))
    try store.copy(to: copy)
    let description = Description(files: try StoreDigest.files(of: copy), content: content)
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let data = try encoder.encode(description)
    try (digest(data, of: key) + data).write(to: entry.appending(path: descriptionName))
  }
}
