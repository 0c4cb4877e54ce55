/// Seeded stores, and stores that were taken part of a chain, kept from run to run by the content
/// they were made from.
///
/// Several processes may use one folder: an entry is made in a folder of its own and then renamed
/// into place, so it is there whole or not at all. An entry whose files aren't what was put there is
/// removed, and made anew by whoever needs it. Nothing ever depends on an entry being there: a full
/// disk, say, only makes runs take longer.
struct StoreCache: Sendable, Codable {
  let folder: URL

  /// - Parameter folder: The cache's folder, shared with compiled policies.
  init(in folder: URL) {
    self.folder = folder.appending(path: "stores", directoryHint: .isDirectory)
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
      let data = try Data(contentsOf: entry.appending(path: Self.descriptionName))
      let description = try PropertyListDecoder().decode(Description<Content>.self, from: data)
      try PersistentStoreFiles(entry.appending(path: Self.storeName)).copy(to: place)
      guard try StoreDigest.files(of: place) == description.files else {
        throw CocoaError(.fileReadCorruptFile)
      }
      touch(entry)
      return description.content
    } catch {
      try? place.remove()
      discard(entry)
      return nil
    }
  }

  /// What was used last is removed last.
  private func touch(_ entry: URL) {
    try? FileManager.default.setAttributes(
      [.modificationDate: Date()], ofItemAtPath: entry.path)
  }

  /// Takes an entry out of the way first, so that nobody finds half of it.
  private func discard(_ entry: URL) {
    let trash = folder.appending(path: ".removed-\(UUID().uuidString)")
    guard rename(entry.path, trash.path) == 0 else { return }
    try? FileManager.default.removeItem(at: trash)
  }

  // MARK: Keeping

  /// Keeps a copy of a store, which nobody may be writing to. Does nothing where that fails.
  func keep<Content: Codable>(_ store: PersistentStoreFiles, with content: Content, as key: String)
  {
    let entry = folder.appending(path: key)
    let manager = FileManager.default
    guard !manager.fileExists(atPath: entry.path) else { return }
    let workspace = folder.appending(path: ".making-\(UUID().uuidString)")
    defer { try? manager.removeItem(at: workspace) }
    do {
      try manager.createDirectory(at: workspace, withIntermediateDirectories: true)
      let copy = PersistentStoreFiles(workspace.appending(path: Self.storeName))
      try store.copy(to: copy)
      let description = Description(files: try StoreDigest.files(of: copy), content: content)
      let encoder = PropertyListEncoder()
      encoder.outputFormat = .binary
      try encoder.encode(description).write(to: workspace.appending(path: Self.descriptionName))
      // Whoever was first kept the same.
      _ = rename(workspace.path, entry.path)
    } catch {
      return
    }
  }

  // MARK: Size

  /// Removes the entries that were used longest ago, until the rest is small enough; and what
  /// processes that were killed left behind.
  /// - Parameter bytes: Most bytes of all entries together.
  func trim(to bytes: Int64, now: Date = Date()) {
    var entries = listing().sorted { $0.used > $1.used }
    for stray in entries where stray.url.lastPathComponent.hasPrefix(".") {
      // One that is being made is younger.
      if now.timeIntervalSince(stray.used) > 3600 {
        try? FileManager.default.removeItem(at: stray.url)
      }
    }
    entries.removeAll { $0.url.lastPathComponent.hasPrefix(".") }
    var total: Int64 = 0
    for entry in entries {
      total += entry.bytes
      if total > bytes { discard(entry.url) }
    }
  }

  private struct Listed {
    let url: URL
    let used: Date
    let bytes: Int64
  }

  private func listing() -> [Listed] {
    let manager = FileManager.default
    let names = (try? manager.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.compactMap { name in
      let url = folder.appending(path: name)
      guard let attributes = try? manager.attributesOfItem(atPath: url.path),
        let used = attributes[.modificationDate] as? Date
      else { return nil }
      return Listed(url: url, used: used, bytes: Self.bytes(in: url))
    }
  }

  private static func bytes(in folder: URL) -> Int64 {
    let manager = FileManager.default
    let names = manager.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return names.reduce(0) { total, name in
      let path = folder.appending(path: name).path
      let size = try? manager.attributesOfItem(atPath: path)[.size] as? NSNumber
      return total + (size?.int64Value ?? 0)
    }
  }
}
