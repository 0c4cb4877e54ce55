import ArgumentParser

/// What shells offer for values of arguments and options.
extension CompletionKind {
  static let backends = list(["memory", "sqlite", "memory,sqlite"])

  /// Scenario files, and folders that may have some.
  static let scenarios = file(extensions: ["yaml", "yml"])

  /// Read when a shell asks: the help of all commands is made in every call in a project.
  static let explained = custom { _, _, _ in
    let topics = ExplanationIndex.groups.flatMap(\.topics)
    return (topics.map(\.identifier) + topics.map(\.name)).filter { !$0.contains(" ") }.uniqued()
  }

  /// The versions of the models among a call's words, else of the project's: by their files' names, since a shell waits
  /// for them.
  static let versions = custom { words, _, _ in
    let typed = words.map { $0.filter { !"\\'\"".contains($0) } }
    let named = versionNames(of: typed)
    guard named.isEmpty, let project = try? ProjectFile.find() else { return named }
    return versionNames(of: project.models.map { project.path($0.value) })
  }

  private static func versionNames(of models: [String]) -> [String] {
    let folders = models.filter { $0.contains(#/\.(xcdatamodeld|momd)\/?$/#) }
    let names: [String] = folders.flatMap { folder in
      (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
    return names.filter { $0.hasSuffix(".xcdatamodel") || $0.hasSuffix(".mom") }
      .map { ($0 as NSString).deletingPathExtension }
      .sorted { $0.localizedStandardCompare($1) == .orderedAscending }
  }
}
