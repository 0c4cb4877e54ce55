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
  }

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
    // Whatever isn't UTF-8 is read as far as it is: names of classes are.
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let pattern = try Regex("\\bclass\\s+\(NSRegularExpression.escapedPattern(for: name))\\b")
    return text.firstMatch(of: pattern) != nil
  }
}
