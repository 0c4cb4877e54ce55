/// What a process printed, as reports show it: not without end, and nothing in it that a terminal would
/// obey.
package enum PrintedText {
  /// Of a longer text as much of the beginning is kept, and of the end.
  static let mostBytes = 1 << 20
  /// A file of no more than this is all there.
  static let mostWholeBytes = mostBytes * 16

  /// The text in a file; empty where there is none.
  package static func of(_ file: URL) -> String {
    do {
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }  // Nothing was written by it.
      let size = Int(try handle.seekToEnd())
      let half = UInt64(mostBytes / 2)
      try handle.seek(toOffset: 0)
      // It may grow meanwhile.
      if size <= mostBytes { return plain(try handle.read(upToCount: mostBytes) ?? Data()) }
      let beginning = try handle.read(upToCount: Int(half)) ?? Data()
      try handle.seek(toOffset: UInt64(size) - half)
      let end = try handle.read(upToCount: Int(half)) ?? Data()
      return plain(beginning) + "\n… \(size - mostBytes) bytes left out …\n" + plain(end)
    } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
      return ""
    } catch {
      return "(what was printed can't be read: \(error.plainText))\n"
    }
  }

  /// Lines and tabs are as they are; whatever else controls a terminal is shown by the sign that stands
  /// for it.
  package static func plain(_ data: Data) -> String { plain(String(decoding: data, as: UTF8.self)) }

  static func plain(_ text: String) -> String {
    text.replacing("\r\n", with: "\n").withoutControls
  }

  /// `FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE`.
  private static let punchHoleKeepingSize: Int32 = 0x02 | 0x01

  /// Gives back the room of what nobody will be shown of a file that grows: the middle of it.
  static func giveBackRoom(of file: URL) {
    var facts = stat()
    guard stat(file.path, &facts) == 0 else { return }
    let kept = off_t(mostBytes)
    // Of the blocks, not of the size: a hole has none.
    guard off_t(facts.st_blocks) * 512 > off_t(mostWholeBytes) else { return }
    let descriptor = open(file.path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // Where a file system can't make holes, the file takes the room until the run is over.
    typealias Function = @convention(c) (Int32, Int32, off_t, off_t) -> Int32
    guard let symbol = dlsym(nil, "fallocate") else { return }
    _ = unsafeBitCast(symbol, to: Function.self)(
      descriptor, punchHoleKeepingSize, kept, facts.st_size - 2 * kept)
  }
}
