/// The models of an app's repository, wherever they lie, without other people's.
struct RepositoryModels {
  let root: URL
  let models: [URL]
  /// Those of samples and tests, beside those of the app.
  let leftOut: [URL]
  /// Whether there are none but those of samples and tests: their code counts then.
  let areSamples: Bool

  /// The repository that a folder is, or that it is in.
  /// - Parameter path: What was typed; nil for the current folder.
  /// - Returns: Nil for what is a model itself, or no repository.
  static func root(of path: String?) -> URL? {
    let place = URL(fileURLWithPath: path ?? FileManager.default.currentDirectoryPath)
      .standardizedFileURL
    guard place.isFolder, !VersionedModel.pathExtensions.contains(place.pathExtension) else {
      return nil
    }
    if isRoot(place) { return place }
    return path == nil ? ModelHome.repository(around: place) : nil
  }

  /// Whether a folder has what only a repository's uppermost folder has.
  private static func isRoot(_ folder: URL) -> Bool {
    // One that can't be read has nothing to show.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.contains {
      [".git", "Package.swift", "Podfile", "Cartfile"].contains($0) || $0.hasSuffix(".xcodeproj")
        || $0.hasSuffix(".xcworkspace")
    }
  }

  /// - Throws: When a folder can't be searched; ``Diagnostics`` for a repository without a model.
  init(below root: URL) throws {
    self.root = root
    let all = try ModelHome.ownFiles(
      below: root, withExtensions: ["xcdatamodeld", "xcdatamodel"])
    // A link to one of them is no other model.
    let places = Set(all.filter { !$0.isSymbolicLink }.map(\.realPath))
    let found = all.filter { !$0.isSymbolicLink || !places.contains($0.realPath) }
    if found.isEmpty {
      throw Diagnostics(
        file: root.relativePath,
        "there is no .xcdatamodeld or .xcdatamodel here or in a folder in it, other people's code left out"
      )
    }
    let others = found.filter { Self.isSample($0, below: root) }
    let own = found.filter { !others.contains($0) }
    areSamples = own.isEmpty
    (models, leftOut) = areSamples ? (others, []) : (own, others)
  }

  /// Whether a file is part of a test or a sample, as its folders are called.
  static func isSample(_ file: URL, below root: URL) -> Bool {
    let folders = file.deletingLastPathComponent().pathComponents
      .dropFirst(root.standardizedFileURL.pathComponents.count)
    return folders.contains {
      $0.contains(
        /^(?i:samples?|examples?|demos?|fixtures|tests?)$|Tests?$|^(Sample|Example|Demo)s?[-_ A-Z0-9]/
      )
    }
  }

  /// Names under which the models' scenarios are kept apart: the model's, with as many of its folders as tell it from
  /// the others.
  func folderNames() -> [URL: String] {
    func name(_ model: URL, folders: Int) -> String {
      (model.deletingLastPathComponent().pathComponents.suffix(folders) + [model.baseName])
        .joined(separator: "-")
    }
    return Dictionary(
      uniqueKeysWithValues: models.map { model in
        let needed = (0..<model.pathComponents.count).first { folders in
          models.count { name($0, folders: folders) == name(model, folders: folders) } == 1
        }
        return (model, name(model, folders: needed ?? 1))
      })
  }

  // MARK: History

  /// The versions of a model in the order in which they came into the repository.
  /// - Returns: Nil where git doesn't tell: no history, or two versions that came at once.
  static func orderInHistory(of model: VersionedModel) async -> [String]? {
    let git = Git(about: model.url.path)
    var dates: [(date: Int, name: String)] = []
    for name in model.versions.compactMap(\.name) {
      let file = "\(model.url.lastPathComponent)/\(name).xcdatamodel/contents"
      let home = model.url.deletingLastPathComponent().path
      // Where there is no git, or no history of the file, something else must tell.
      let output = try? await git.run([
        "-C", home, "log", "--follow", "--diff-filter=A", "--format=%at", "--", file,
      ])
      guard let date = output?.split(separator: "\n").last.flatMap({ Int($0) }) else { return nil }
      dates.append((date, name))
    }
    return Set(dates.map(\.date)).count == dates.count ? dates.sorted { $0 < $1 }.map(\.name) : nil
  }
}
