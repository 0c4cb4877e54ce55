// Where the result goes.

extension StoreMigration {
  /// As ``preparePlace(of:)``, and keeps other calls from making something there meanwhile.
  /// - Returns: The files whose place is to be given back in the end.
  /// - Throws: ``Diagnostics``, also while another call has the place.
  static func reservePlace(of output: URL) throws -> PersistentStoreFiles {
    try preparePlace(of: output)
    let files = PersistentStoreFiles(output)
    let isReserved: Bool
    do { isReserved = try files.reservePlace() } catch { throw notWritable(output, error) }
    guard isReserved else {
      throw problem(
        output, "another migration makes this now, and nothing is overwritten; name another file")
    }
    // Another call may have come to its end between the two.
    do { try requireVacancy(of: files) } catch {
      files.giveBackPlace()
      throw error
    }
    return files
  }

  /// Makes sure that the result can be written and will overwrite nothing, and removes what killed
  /// migrations to the same place left there.
  /// - Throws: ``Diagnostics``.
  static func preparePlace(of output: URL) throws {
    let files = PersistentStoreFiles(output)
    try checkFolder(of: output)
    files.removeLeftovers()
    TemporaryFiles.removeDeadFolders(in: output.deletingLastPathComponent())
    try requireVacancy(of: files)
    do { try files.makeTemporaryNeighbour().remove() } catch { throw notWritable(output, error) }
  }

  private static func requireVacancy(of files: PersistentStoreFiles) throws {
    for url in [files.url, files.walURL, files.journalURL, files.supportFolderURL] {
      var facts = stat()
      // A link that leads nowhere has the name, too.
      if lstat(url.path, &facts) == 0 {
        throw problem(url, "this already exists, and nothing is overwritten; name another file")
      }
      let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      if ![.ENOENT, .ENOTDIR].contains(error.code) { throw notWritable(files.url, error) }
    }
  }

  private static func notWritable(_ output: URL, _ error: any Error) -> any Error {
    let reason = (error as? CoreDataError)?.underlying?.plainText ?? error.plainText
    let folder = output.deletingLastPathComponent().relativePath
    let told = problem(output, "nothing can be written in the folder '\(folder)': \(reason)")
    return MachineFault(error).map { MachineFault($0.kind, "\(told)") } ?? told
  }

  private static func checkFolder(of output: URL) throws {
    let folder = output.deletingLastPathComponent()
    if output.hasDirectoryPath {
      throw problem(output, "give the name of a file for the result, not a folder")
    }
    guard folder.isFolder else {
      throw problem(output, "there is no folder '\(folder.relativePath)'; make it first")
    }
  }

  private static func problem(_ place: URL, _ text: String) -> Diagnostics {
    Diagnostics(file: place.relativePath, text)
  }
}
