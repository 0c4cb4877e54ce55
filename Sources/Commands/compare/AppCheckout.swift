import Subprocess

/// The files of an app as a folder has them, or as they were at a commit.
struct AppCheckout: Sendable {
  /// As it was given: a folder, or a name that git knows.
  let name: String
  /// The commit; nil for a folder.
  let commit: String?
  /// What paths are relative to.
  let root: URL
  /// The folder of its own that it is in; nil for a folder that was there.
  private let temporary: URL?

  /// Takes a folder, or writes the files of a commit of the repository around the current folder into a folder of its own.
  /// - Throws: ``Diagnostics`` when there is neither a folder nor a commit of this name, no git, or no room.
  init(_ name: String) async throws {
    self.name = name
    let folder = URL(fileURLWithPath: name, isDirectory: true)
    if folder.isFolder {
      (commit, root, temporary) = (nil, folder.standardizedFileURL, nil)
      return
    }
    let git = Git(about: name)
    let top = try await git.run(["rev-parse", "--show-toplevel"])
    let prefix = try await git.run(["rev-parse", "--show-prefix"])
    // What begins with a dash would be an option.
    let commit = try await git.run([
      "rev-parse", "--verify", "--quiet", "--end-of-options", "\(name)^{commit}",
    ])
    let place = try Self.makeFolder(name)
    do {
      // An index of its own: nothing in the repository changes.
      let index = ["GIT_INDEX_FILE": place.appending(path: "index").path]
      let tree = place.appending(path: "tree", directoryHint: .isDirectory)
      _ = try await git.run(["-C", top, "read-tree", commit], index)
      _ = try await git.run(
        ["-C", top, "checkout-index", "--all", "--quiet", "--prefix=\(tree.path)/"], index)
      self.commit = commit
      root = tree.appending(path: prefix, directoryHint: .isDirectory).standardizedFileURL
      temporary = place
    } catch {
      TemporaryFiles.removeFolder(place)
      throw error
    }
  }

  private static func makeFolder(_ name: String) throws -> URL {
    do { return try TemporaryFiles.makeFolder() } catch {
      throw Diagnostics(file: name, "no space for a commit's files: \(error.plainText)")
    }
  }

  /// The folder in which all files of the app are.
  var place: URL { temporary ?? URL(fileURLWithPath: ProjectPlace.of(root), isDirectory: true) }

  /// Removes what was written for it.
  func remove() { if let temporary { TemporaryFiles.removeFolder(temporary) } }

  /// `main (1a2b3c4d)`, or the folder.
  var shownName: String { commit.map { "\(name) (\($0.prefix(8)))" } ?? name }

  // MARK: Files

  /// The file that a path means here.
  /// - Throws: ``Diagnostics`` when there is none.
  func file(_ path: String) throws -> URL {
    let file = (path.hasPrefix("/") ? URL(fileURLWithPath: path) : root.appending(path: path))
      .standardizedFileURL
    if FileKind(of: file) == .missing {
      throw Diagnostics(file: path, "there is no such file or folder in \(shownName)")
    }
    return file
  }

  /// The files that paths and patterns mean here: what the shell makes of a pattern is what the current folder has.
  func files(_ patterns: [String]) throws -> [URL] {
    try patterns.flatMap { pattern in
      guard pattern.contains(where: "*?[".contains) else { return [try file(pattern)] }
      // The folder above may not be there on this side, and '..' leads nowhere from it.
      let whole =
        pattern.hasPrefix("/")
        ? pattern : root.appending(path: pattern).standardizedFileURL.path
      let found = FolderSearch.files(matching: whole)
      if found.isEmpty {
        throw Diagnostics(file: pattern, "no file matches in \(shownName)")
      }
      return found
    }
  }
}

/// Calls of git.
struct Git {
  /// What a message is about.
  let about: String

  /// - Returns: What it printed, without the last line's end.
  /// - Throws: ``Diagnostics`` with what git says.
  func run(_ arguments: [String], _ variables: [String: String] = [:]) async throws -> String {
    do {
      let result = try await Subprocess.run(
        .name("git"), arguments: Arguments(arguments),
        environment: .inherit.updating(
          Dictionary(uniqueKeysWithValues: variables.map { (.init(stringLiteral: $0), $1) })),
        output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
      if result.terminationStatus.isSuccess {
        return result.standardOutput.trimmingCharacters(in: .newlines)
      }
      throw problem(result.standardError.trimmingCharacters(in: .newlines))
    } catch let error as SubprocessError {
      throw problem("can't run git: \(error)")
    }
  }

  private func problem(_ text: String) -> Diagnostics {
    let what = "this is neither a folder nor a commit of this repository"
    return Diagnostics(file: about, text.isEmpty ? what : "\(what): \(text)")
  }
}
