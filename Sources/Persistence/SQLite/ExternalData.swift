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

  /// Where the file `name` is. The name comes from the store: only a UUID is one, and none leads out
  /// of the folder.
  private func place(of name: String) -> URL? {
    UUID(uuidString: name) == nil ? nil : folder.appendingPathComponent(name)
  }

  /// The data of the file `name`; nil when there is no such file.
  /// - Throws: `CoreDataError` when there is one that can't be read.
  func read(_ name: String) throws -> Data? {
    guard let place = place(of: name) else { return nil }
    do { return try FileCalls.readOrdinaryFile(place) } catch { throw unreadable(name, error) }
  }

  /// Whether the file `name` is there.
  /// - Throws: As ``read(_:)``.
  func has(_ name: String) throws -> Bool {
    guard let place = place(of: name) else { return false }
    do { return try FileCalls.hasOrdinaryFile(place) } catch { throw unreadable(name, error) }
  }

  /// Data that is there and can't be read isn't missing: nil in its place would be its loss.
  private func unreadable(_ name: String, _ error: any Error) -> CoreDataError {
    let folders = folder.pathComponents.suffix(2).joined(separator: "/")
    return .largeValueNotRead("\(folders)/\(name)", error)
  }

  /// The bytes for a column that is to hold `data`, and the file that was written for it.
  func write(_ data: Data) throws -> (bytes: Data, file: String?) {
    guard data.count > Self.inlineLimit else { return (Data([Self.inlineTag]) + data, nil) }
    let name = UUID().uuidString
    do {
      try TemporaryFiles.placing {
        try FileCalls.makeFolder(folder)
        try FileCalls.write(data, to: folder.appendingPathComponent(name))
      }
    } catch {
      throw CoreDataError.largeValueNotWritten(folder, error)
    }
    return (Data([Self.fileTag]) + Data(name.utf8) + Data([0]), name)
  }

  /// Makes the files durable.
  func synchronize(_ names: [String]) throws {
    for name in names {
      do { try FileCalls.synchronize(folder.appendingPathComponent(name)) } catch {
        throw CoreDataError.largeValueNotDurable(error).at(file: folder.path)
      }
    }
  }

  func remove(_ name: String) {
    // One that stays takes room, and nothing refers to it any more.
    if let place = place(of: name) { try? FileCalls.remove(place) }
  }
}
