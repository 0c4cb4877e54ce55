import CBuildInfo

/// Which build of the tool this is.
package enum ToolVersion {
  /// By semantic versioning; the only place that has it. The newest release of CHANGELOG.md is this one.
  package static let number = "0.4.0"

  /// The commit that was built, with a `+` where files had been changed; nil in a build that wasn't told.
  static var commit: String? {
    let commit = String(cString: heavyweight_commit())
    return commit.isEmpty ? nil : commit
  }

  /// The compiler's version, to which the compiler of policies must fit.
  static var swift: String {
    #if compiler(>=6.5)
      "6.5 or newer"
    #elseif compiler(>=6.4)
      "6.4"
    #else
      "6.3"
    #endif
  }

  /// What `heavyweight --version` prints.
  package static var text: String {
    "heavyweight \(number) (commit \(commit ?? "not known"), Swift \(swift))"
  }
}
