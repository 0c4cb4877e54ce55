import ArgumentParser

/// What `--order` means, the same for all commands that have it.
enum OrderHelp {
  static let text = ArgumentHelp(
    "The versions, oldest first, separated by commas, or a file with one per line (default: "
      + "determined from mapping files, names, renaming identifiers and differences).",
    valueName: "names|file")
}
