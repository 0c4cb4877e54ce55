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
  ///   - given: Files that a person named; otherwise those below `folder` are searched, and for classes that none of
  ///     these declares all of the repository.
  ///   - stubs: Stand-ins for modules that they import.
  /// - Throws: When a file or folder can't be read: the class might be in it.
  package init(
    of classes: [String], given: [URL], module: String?, stubs: [StubFile] = [], below folder: URL
  ) throws {
    self.stubs = stubs
    let found = given.isEmpty && !classes.isEmpty ? try Self.swiftFiles(below: folder) : given
    let app = try AppTypes(classes.isEmpty ? [] : found)
    var repository: AppTypes?
    let named = classes.compactMap { name in
      name.lastIndex(of: ".").map { String(name[..<$0]) }
    }.first
    self.module = module ?? named
    sources = given
    for name in classes {
      var needed = app.files(declaring: name)
      if needed == nil, given.isEmpty {
        if repository == nil { repository = try AppTypes.ofRepository(around: folder) }
        needed = repository?.files(declaring: name)
      }
      guard let needed else {
        missing.append(name)
        continue
      }
      if !given.isEmpty { continue }
      files[name] = needed
      sources = (sources + needed).uniqued()
    }
    // No mapping model says which module it is. It is found whatever the module is called.
    guard self.module == nil, given.isEmpty else { return }
    let names = app.objectiveCNames.union(repository?.objectiveCNames ?? [])
    if classes.contains(where: names.contains) {
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
  package var folders: Set<String> { Self.folders(of: sources) }

  package static func folders(of sources: [URL]) -> Set<String> {
    Set(sources.map { $0.standardizedFileURL.deletingLastPathComponent().path })
  }

  /// What policies are compiled as that mapping models name by their Objective-C names, without a module.
  package static let moduleOfBareNames = "AppPolicies"

  private static func swiftFiles(below folder: URL) throws -> [URL] {
    do { return try FolderSearch(folder).files(withExtensions: ["swift"]) } catch {
      throw Diagnostics(
        file: folder.relativePath,
        "can't look for the app's policies here or in a folder in it: \(error.plainText); name them with "
          + "--policies and --module, or make the folder readable")
    }
  }
}

/// The types of an app's Swift files.
package struct AppTypes {
  private let files: [(url: URL, types: SourceTypes)]
  private let extending: [String: [Int]]
  private var declaring: [String: [Int]] = [:]
  /// What of several files with one name the nearest to is meant.
  private var home: URL?
  /// Which modules the files are compiled into, as far as anything says it.
  package private(set) var modules: AppModules?

  /// The same, nearest to another folder.
  package func near(_ folder: URL) -> AppTypes {
    var copy = self
    copy.home = folder
    return copy
  }

  /// - Throws: For a file that can't be read.
  package init(_ urls: [URL], near home: URL? = nil, in modules: AppModules? = nil) throws {
    (self.home, self.modules) = (home, modules)
    files = try urls.map { url in
      do {
        // Whatever isn't UTF-8 is read as far as it is: names of types are.
        return (url, SourceTypes(String(decoding: try Data(reading: url), as: UTF8.self)))
      } catch {
        throw Diagnostics(file: url.relativePath, "can't read the Swift file: \(error.plainText)")
      }
    }
    let extensions = files.enumerated().flatMap { index, file in
      file.types.extended.map { ($0, index) }
    }
    extending = Dictionary(grouping: extensions, by: \.0).mapValues { $0.map(\.1) }
    for (index, file) in files.enumerated() {
      for type in file.types.declared { declaring[type, default: []].append(index) }
    }
  }

  /// Those of the repository that a folder is in, without other people's code; nil outside of any.
  /// - Throws: For a file that can't be read.
  package static func ofRepository(around folder: URL) throws -> AppTypes? {
    guard let root = ModelHome(ofModelAt: folder.appending(path: "x.mom")).repository else {
      return nil
    }
    // A folder that can't be searched has nothing to offer.
    let files = (try? ModelHome.ownFiles(below: root, withExtensions: ["swift"])) ?? []
    return try AppTypes(files, near: folder)
  }

  package var objectiveCNames: Set<String> { Set(files.flatMap(\.types.objectiveCNames)) }

  /// The file that declares a class, by its Swift or its Objective-C name.
  /// - Parameter name: As mapping models name it; a module's own folder comes first.
  package func file(declaring name: String) -> (file: URL, type: String)? {
    place(ofClass: name).map { (files[$0.index].url, $0.type) }
  }

  private func place(ofClass name: String) -> (index: Int, type: String)? {
    let parts = name.split(separator: ".").map(String.init)
    let bare = parts.last ?? name
    let candidates = files.indices.filter { files[$0].types.classes[bare] != nil }
    let module = parts.count > 1 ? parts[0] : nil
    func isOfModule(_ index: Int) -> Bool {
      let file = files[index].url
      return modules?.names(of: file)?.contains(module ?? "")
        ?? file.pathComponents.contains { XcodeProject.identifier($0) == module }
    }
    let own = candidates.filter(isOfModule)
    guard let index = nearest(own.isEmpty ? candidates : own, to: home),
      let type = files[index].types.classes[bare]
    else { return nil }
    return (index, type)
  }

  /// The files that the compiler wants for a name it misses: that of a type, or those that extend one with a member. The
  /// type itself may be the app's, where the compiler took Foundation's of that name.
  package func files(missing name: String, of type: String?, near file: URL?) -> [URL] {
    func have(_ index: Int) -> Bool {
      files[index].types.members.contains(name) || files[index].types.nested.contains(name)
    }
    let fitting =
      type.map { type in
        let extensions = (extending[type] ?? []).filter(have)
        return extensions.isEmpty ? declaring[type] ?? [] : extensions
      }
      ?? declaring[name]
      ?? files.indices.filter {
        files[$0].types.global.contains(name)
          || have($0) && files[$0].types.extended.contains("NSEntityMigrationPolicy")
      }
    return nearest(fitting, to: file).map { [files[$0].url] } ?? []
  }

  package func declares(_ type: String) -> Bool { declaring[type] != nil }

  /// The files without which some files would compile, and do something else: those that extend their types by what is
  /// overridden, and those that say by what names key paths call properties.
  package func deciding(_ urls: Set<URL>) -> [URL] {
    let given = files.filter { urls.contains($0.url) }
    let overriding = given.flatMap(\.types.declared).uniqued().flatMap { extending[$0] ?? [] }
      .filter { files[$0].types.named.contains("override") }
    let renaming = given.flatMap { file in
      file.types.keyPathTypes.sorted().compactMap { naming($0, near: file.url) }
    }
    return (overriding + renaming).map { files[$0].url }
  }

  /// The file of a type whose properties have other names in key paths.
  private func naming(_ type: String, near file: URL) -> Int? {
    nearest(declaring[type] ?? [], to: file).flatMap { files[$0].types.renamesKeys ? $0 : nil }
  }

  private func nearest(_ indices: [Int], to place: URL?) -> Int? {
    guard indices.count > 1, let here = place?.standardizedFileURL.pathComponents else {
      return indices.first
    }
    func shared(_ index: Int) -> Int {
      zip(here, files[index].url.standardizedFileURL.pathComponents).prefix { $0 == $1 }.count
    }
    // The first of those that are equally near.
    return indices.dropFirst().reduce(indices[0]) { shared($1) > shared($0) ? $1 : $0 }
  }

  /// The files that a class is made of, in the app's order: with its superclasses and all else of the app that they
  /// name, and with the extensions of these, which may override.
  package func files(declaring name: String) -> [URL]? {
    guard let (first, root) = place(ofClass: name) else { return nil }
    var taken: Set<Int> = []
    var types: Set<String> = ["NSEntityMigrationPolicy", root]
    var (openTypes, openFiles) = (Array(types), [first])
    while true {
      if let file = openFiles.popLast() {
        guard taken.insert(file).inserted else { continue }
        let keyed = files[file].types.keyPathTypes.filter {
          naming($0, near: files[first].url) != nil
        }
        openTypes += files[file].types.named.union(files[file].types.extended).union(keyed)
          .filter { declaring[$0] != nil && types.insert($0).inserted }
      } else if let type = openTypes.popLast() {
        openFiles += extending[type] ?? []
        if let file = nearest(declaring[type] ?? [], to: files[first].url) {
          openFiles.append(file)
        }
      } else {
        return taken.sorted().map { self.files[$0].url }
      }
    }
  }
}
