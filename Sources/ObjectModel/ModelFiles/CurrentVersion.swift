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
  // compiles as the current one isn't known, and no test decides it, since only Xcode does that.
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
