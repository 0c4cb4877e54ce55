/// The Swift files with the policies of a step.
package struct StepPolicies {
  package var module: String?
  package var sources: [URL] = []
  /// Stand-ins for modules that they import.
  package var stubs: [StubFile] = []
  /// Classes that no file declares.
  package var missing: [String] = []

  /// - Parameters:
  ///   - classes: As mapping models name them, `Module.Class`.
  ///   - given: Files that a person named; otherwise those below `folder` are searched.
  ///   - stubs: Stand-ins for modules that they import.
  /// - Throws: When a file or folder can't be read: the class might be in it.
  package init(
    of classes: [String], given: [URL], module: String?, stubs: [StubFile] = [], below folder: URL
  ) throws {
    self.stubs = stubs
    let files = given.isEmpty && !classes.isEmpty ? try Self.swiftFiles(below: folder) : given
    let named = classes.compactMap { name in
      name.lastIndex(of: ".").map { String(name[..<$0]) }
    }.first
    self.module = module ?? named
    sources = given
    for name in classes {
      let bare = name.split(separator: ".").last.map(String.init) ?? name
      let file = try files.first { try Self.declares(bare, $0) }
      if let file, !sources.contains(file) { sources.append(file) }
      if file == nil { missing.append(name) }
    }
    // No mapping model says which module it is. It is found whatever the module is called.
    guard self.module == nil, given.isEmpty else { return }
    let isNamed = try classes.contains { name in try sources.contains { try Self.names(name, $0) } }
    if isNamed { self.module = Self.moduleOfBareNames }
  }

  /// What policies are compiled as that mapping models name by their Objective-C names, without a module.
  static let moduleOfBareNames = "AppPolicies"

  private static func swiftFiles(below folder: URL) throws -> [URL] {
    do { return try FolderSearch(folder).files(withExtensions: ["swift"]) } catch {
      throw Diagnostics([
        Diagnostic(
          file: folder.relativePath,
          "can't look for the app's policies here or in a folder in it: \(error.plainText); name them with "
            + "--policies and --module, or make the folder readable")
      ])
    }
  }

  private static func declares(_ name: String, _ file: URL) throws -> Bool {
    try contains("\\bclass\\s+\(NSRegularExpression.escapedPattern(for: name))\\b", file)
  }

  /// Whether a file gives a class this name in Objective-C, by which it is found without its module.
  private static func names(_ name: String, _ file: URL) throws -> Bool {
    try contains("@objc\\(\\s*\(NSRegularExpression.escapedPattern(for: name))\\s*\\)", file)
  }

  private static func contains(_ pattern: String, _ file: URL) throws -> Bool {
    // Whatever isn't UTF-8 is read as far as it is: names of classes are.
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    return text.firstMatch(of: try Regex(pattern)) != nil
  }
}
