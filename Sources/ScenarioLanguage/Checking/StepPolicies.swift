/// The Swift files with the policies of a step.
package struct StepPolicies {
  package var module: String?
  package var sources: [URL] = []
  /// Stand-ins for modules that they import.
  package var stubs: [StubFile] = []
  /// Classes that no file declares.
  package private(set) var missing: [String] = []
  /// The files that each class is made of, where they weren't given.
  package private(set) var files: [String: [URL]] = [:]

  /// - Parameters:
  ///   - classes: As mapping models name them, `Module.Class`.
  ///   - given: Files that a person named; otherwise those below `folder` are searched.
  ///   - stubs: Stand-ins for modules that they import.
  /// - Throws: When a file or folder can't be read: the class might be in it.
  package init(
    of classes: [String], given: [URL], module: String?, stubs: [StubFile] = [], below folder: URL
  ) throws {
    self.stubs = stubs
    let found = given.isEmpty && !classes.isEmpty ? try Self.swiftFiles(below: folder) : given
    let app = try AppTypes(classes.isEmpty ? [] : found)
    let named = classes.compactMap { name in
      name.lastIndex(of: ".").map { String(name[..<$0]) }
    }.first
    self.module = module ?? named
    sources = given
    for name in classes {
      guard let needed = app.files(declaring: name) else {
        missing.append(name)
        continue
      }
      if !given.isEmpty { continue }
      files[name] = needed
      sources = (sources + needed).uniqued()
    }
    // No mapping model says which module it is. It is found whatever the module is called.
    guard self.module == nil, given.isEmpty else { return }
    if classes.contains(where: app.objectiveCNames.contains) {
      self.module = Self.moduleOfBareNames
    }
  }

  /// Only the classes of which no part is in some files.
  package func without(_ faulty: Set<String>) -> StepPolicies {
    var rest = self
    rest.files = files.filter { !$0.value.contains { faulty.contains($0.relativePath) } }
    rest.sources = sources.filter { file in rest.files.values.contains { $0.contains(file) } }
    return rest
  }

  /// Compiles them, if there are any, without loading them.
  /// - Returns: The folders of their sources; nil where there are none.
  package func prepare(by compiler: PolicyCompiler = PolicyCompiler()) async throws -> Set<String>?
  {
    guard let module, !sources.isEmpty else { return nil }
    try await compiler.prepare(sources, module: module, stubs: stubs)
    return folders
  }

  /// The folders of the sources.
  package var folders: Set<String> {
    Set(sources.map { $0.standardizedFileURL.deletingLastPathComponent().path })
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
}

/// The types of an app's Swift files.
private struct AppTypes {
  private let files: [(url: URL, types: SourceTypes)]
  private let extending: [String: [Int]]
  private var declaring: [String: Int] = [:]

  init(_ urls: [URL]) throws {
    // Whatever isn't UTF-8 is read as far as it is: names of types are.
    files = try urls.map {
      ($0, SourceTypes(String(decoding: try Data(reading: $0), as: UTF8.self)))
    }
    let extensions = files.enumerated().flatMap { index, file in
      file.types.extended.map { ($0, index) }
    }
    extending = Dictionary(grouping: extensions, by: \.0).mapValues { $0.map(\.1) }
    for (index, file) in files.enumerated() {
      for type in file.types.declared where declaring[type] == nil { declaring[type] = index }
    }
  }

  var objectiveCNames: Set<String> { Set(files.flatMap(\.types.objectiveCNames)) }

  /// The files that a class is made of, in the app's order: with its superclasses and all else of the app that they
  /// name, and with the extensions of these, which may override.
  func files(declaring name: String) -> [URL]? {
    let bare = name.split(separator: ".").last.map(String.init) ?? name
    guard let first = files.firstIndex(where: { $0.types.classes[bare] != nil }),
      let root = files[first].types.classes[bare]
    else { return nil }
    var taken: Set<Int> = []
    var types: Set<String> = ["NSEntityMigrationPolicy", root]
    var (openTypes, openFiles) = (Array(types), [first])
    while true {
      if let file = openFiles.popLast() {
        guard taken.insert(file).inserted else { continue }
        openTypes += files[file].types.named.union(files[file].types.extended)
          .filter { declaring[$0] != nil && types.insert($0).inserted }
      } else if let type = openTypes.popLast() {
        openFiles += extending[type] ?? []
        if let file = declaring[type] { openFiles.append(file) }
      } else {
        return taken.sorted().map { self.files[$0].url }
      }
    }
  }
}
