import ArgumentParser

/// Which of a model's versions a command looks at.
struct VersionRange: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Look only at steps from this version on; older ones are behind every store that matters.",
      valueName: "version"))
  var since: String?
}
