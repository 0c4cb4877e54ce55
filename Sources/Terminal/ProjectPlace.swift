/// The folder that somebody means who names a file in it.
package enum ProjectPlace {
  /// A file's repository; else the folder in which the tool was started, if the file is in it; else the folder that it
  /// is in. Never the user's home or a folder around that, which hold more than a project: only the file itself then.
  package static func of(_ url: URL) -> String {
    let url = URL(fileURLWithPath: url.path).standardized
    let parent = url.deletingLastPathComponent()
    let folders = sequence(first: parent) { $0.path == "/" ? nil : $0.deletingLastPathComponent() }
      .drop { $0.realPath == nil }
      .prefix { folder in folder.realPath.map { !isAroundHome($0) } ?? false }
    let here = URL(fileURLWithPath: ".").realPath
    let place =
      folders.first { FileManager.default.fileExists(atPath: $0.path + "/.git") }
      ?? folders.first { $0.realPath == here } ?? folders.first
    return place?.realPath
      ?? ((parent.realPath ?? parent.path) as NSString).appendingPathComponent(
        url.lastPathComponent)
  }

  /// The environment variable with the user's `HOME` where foreign code has one of its own.
  package static let homeVariable = "HEAVYWEIGHT_HOME"

  package static func isAroundHome(_ folder: String) -> Bool {
    let variables = ProcessInfo.processInfo.environment
    let home = (variables[homeVariable] ?? variables["HOME"]).flatMap {
      URL(fileURLWithPath: $0).realPath
    }
    return folder == "/" || home.map { isBelow(folder, $0) } ?? false
  }

  /// Whether a path is a folder's own, or one in it; both without links.
  package static func isBelow(_ folder: String, _ path: String) -> Bool {
    path == folder || path.hasPrefix(folder == "/" ? "/" : folder + "/")
  }
}

/// A path as people write it, and reports: relative to the working folder where it is below that.
package enum ShownPath {
  package static func of(_ path: String) -> String {
    let folder = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }

  package static func of(_ url: URL) -> String { of(url.standardizedFileURL.path) }
}
