/// The values of attributes that allow external storage: a tag byte, then the data itself or the
/// name of a file beside the store.
struct ExternalData {
  let folder: URL

  /// Tag of data that is in the column.
  static let inlineTag: UInt8 = 1
  /// Tag of a reference to a file.
  static let fileTag: UInt8 = 2
  /// Data of more bytes than this goes into a file.
  static let inlineLimit = 100 * 1024

  /// What a column holds.
  enum Content {
    case data(Data)
    /// The name of the file with the data.
    case file(String)
  }

  /// Takes a column's bytes apart; nil when the tag is neither of the known ones.
  static func content(of bytes: Data) -> Content? {
    switch bytes.first {
    case inlineTag: .data(Data(bytes.dropFirst()))
    case fileTag: .file(String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self))
    default: nil
    }
  }

  /// The data of the file `name`; nil when there is no such file.
  func read(_ name: String) -> Data? {
    // The name comes from the store: only a UUID is one, and none leads out of the folder.
    guard UUID(uuidString: name) != nil else { return nil }
    return try? Data(contentsOf: folder.appendingPathComponent(name), options: .mappedIfSafe)
  }

  /// The bytes for a column that is to hold `data`, and the file that was written for it.
  func write(_ data: Data) throws -> (bytes: Data, file: String?) {
    guard data.count > Self.inlineLimit else { return (Data([Self.inlineTag]) + data, nil) }
    let name = UUID().uuidString
    do {
      try TemporaryFiles.placing {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: folder.appendingPathComponent(name))
      }
    } catch {
      throw CoreDataError(
        .persistentStoreSave, "A large value can't be written beside the store",
        advice: "check that the store's folder is writable and has space"
      ).at(file: folder.path).with(value: nil, underlying: error)
    }
    return (Data([Self.fileTag]) + Data(name.utf8) + Data([0]), name)
  }

  /// Makes the files durable.
  func synchronize(_ names: [String]) throws {
    for name in names {
      let file = try FileHandle(forUpdating: folder.appendingPathComponent(name))
      try file.synchronize()
      try file.close()
    }
  }

  func remove(_ name: String) {
    guard UUID(uuidString: name) != nil else { return }
    try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
  }
}
