/// The commit of what is tested: of the app, not of this tool.
package enum CheckedOutCommit {
  private static let variables = [
    "GITHUB_SHA", "CI_COMMIT_SHA", "BUILDKITE_COMMIT", "CIRCLE_SHA1", "GIT_COMMIT",
  ]

  /// What the CI says, else what the repository around the working folder has checked out; nil outside of one.
  package static func name(
    environment: [String: String] = ProcessInfo.processInfo.environment,
    below folder: String = FileManager.default.currentDirectoryPath
  ) -> String? {
    for variable in variables {
      if let commit = environment[variable], isCommit(commit) { return commit }
    }
    var place = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
    while true {
      if let commit = commit(in: place.appending(path: ".git")) { return commit }
      if place.path == "/" { return nil }
      place.deleteLastPathComponent()
    }
  }

  /// Read from the files of Git, which needn't be there as a program.
  private static func commit(in repository: URL) -> String? {
    guard let head = text(of: repository.appending(path: "HEAD")) else { return nil }
    guard head.hasPrefix("ref: ") else { return isCommit(head) ? head : nil }
    let reference = String(head.dropFirst(5))
    if let commit = text(of: repository.appending(path: reference)), isCommit(commit) {
      return commit
    }
    let packed = text(of: repository.appending(path: "packed-refs")) ?? ""
    let line = packed.split(separator: "\n").first { $0.hasSuffix(" \(reference)") }
    return line.map { String($0.prefix { $0 != " " }) }.flatMap { isCommit($0) ? $0 : nil }
  }

  /// Nil where there is no such file: then the commit isn't known, which no verdict depends on.
  private static func text(of file: URL) -> String? {
    (try? String(contentsOf: file, encoding: .utf8))?.trimmingCharacters(
      in: .whitespacesAndNewlines)
  }

  private static func isCommit(_ text: String) -> Bool {
    (7...64).contains(text.count) && text.allSatisfy { $0.isHexDigit && $0.isASCII }
  }
}
