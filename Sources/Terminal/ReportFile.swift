/// Writes a report to a file: whole, or not at all.
package enum ReportFile {
  /// Makes sure that a report can go to `path` before anything runs that takes long: makes the
  /// folders that are missing, and looks whether a file can be made there.
  /// - Throws: ``ReportError``.
  package static func prepare(_ path: String) throws {
    let url = URL(fileURLWithPath: path)
    switch FileKind(of: url) {
    case .folder: throw ReportError(path: path, reason: "this is a folder")
    case .other: return
    case .file, .missing: try prepare(folder: url.deletingLastPathComponent(), of: path)
    }
  }

  package static func prepare(folder: URL, of path: String) throws {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw ReportError(path: path, reason: error.plainText)
    }
    if access(folder.path, W_OK | X_OK) != 0 { throw ReportError(path: path, errno: errno) }
  }

  /// Replaces the report at `path`. Until everything is written and safe, what was there stays, as does a file that is no
  /// report and has appeared since the command began; a pipe or a device is written to as it is.
  /// - Throws: ``ReportError``; nothing new is left behind then.
  package static func write(_ data: Data, to path: String) throws {
    let url = URL(fileURLWithPath: path)
    if case .other = FileKind(of: url) { return try write(data, toDevice: path) }
    do { try WholeFile.write(data, to: url, if: try replaced(at: url)) } catch {
      let isThere = (error as? POSIXError)?.code == .EEXIST || error is WholeFile.Changed
      throw ReportError(
        path: path,
        reason: isThere
          ? "a file that is no report of this tool has appeared there, and is not overwritten"
          : error.plainText)
    }
  }

  /// What must be at a report's place when it is written.
  private static func replaced(at url: URL) throws -> WholeFile.Condition {
    switch FileKind(of: url) {
    case .folder, .other: return .any
    case .missing:
      var facts = stat()
      return lstat(url.path, &facts) == 0 ? .any : .new
    case .file:
      let isReport = ReportForm.allCases.contains { $0.mayReplace(url) }
      return isReport ? .unchanged(since: try Data(reading: url)) : .new
    }
  }

  /// Adds to the end of a file that others write to, too.
  /// - Throws: ``ReportError``.
  package static func append(_ data: Data, to path: String) throws {
    try open(path, O_WRONLY | O_CREAT | O_APPEND) { try writeAll(data, to: $0) }
  }

  /// Writes to standard output what is harmless of a text; see ``TerminalText``.
  /// - Throws: ``ReportError``.
  package static func writeToOutput(_ data: Data) throws {
    try writeToOutputAsItIs(TerminalText.harmless(data))
  }

  /// Writes to standard output what is meant to be obeyed, with all in it that isn't made harmless.
  /// - Throws: ``ReportError``.
  package static func writeToOutputAsItIs(_ data: Data) throws {
    do { try writeAll(data, to: STDOUT_FILENO) } catch let failure as POSIXFailure {
      throw ReportError(path: "standard output", errno: failure.number)
    }
  }

  /// Writes to standard error as much as goes of what is harmless of a text.
  package static func tryToWriteErrors(_ data: Data) {
    tryToWriteErrorsAsTheyAre(TerminalText.harmless(data))
  }

  /// Where standard error is closed or full there is nobody to tell.
  static func tryToWriteErrorsAsTheyAre(_ data: Data) { try? writeAll(data, to: STDERR_FILENO) }

  // MARK: Bytes

  private struct POSIXFailure: Error {
    let number: Int32
    init(_ number: Int32) { self.number = number }
  }

  private static func write(_ data: Data, toDevice path: String) throws {
    try open(path, O_WRONLY) { try writeAll(data, to: $0) }
  }

  private static func open(
    _ path: String, _ flags: Int32, _ body: (Int32) throws -> Void
  ) throws {
    let descriptor = Foundation.open(path, flags | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw ReportError(path: path, errno: errno) }
    defer { close(descriptor) }
    do { try body(descriptor) } catch let failure as POSIXFailure {
      throw ReportError(path: path, errno: failure.number)
    }
  }

  private static func writeAll(_ data: Data, to descriptor: Int32) throws {
    try data.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = Foundation.write(
          descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
        if count < 0, errno == EINTR { continue }
        if count < 0 { throw POSIXFailure(errno) }
        done += count
      }
    }
  }
}

/// A report that can't be written.
package struct ReportError: Error, CustomStringConvertible {
  package let path: String
  package let reason: String

  package var description: String { "\(path): error: can't write the report: \(reason)" }

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }
}

extension ReportError {
  package init(path: String, errno: Int32) {
    self.init(path: path, reason: String(cString: strerror(errno)))
  }
}
