/// Which of a model's versions is the current one, and how that is known.
struct CurrentVersion {
  /// Nil where nothing says so, or what says so is wrong.
  var name: String?
  var problem: ModelFileError?
  /// Whether nothing says so: the newest is taken, whichever that turns out to be.
  private(set) var isAssumed = false
  /// What is said of it.
  private(set) var note: ModelFileNote?

  /// What the model's own file names. Where it names none that is there, a single version is no doubt; else Xcode's
  /// project file may tell, and else the newest version is taken.
  ///
  // Core Data: assumed. Models without the name, or with that of a version that is gone, are public; which version Xcode
  // compiles as the current one isn't known.
  init(
    named: ([String]) throws(ModelFileError) -> String?, among names: [String], of model: URL
  ) {
    do throws(ModelFileError) {
      name = try named(names)
    } catch {
      problem = error
      note = ModelFileNote(error)
      switch error.kind {
      case .noCurrentVersion, .missingCurrentVersion: break
      // What is damaged may have named any.
      default: return
      }
    }
    if name != nil { return }
    if names.count == 1 {
      name = names[0]
      return
    }
    let found = XcodeProject.currentVersion(of: model, among: names)
    name = found?.version
    isAssumed = name == nil
    let taken =
      found.map { "'\($0.version)' is taken, as \($0.project) has it" }
      ?? "the newest is taken; name another with an .xccurrentversion"
    note = ModelFileNote(
      message: "\(problem?.message ?? "nothing says which version is the current one"): \(taken)",
      file: problem?.file ?? model.path, line: problem?.line, isOnCurrentVersion: true)
  }
}

/// What Xcode's project files say of a model: a group of versions, with the current one.
package enum XcodeProject {
  /// The current version, where a project names one that is there.
  static func currentVersion(
    of model: URL, among names: [String]
  ) -> (version: String, project: String)? {
    first(above: model) { group in group.current.flatMap { names.contains($0) ? $0 : nil } }
  }

  /// All versions of a model, the oldest first: Xcode adds a new one at the top of its group, and makes it the current one.
  package static func versions(
    of model: URL, among names: [String]
  ) -> (versions: [String], project: String)? {
    first(above: model) { group in
      let isWhole = Set(group.versions) == Set(names) && group.versions.count == names.count
      return isWhole && group.current == group.versions.first ? group.versions.reversed() : nil
    }
  }

  /// Looks in the folders above the model, the nearest first.
  private static func first<Found>(
    above model: URL, _ found: (Group) -> Found?
  ) -> (Found, project: String)? {
    var folder = model.deletingLastPathComponent()
    for _ in 0..<8 {
      // A folder or a project that can't be read says nothing. Folders may hold thousands of files.
      let members = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for project in members.filter({ $0.hasSuffix(".xcodeproj") }).sorted() {
        let file = folder.appending(path: project).appending(path: "project.pbxproj")
        let text = (try? Data(reading: file)).map { String(decoding: $0, as: UTF8.self) }
        if let group = text.flatMap({ Group(of: model.lastPathComponent, in: $0) }),
          let fact = found(group)
        {
          return (fact, project)
        }
      }
      if folder.path == "/" { break }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  /// `… = { isa = XCVersionGroup; children = (ID, …); currentVersion = ID; path = App.xcdatamodeld; … }`, and the files
  /// of these IDs.
  private struct Group {
    var current: String?
    var versions: [String] = []

    init?(of model: String, in project: String) {
      let groups = project.matches(of: /\{\s*isa = XCVersionGroup;([^{}]*)\}/).map { String($0.1) }
      guard let group = groups.first(where: { Self.path(in: $0) == model }) else { return nil }
      var names: [Substring: String] = [:]
      for file in project.matches(of: /(\w+)[^={}]*= \{([^{}]*)\}/)
      where file.2.contains("PBXFileReference") {
        names[file.1] = Self.path(in: String(file.2)).map { URL(fileURLWithPath: $0).baseName }
      }
      current = group.firstMatch(of: /currentVersion = (\w+)/).flatMap { names[$0.1] }
      let children = group.firstMatch(of: /children = \(([^)]*)\)/)?.1.split(separator: ",") ?? []
      versions = children.compactMap { child in
        child.firstMatch(of: /\w+/).flatMap { names[$0.0] }
      }
    }

    private static func path(in object: String) -> String? {
      object.firstMatch(of: /\bpath = (?:"([^"]*)"|([^;"]*));/).map { String($0.1 ?? $0.2 ?? "") }
    }
  }
}
