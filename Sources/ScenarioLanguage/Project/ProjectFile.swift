/// `heavyweight.yaml`: what all commands take that are called in a folder, or in the folders in it.
///
///     models: App/Songs.xcdatamodeld
///     mappings: App/Mappings
///     policies: App/Migration/*.swift
///     module: Songs
///     stubs: { HealthKit: Stubs/HealthKit.swift }
///     defaults:
///       run: { jobs: 4, junit: build/junit.xml }
package struct ProjectFile: Sendable {
  package static let name = "heavyweight.yaml"
  /// Names the file; with nothing in it there is none.
  package static let variable = "HEAVYWEIGHT_PROJECT"
  static let keys = ["models", "mappings", "policies", "module", "stubs", "target-os", "defaults"]

  /// The one that counts for this call.
  @TaskLocal package static var current: ProjectFile?

  package let file: SourceFile
  /// Paths in the file are relative to it.
  package let folder: URL
  /// Models in any form.
  package private(set) var models: [Located<String>] = []
  /// Mapping models, and folders of them.
  package private(set) var mappings: [Located<String>] = []
  /// Paths or globs of Swift files.
  package private(set) var policies: [Located<String>] = []
  /// The app's module, as mapping models name it.
  package private(set) var module: Located<String>?
  package private(set) var stubs: [PolicyModule] = []
  /// The oldest system that the app runs on; nil for the newest one.
  package private(set) var targetOS: TargetOS?
  /// Options of commands, by the command's name, as the file has them.
  package private(set) var defaults: [(command: Located<String>, options: [SourceNode.Entry])] = []

  package var url: URL { folder.appending(path: Self.name) }

  // MARK: Finding

  /// The nearest one in a folder or above it, or the one that the environment names.
  /// - Throws: ``Diagnostics`` with everything that is wrong in it.
  package static func find(
    from folder: URL = URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> ProjectFile? {
    if let path = environment[variable] {
      if path.isEmpty { return nil }
      return try ProjectFile(at: URL(fileURLWithPath: path), shownAs: path)
    }
    var folder = folder.standardizedFileURL
    var shown = name
    while true {
      let url = folder.appending(path: name)
      if case .file = FileKind(of: url) { return try ProjectFile(at: url, shownAs: shown) }
      if folder.path == "/" || folder.path.isEmpty { return nil }
      folder.deleteLastPathComponent()
      shown = "../" + shown
    }
  }

  init(at url: URL, shownAs path: String) throws {
    file = try SourceFile(contentsOf: url, shownAs: path)
    folder = url.deletingLastPathComponent().absoluteURL
    let root = try SourceNode.yaml(file)
    let collector = DiagnosticCollector()
    if !root.isNull, let entries = collector.map(root, of: Self.name) {
      read(
        Fields(entries, of: "a project file", known: Self.keys, at: root.place, to: collector),
        collector)
    }
    try collector.throwIfAny()
  }

  private mutating func read(_ fields: Fields, _ collector: DiagnosticCollector) {
    models = paths(fields, "models", collector)
    mappings = paths(fields, "mappings", collector)
    policies = fields.texts("policies")
    collector.refuseEmptyList(fields.node("policies"), of: "policies")
    module = fields.text("module")
    if fields.entry("policies") != nil, fields.entry("module") == nil,
      let entry = fields.entry("policies")
    {
      collector.report("'policies' need 'module', as in 'module: Songbook'", at: entry.key.place)
    }
    for key in ["module", "stubs"] where fields.entry("policies") == nil {
      if let entry = fields.entry(key) {
        collector.report("'\(key)' needs 'policies' beside it", at: entry.key.place)
      }
    }
    targetOS = fields.targetOS()
    stubs =
      fields.node("stubs").map { node in
        (collector.map(node, of: "stubs") ?? []).map { entry in
          PolicyModule(
            name: entry.key, sources: collector.texts(entry.value, of: entry.key.value))
        }
      } ?? []
    let commands = fields.node("defaults").flatMap { collector.map($0, of: "defaults") } ?? []
    defaults = commands.map { entry in
      let options = entry.value.isNull ? [] : collector.map(entry.value, of: entry.key.value)
      return (entry.key, options ?? [])
    }
  }

  /// Paths of what must be there.
  private func paths(
    _ fields: Fields, _ key: String, _ collector: DiagnosticCollector
  ) -> [Located<String>] {
    collector.refuseEmptyList(fields.node(key), of: key)
    let paths = fields.texts(key)
    for path in paths {
      if case .missing = FileKind(of: folder.resolving(path.value)) {
        collector.report(
          Diagnostic("there is no '\(path.value)' here", at: path.place, isMissingFile: true))
      }
    }
    return paths
  }

  // MARK: What commands take

  /// A path in the file as a command is given it.
  package func path(_ text: String) -> String {
    if text.hasPrefix("/") { return text }
    let shownFolder = (file.path as NSString).deletingLastPathComponent
    return (shownFolder as NSString).appendingPathComponent(text)
  }

  /// The model, for commands that take one.
  /// - Throws: ``Diagnostics`` when there are several; nil without any.
  package func model() throws -> String? {
    guard models.count > 1 else { return models.first.map { path($0.value) } }
    throw Diagnostics([
      Diagnostic("this command takes one model: name it", at: models[1].place)
    ])
  }

  package var mappingPaths: [String] { mappings.map { path($0.value) } }

  package var stubFiles: [StubFile] {
    stubs.flatMap { stub in
      stub.sources.compactMap { StubFile(argument: "\(stub.name.value)=\(path($0.value))") }
    }
  }
}

// MARK: - Scenarios

extension ProjectFile {
  /// The models as an entry of scenarios that have none; paths are absolute there.
  var modelsEntry: SourceNode.Entry? {
    guard let first = models.first else { return nil }
    let paths = models.map { path in
      SourceNode(
        content: .scalar(folder.resolving(path.value).path, isPlain: true),
        place: path.place.ofPlaceholder())
    }
    return SourceNode.Entry(
      key: Located("models", at: first.place),
      value: SourceNode(content: .list(paths), place: first.place))
  }

  /// The policies of scenarios that have none.
  var policyModules: [PolicyModule] {
    guard let module, !policies.isEmpty else { return [] }
    return [
      PolicyModule(
        name: module, sources: policies.map(absolute), prefix: nil,
        stubs: stubs.map { PolicyModule(name: $0.name, sources: $0.sources.map(absolute)) })
    ]
  }

  private func absolute(_ path: Located<String>) -> Located<String> {
    Located(folder.resolving(path.value).path, at: path.place.ofPlaceholder())
  }

  /// The mapping files, those in folders too.
  func mappingFiles() throws -> [URL] {
    try mappings.flatMap { path -> [URL] in
      let url = folder.resolving(path.value)
      if MappingFile.pathExtensions.contains(url.pathExtension) { return [url] }
      return try FolderSearch(url).files(withExtensions: MappingFile.pathExtensions)
    }
  }
}
