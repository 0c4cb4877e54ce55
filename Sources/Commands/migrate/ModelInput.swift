/// A model whose versions are in their order, and the mapping files given with it: what every command
/// begins with that goes from version to version.
struct ModelInput {
  let model: VersionedModel
  let mappings: MappingFolder

  /// - Parameters:
  ///   - models: The model; or stores, each with a version.
  ///   - mappings: Mapping files and folders of them; those beside the model where none are given.
  ///   - order: The versions' order as a person says it: see ``GivenOrder``.
  ///   - current: The current version, if it isn't the model's or the project's.
  ///   - findsUnreadable: Whether stores that can't be read are among what the command finds.
  /// - Throws: `ModelFileError`, `MappingFileError` or ``Diagnostics`` for what is wrong in the files.
  init(
    models: [URL], mappings places: [URL] = [], order: GivenOrder? = nil, current: String? = nil,
    findsUnreadable: Bool = false
  ) throws {
    let unordered = try StoreModel.loadModel(orStoresAt: models)
    if !findsUnreadable { PassedOverStores.note(in: [unordered]) }
    let project = ProjectFile.current?.narrowed(toModelAt: models[0])
    let more = project?.isListOfModels == true ? try project?.mappingFiles() : nil
    let folder =
      places.isEmpty
      ? try MappingFolder(beside: unordered, and: more ?? [])
      : try MappingFolder(contentsOf: places, for: unordered)
    try project?.checkVersions(of: unordered)
    model = unordered.arranged(
      bySteps: folder.steps, given: try order?.names(for: unordered) ?? [], current: current)
    mappings = folder.reordered(for: model)
  }

  /// - Parameters:
  ///   - mapping: What was typed; the project's where nothing was.
  ///   - order: As it was typed.
  /// - Throws: As the other.
  init(models: [String], _ mapping: MappingOptions, order: String?, findsUnreadable: Bool = false)
    throws
  {
    try self.init(
      models: models.map { URL(fileURLWithPath: $0) },
      mappings: ProjectModel.mappings(mapping.mappings, of: models[0]).map {
        URL(fileURLWithPath: $0)
      },
      order: order.map { GivenOrder($0) }, findsUnreadable: findsUnreadable)
  }
}

extension ProjectFile {
  /// - Throws: ``Diagnostics`` for versions that are named and that the model hasn't.
  fileprivate func checkVersions(of model: VersionedModel) throws {
    let known = model.versions.compactMap(\.name)
    let unknown = (order + [current].compactMap(\.self)).filter { name in
      !known.contains(name.value) && model.unreadableVersions[name.value] == nil
    }
    if unknown.isEmpty { return }
    throw Diagnostics(
      unknown.map { name in
        let hint = Spelling.hint(for: name.value, among: known, called: "versions")
        return Diagnostic("there is no version '\(name.value)'\(hint)", at: name.place)
      })
  }
}

/// Versions in the order that a person gives: their names separated by commas, or a file with a name
/// in each line. Versions that aren't named find their places by themselves.
package struct GivenOrder: Codable, Sendable {
  /// As it was given.
  private let text: String

  package init(_ text: String) { self.text = text }

  init(names: [String]) { text = names.joined(separator: ",") }

  /// The file, if it is one.
  var file: URL { URL(fileURLWithPath: text) }

  /// - Throws: ``Diagnostics`` for a name that no version has, or that is there twice.
  func names(for model: VersionedModel) throws -> [String] {
    let names = try names()
    let known = model.versions.compactMap(\.name)
    var seen: Set<String> = []
    for name in names {
      if !known.contains(name) {
        let hint = Spelling.hint(for: name, among: known, called: "versions")
        throw problem(
          "there is no version '\(name)'\(hint); give names separated by commas, or a file with one in "
            + "each line")
      }
      if !seen.insert(name).inserted { throw problem("the version '\(name)' occurs twice") }
    }
    return names
  }

  /// The models, that one in order that has the names.
  func applied(to models: [VersionedModel]) throws -> [VersionedModel] {
    let wanted = Set(try names())
    guard models.count > 1 else {
      return try models.map { $0.ordered(given: try names(for: $0)) }
    }
    func isMeant(_ model: VersionedModel) -> Bool {
      wanted.isSubset(of: model.versions.compactMap(\.name))
    }
    guard models.contains(where: isMeant) else {
      throw problem("no model has all of these versions")
    }
    return try models.map { isMeant($0) ? $0.ordered(given: try names(for: $0)) : $0 }
  }

  private func names() throws -> [String] {
    let file = URL(fileURLWithPath: text)
    guard !text.contains(","), case .file = FileKind(of: file) else {
      return Self.names(in: text.split(separator: ","))
    }
    return Self.names(
      in: try SourceFile(contentsOf: file, shownAs: text).text.split(whereSeparator: \.isNewline))
  }

  private static func names(in parts: [Substring]) -> [String] {
    parts.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  private func problem(_ message: String) -> Diagnostics {
    Diagnostics(file: "--order", message)
  }
}

/// Why a store isn't migrated although there is a way: it would be a guess, or not the way that was
/// meant.
struct RouteRefusal: Error, LocalizedError, CustomNSError, CustomStringConvertible {
  enum Reason: Int {
    case unknownOrder = 1
    case unusedMappings = 2
  }
  static let errorDomain = "HeavyweightErrorDomain"

  let reason: Reason
  let problems: [String]
  let advice: String

  var errorCode: Int { reason.rawValue }
  var errorDescription: String? { problems.joined(separator: "; ") + ". " + advice }
  var description: String { errorDescription ?? "" }
}

extension VersionOrder {
  static let advice =
    "Give the order: --order 'App 1,App 2,…', or --order FILE with one name per line."

  /// Why a way through versions would be a guess; nil when their order is known.
  func refusal(through names: [String]) -> RouteRefusal? {
    guard !doubtfulNames.isDisjoint(with: names) else { return nil }
    return RouteRefusal(reason: .unknownOrder, problems: problems, advice: Self.advice)
  }
}
