/// The files that a call of a command reads and writes, as somebody named them: no report may take the place
/// of one of the others, or of a file that is no report.
package struct CommandFiles: Sendable {
  private struct Named {
    /// What the file is to the command, as `--junit` or `the store`.
    let name: String
    let path: String
  }

  private struct Report {
    let option: String
    let path: String
    let form: ReportForm
    /// The folder that somebody named, of a page.
    var folder: String?

    var places: [String] { [path, folder].compactMap(\.self) }
  }

  /// What is wrong with a report's place.
  package struct Problem: Equatable, Sendable {
    package let path: String
    package let text: String
  }

  private var used: [Named] = []
  private var reports: [Report] = []
  /// Where stubs are written of what policies miss; nil if nobody wants them.
  package var stubFolder: String?

  package init() {}

  /// Notes files that the command reads, or writes beside its reports.
  package mutating func use(_ name: String, _ paths: [String]) {
    used += paths.map { Named(name: name, path: $0) }
  }

  package mutating func use(_ name: String, _ path: String?) {
    use(name, [path].compactMap(\.self))
  }

  /// Notes stores, with the journals beside them.
  package mutating func useStores(_ name: String, _ paths: [String]) {
    for path in paths { use(name, ["", "-wal", "-shm", "-journal"].map { path + $0 }) }
  }

  /// Notes a report.
  /// - Parameter path: Nil where nobody asks for it, `-` or nothing for standard output.
  package mutating func report(_ option: String, to path: String?, as form: ReportForm) {
    guard let path, !path.isEmpty, path != "-" else { return }
    reports.append(Report(option: option, path: path, form: form))
  }

  /// Notes a page in a folder.
  package mutating func page(_ option: String, in folder: String?) {
    guard let folder, !folder.isEmpty else { return }
    let file = URL(fileURLWithPath: folder, isDirectory: true).appending(path: "index.html")
    reports.append(
      Report(option: option, path: file.relativePath, form: .page, folder: folder))
  }

  /// The first report that would overwrite what it must not; nil where there is none.
  package var problem: Problem? {
    var names: [String: String] = [:]
    // A folder that is read may get a page.
    for file in used where !Self.isFolderOrDevice(file.path) {
      names[URL(fileURLWithPath: file.path).finalPath] = file.name
    }
    for report in reports {
      for path in report.places where !Self.isFolderOrDevice(path) {
        if let other = names.updateValue(
          report.option, forKey: URL(fileURLWithPath: path).finalPath)
        {
          return Problem(
            path: path,
            text: "\(other) and \(report.option) name the same file, which the report would "
              + "overwrite; name another file for it")
        }
      }
      if !report.form.mayReplace(URL(fileURLWithPath: report.path)) {
        return Problem(
          path: report.path,
          text: "this file is there and holds no \(report.form.name), so \(report.option) doesn't "
            + "overwrite it; name another file")
      }
    }
    return nil
  }

  /// The first report that a link leads out of the project that it was named in: whoever made the link may be somebody
  /// else.
  package var strayReport: Problem? {
    for path in reports.flatMap(\.places) {
      let url = URL(fileURLWithPath: path)
      let (project, end) = (ProjectPlace.of(url), url.finalPath)
      if ProjectPlace.isBelow(project, end) { continue }
      return Problem(
        path: path,
        text:
          "a link leads to \(end), outside of \(project), and with --sandbox nothing is written there; name that "
          + "file itself")
    }
    return nil
  }

  private static func isFolderOrDevice(_ path: String) -> Bool {
    switch FileKind(of: URL(fileURLWithPath: path)) {
    case .missing, .file: false
    case .folder, .other: true
    }
  }
}
