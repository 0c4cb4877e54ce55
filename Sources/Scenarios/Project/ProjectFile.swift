/// `heavyweight.yaml`: what all commands take that are called in a folder, or in the folders in it.
///
///     models: App/Songs.xcdatamodeld
///     mappings: App/Mappings
///     policies: App/Migration/*.swift
///     module: Songs
///     stubs: { HealthKit: Stubs/HealthKit.swift }
///     defaults:
///       run: { jobs: 4, junit: build/junit.xml }
///
/// Where there are several models, or more to say of one, each is a map with the same keys:
///
///     models:
///       - { path: App/Songs.xcdatamodeld, mappings: App/Mappings, order: [Songs, Songs 2], migration: progressive }
package struct ProjectFile: Sendable {
  package static let name = "heavyweight.yaml"
  /// Names the file; with nothing in it there is none.
  package static let variable = "HEAVYWEIGHT_PROJECT"
  private static let fileKeys = ["mappings", "policies", "module", "stubs"]
  static let keys = ["models"] + fileKeys + ["target-os", "manager", "defaults"]
  static let modelKeys = ["path"] + fileKeys + ["prefix", "current", "order", "migration"]

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
  /// What the app puts before class names without module that its mapping models have.
  package private(set) var prefix: Located<String>?
  package private(set) var stubs: [PolicyModule] = []
  /// The version that is current, where the model's own file doesn't say it.
  package private(set) var current: Located<String>?
  /// The versions' names, oldest first, as far as somebody said it.
  package private(set) var order: [Located<String>] = []
  package private(set) var migration: Located<MigrationWay>?
  /// The file as it is for each of its models, where it says something of single ones.
  private var perModel: [ProjectFile] = []
  /// Whether it says which policies there are, be it none: then none are looked for.
  package private(set) var saysPolicies = false
  /// Whether the models are those of several apps, or parts of one, which nobody merges.
  package private(set) var isListOfModels = false
  /// The oldest system that the app runs on; nil for the newest one.
  package private(set) var targetOS: TargetOS?
  /// The migration manager that the app opens old stores with; nil where Core Data does it.
  package private(set) var manager: ManagerNotation?
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

  /// The nearest one above a file or folder that somebody named, with its whole path.
  /// - Throws: As the other.
  package static func find(above url: URL) throws -> ProjectFile? {
    let folder = ModelHome.repository(around: url)
    var place = url.standardizedFileURL
    // What lies outside of the repository isn't the app's.
    while let folder, place.path.hasPrefix(folder.standardizedFileURL.path) {
      let file = place.appending(path: name)
      if case .file = FileKind(of: file) { return try ProjectFile(at: file, shownAs: file.path) }
      place.deleteLastPathComponent()
    }
    return nil
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
    readFiles(fields, collector)
    targetOS = fields.targetOS()
    manager = fields.manager("manager")
    readModels(fields, collector)
    let commands = fields.node("defaults").flatMap { collector.map($0, of: "defaults") } ?? []
    defaults = commands.map { entry in
      let options = entry.value.isNull ? [] : collector.map(entry.value, of: entry.key.value)
      return (entry.key, options ?? [])
    }
  }

  private mutating func readModels(_ fields: Fields, _ collector: DiagnosticCollector) {
    collector.refuseEmptyList(fields.node("models"), of: "models")
    guard let node = fields.node("models") else { return }
    guard (node.list ?? [node]).contains(where: { $0.map != nil }) else {
      models = paths(in: fields, of: "models", collector: collector)
      return
    }
    isListOfModels = true
    for item in node.list ?? [node] {
      let entries =
        item.map ?? [.init(key: Located("path", at: item.place), value: item)]
      let content = Fields(
        entries, of: "a model of a project file", known: Self.modelKeys, at: item.place,
        to: collector)
      guard let path = paths(in: content, of: "path", collector: collector).first else {
        if content.entry("path") == nil {
          collector.report("the model needs 'path', as in 'path: App.xcdatamodeld'", at: item.place)
        }
        continue
      }
      var own = self
      own.readFiles(content, collector)
      own.readWay(content, collector)
      (own.models, own.perModel) = ([path], [])
      models.append(path)
      perModel.append(own)
    }
  }

  private mutating func readWay(_ fields: Fields, _ collector: DiagnosticCollector) {
    prefix = fields.text("prefix")
    current = fields.text("current")
    order = fields.texts("order")
    migration = fields.node("migration").flatMap { collector.choice($0, of: "migration") }
  }

  /// How the app migrates a model's stores, where the current project file says it.
  package static func migration(ofModelAt url: URL) -> MigrationWay? {
    current?.narrowed(toModelAt: url).migration?.value
  }

  /// The file as it is for one of its models: with what it says of that, and for all models where it says nothing.
  package func narrowed(toModelAt url: URL) -> ProjectFile {
    func place(_ url: URL) -> String { url.standardizedFileURL.resolvingSymlinksInPath().path }
    // A version's own folder lies in the model's.
    let wanted = [place(url), place(url.deletingLastPathComponent())]
    return perModel.first { own in
      own.models.contains { wanted.contains(place(folder.resolving($0.value))) }
    } ?? self
  }

  private mutating func readFiles(_ fields: Fields, _ collector: DiagnosticCollector) {
    if fields.entry("mappings") != nil {
      mappings = paths(in: fields, of: "mappings", collector: collector)
    }
    if fields.entry("policies") == nil {
      checkCode(fields, collector)
      return
    }
    policies = fields.texts("policies")
    saysPolicies = true
    // Of one model it is to be known that it has none.
    if fields.entry("path") == nil {
      collector.refuseEmptyList(fields.node("policies"), of: "policies")
    }
    module = fields.text("module")
    if policies.isEmpty, fields.entry("path") != nil { return }
    checkCode(fields, collector)
    stubs = fields.stubs
  }

  private func checkCode(_ fields: Fields, _ collector: DiagnosticCollector) {
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
  }

  /// Paths of what must be there.
  private func paths(
    in fields: Fields, of key: String, collector: DiagnosticCollector
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
    let shownFolder = RelativePath.folder(of: file.path)
    return (shownFolder as NSString).appendingPathComponent(text)
  }

  /// The model, for commands that take one.
  /// - Throws: ``Diagnostics`` when there are several; nil without any.
  package func model() throws -> String? {
    guard models.count > 1 else { return models.first.map { path($0.value) } }
    throw Diagnostics("this command takes one model: name it", at: models[1].place)
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
    // Models of several apps are no one's merged model.
    guard let first = models.first, !isListOfModels || models.count == 1 else { return nil }
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
        name: module, sources: policies.map(absolute), prefix: prefix?.value,
        stubs: stubs.map { PolicyModule(name: $0.name, sources: $0.sources.map(absolute)) })
    ]
  }

  private func absolute(_ path: Located<String>) -> Located<String> {
    Located(folder.resolving(path.value).path, at: path.place.ofPlaceholder())
  }

  /// The mapping files, those in folders too.
  package func mappingFiles() throws -> [URL] {
    try mappings.flatMap { path -> [URL] in
      let url = folder.resolving(path.value)
      if MappingFile.pathExtensions.contains(url.pathExtension) { return [url] }
      return try FolderSearch(url).files(withExtensions: MappingFile.pathExtensions)
    }
  }
}

/// How an app takes stores to the current version.
package enum MigrationWay: String, CaseIterable, Codable, Sendable {
  /// In one step, as Core Data does by itself.
  case automatic
  /// From version to version.
  case progressive
  /// By code of the app's own, which goes its own way through the versions.
  case own
}
