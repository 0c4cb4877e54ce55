/// A Swift package of exported tests: a test target for each set of policies, and a target for each of their modules.
struct ExportedPackage {
  private struct Group {
    var scenarios: [ExportedScenario] = []
    var modules: [(module: String, files: [URL])] = []
  }
  private var groups: [[String]: Group] = [:]
  private(set) var refusals: [ExportedScenario.Omission] = []
  /// The modules that Macs have and policies may import here.
  private static let known: Set = [
    "CoreData", "Foundation", "os", "OSLog", "Combine", "Swift", "XCTest",
  ]

  init(_ scenarios: [ExportedScenario]) throws {
    var files: [String: [URL]] = [:]
    for var scenario in scenarios {
      var modules = try scenario.policyFiles()
      let names = Set(modules.map(\.module))
      let strange = try modules.lazy.flatMap(\.files).flatMap(Self.imports)
        .first { !Self.known.contains($0) && !names.contains($0) }
      let ownFiles = try modules.flatMap(\.files).first {
        try String(contentsOf: $0, encoding: .utf8).contains("#file")
      }
      if let reason = strange.map({ "its policies import \($0)" })
        ?? ownFiles.map({ "\($0.lastPathComponent) asks for its own place" })
      {
        refusals.append(.init(place: scenario.place, what: reason))
        continue
      }
      for index in modules.indices {
        // Other files in a module of the same name are a module of another name here.
        let (name, own) = modules[index]
        let all = [name] + (2...99).lazy.map { "\(name)\($0)" }
        let free = all.first { files[$0, default: own] == own } ?? name
        files[free] = own
        scenario.moduleNames[name] = free == name ? nil : free
        modules[index].module = free
      }
      groups[modules.map(\.module), default: Group(modules: modules)].scenarios.append(scenario)
    }
  }

  private static func imports(_ file: URL) throws -> [String] {
    try String(contentsOf: file, encoding: .utf8)
      .matches(of: /(?m)^[ \t]*(?:@\w+[ \t]+|\w+[ \t]+)?import[ \t]+(?:\w+[ \t]+)?(\w+)/).map {
        String($0.1)
      }
  }

  func write(to path: String, besides others: [ExportedScenario.Omission]) throws {
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    var targets: [String: String] = [:]
    for (names, group) in groups.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let name = names.isEmpty ? "PlainTests" : names.joined() + "Tests"
      let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
      targets[name] = ".testTarget(name: \"\(name)\", dependencies: [\(list)])"
      var file = ExportedFile(library: .xctest, scenarios: group.scenarios)
      file.modules = group.scenarios.contains(where: \.callsHandlers) ? names : []
      try put(
        file.text,
        in: folder.appending(path: "Tests/\(name)"), "Exported.swift")
      for (index, module) in group.modules.enumerated() where targets[module.module] == nil {
        let before = group.modules[..<index].map { "\"\($0.module)\"" }.joined(separator: ", ")
        targets[module.module] = ".target(name: \"\(module.module)\", dependencies: [\(before)])"
        for file in module.files {
          let text = try String(contentsOf: file, encoding: .utf8)
          try put(
            "\(text)\n\(ExportedFile.mark): a copy of \(file.lastPathComponent)\n",
            in: folder.appending(path: "Sources/\(module.module)"), file.lastPathComponent)
        }
      }
    }
    let list = targets.sorted { $0.key < $1.key }.map { "    \($0.value),\n" }.joined()
    let manifest = """
      // swift-tools-version: 5.9
      \(ExportedFile.mark): scenarios as tests
      \(ExportedFile.comments(others + refusals))import PackageDescription

      let package = Package(
        name: "Exported", platforms: [.macOS(.v14)],
        targets: [
      \(list)  ])

      """
    try put(manifest, in: folder, "Package.swift")
  }

  private func put(_ text: String, in folder: URL, _ name: String) throws {
    let file = folder.appending(path: name)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw Diagnostics(file: folder.path, "can't be made: \(error.plainText)")
    }
    try ExportSession.write(text, to: file, shownAs: ShownPath.of(file.path))
  }
}
