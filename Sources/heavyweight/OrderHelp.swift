import ArgumentParser

/// What `--order` means, the same for all commands that have it.
enum OrderHelp {
  static let text = ArgumentHelp(
    "The versions from the oldest on, with commas between, or a file with one in each line (default: "
      + "found by mapping files, names, renaming identifiers and what differs).",
    valueName: "names|file")
}
