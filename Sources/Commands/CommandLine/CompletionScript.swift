import ArgumentParser

/// The script by which a shell completes the tool's words.
///
/// ArgumentParser's own offers nothing where it knows no list of values, and so keeps shells from offering the
/// files that nearly all of the tool's arguments are. Here files are offered in every such place.
enum CompletionScript {
  /// The script of the shell that `arguments` ask for by `--generate-completion-script`; nil where they don't.
  static func requested(by arguments: [String]) -> String? {
    guard arguments.count == 2, arguments[0] == "--generate-completion-script",
      let shell = CompletionShell(rawValue: arguments[1])
    else { return nil }
    return script(for: shell)
  }

  static func script(for shell: CompletionShell) -> String {
    offeringFiles(Heavyweight.completionScript(for: shell), shell)
  }

  private static func offeringFiles(_ script: String, _ shell: CompletionShell) -> String {
    switch shell {
    case .bash:
      // Where nothing is offered, what bash offers without a script.
      script.replacing(
        "complete -o filenames -F _heavyweight",
        with: "complete -o filenames -o default -F _heavyweight")
    case .zsh:
      // The action of an argument, behind its last colon, is missing.
      script.replacing(#/(?m)^(?<spec> +'.*:[^:' ]+):'$/#) { "\($0.spec):_files'" }
    case .fish:
      script.replacing("complete -c 'heavyweight' -f\n", with: Self.filesInFish)
        .replacing(" -rfka ''", with: " -rF")
    default: script
    }
  }

  /// A command's name is no file; what comes behind it may be one.
  private static let filesInFish = """
    complete -c 'heavyweight' -n '__fish_use_subcommand' -f

    """
}
