import ArgumentParser

extension ArgumentHelp {
  /// The help of an option or argument that takes a value, which goes by a name in the help: `--csv <file>`.
  static func taking(_ value: String, _ text: String) -> ArgumentHelp {
    ArgumentHelp(text, valueName: value)
  }
}
