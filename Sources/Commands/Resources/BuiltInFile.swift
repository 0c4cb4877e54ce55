import CBuildInfo

/// Files that are built into the tool; those that no page of docs is made of lie beside this one.
enum BuiltInFile {
  /// What pages for a browser have in common.
  static let style = line("page.css")
  static let script = line("page.js")
  /// The texts of `heavyweight explain`.
  static let explanations = line("explanations.md")
  /// What all exported tests have in common.
  static let exported = line("exported.txt")

  /// - Precondition: The name is in `built_in_files.c`.
  static func text(_ name: String) -> String {
    guard let text = heavyweight_built_in_file(name) else {
      preconditionFailure("'\(name)' isn't built in")
    }
    return String(cString: text)
  }

  /// A file without the end of its last line.
  private static func line(_ name: String) -> String {
    let text = text(name)
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
  }
}
