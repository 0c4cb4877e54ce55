import ArgumentParser

/// Which of a model's versions a command looks at.
struct VersionRange: ParsableArguments {
  @Option(
    help: .taking("version", "Check only steps from this version on, if no store is older."),
    completion: .versions)
  var since: String?
}
