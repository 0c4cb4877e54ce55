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

  package init() {}

  /// Notes files that the command reads, or writes beside its reports.
  package mutating func use(_ name: String, _ paths: [String]) {
    used += paths.map { Named(name: name, path: $0) }
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
      names[Self.resolved(file.path)] = file.name
    }
    for report in reports {
      for path in report.places where !Self.isFolderOrDevice(path) {
        if let other = names.updateValue(report.option, forKey: Self.resolved(path)) {
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

  private static func isFolderOrDevice(_ path: String) -> Bool {
    switch FileKind(of: URL(fileURLWithPath: path)) {
    case .missing, .file: false
    case .folder, .other: true
    }
  }

  // MARK: One name for a file

  private static let mostLinks = 40

  /// The path without symbolic links on the way, also of a file that isn't there yet.
  private static func resolved(_ path: String) -> String {
    resolved(URL(fileURLWithPath: path).path, links: 0)
  }

  private static func resolved(_ path: String, links: Int) -> String {
    if let real = URL(fileURLWithPath: path).realPath { return real }
    let url = URL(fileURLWithPath: path).standardizedFileURL
    let folder = url.deletingLastPathComponent()
    guard folder.path != url.path, links < mostLinks else { return url.path }
    // A link to what isn't there leads to what would be made.
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) {
      let place = target.hasPrefix("/") ? target : "\(folder.path)/\(target)"
      return resolved(place, links: links + 1)
    }
    let parent = resolved(folder.path, links: links)
    return (parent == "/" ? "" : parent) + "/" + url.lastPathComponent
  }
}
