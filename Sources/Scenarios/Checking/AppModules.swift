/// The modules that an app's files are compiled into, as its project files and package manifests say.
package struct AppModules {
  /// By the path of a file, or of a folder; an empty name for one that isn't known.
  private var modules: [String: Set<String>] = [:]

  /// - Parameter files: Xcode projects and package manifests, among whatever else.
  package init(of files: [URL]) {
    for file in files {
      if file.lastPathComponent == "Package.swift" { addTargets(of: file) }
      guard file.pathExtension == "xcodeproj" else { continue }
      for (place, module) in XcodeProject(at: file)?.modules() ?? [] { add(module, at: place) }
    }
  }

  private mutating func add(_ module: String, at place: URL) {
    modules[place.standardizedFileURL.path, default: []].insert(module)
  }

  /// - Returns: Nil for a file of which nothing tells it for certain.
  package func names(of file: URL) -> Set<String>? {
    var place = file.standardizedFileURL
    var names: Set<String> = []
    while place.path != "/" {
      names.formUnion(modules[place.path] ?? [])
      place.deleteLastPathComponent()
    }
    return names.isEmpty || names.contains("") ? nil : names
  }

  /// The targets of a package by their words: `.target(name: "Core", dependencies: […], path: "Code")`.
  private mutating func addTargets(of manifest: URL) {
    // One that can't be read tells nothing.
    guard let data = try? Data(reading: manifest) else { return }
    let code = String(decoding: data, as: UTF8.self).replacing(/(?m)^\s*\/\/.*$/, with: "")
    let targets = code.matches(
      of: /\.(?:target|executableTarget|testTarget|macro)\s*\(\s*name:\s*"([^"]+)"/)
    for target in targets {
      // What is in brackets within is said of something else.
      var (depth, own) = (1, "")
      for character in code[target.range.upperBound...] {
        if "([".contains(character) { depth += 1 }
        if ")]".contains(character) { depth -= 1 }
        if depth == 0 { break }
        if depth == 1 { own.append(character) }
      }
      let name = String(target.1)
      let folders =
        own.firstMatch(of: /\bpath:\s*"([^"]*)"/).map { [String($0.1)] }
        ?? ["Sources", "Source", "src", "srcs", "Tests"].map { "\($0)/\(name)" }
      for folder in folders {
        let place = manifest.deletingLastPathComponent().appending(path: folder)
        add(XcodeProject.identifier(name), at: place)
      }
    }
  }
}
