/// A mapping model in a file, as Xcode edits it (`.xcmappingmodel`) or as it lies in an app (`.cdm`).
public enum MappingFile {
  case source(XcodeMappingFile)
  case compiled(CompiledMappingFile)

  package static let pathExtensions: Set = ["xcmappingmodel", "cdm"]

  /// Reads a mapping file of either kind.
  /// - Throws: ``MappingFileError`` with the file, and with the line where it is text.
  public static func load(contentsOf url: URL) throws -> MappingFile {
    guard FileManager.default.fileExists(atPath: url.path) else {
      throw MappingFileError(.noSuchFile, file: url)
    }
    switch url.pathExtension {
    case "cdm": return .compiled(try .load(contentsOf: url))
    case "xcmappingmodel", "xml": return .source(try .load(contentsOf: url))
    default: throw MappingFileError(.notAMapping, file: url)
    }
  }

  public var url: URL {
    switch self {
    case .source(let file): file.url
    case .compiled(let file): file.url
    }
  }

  /// The file's name without suffix.
  public var name: String { url.deletingPathExtension().lastPathComponent }

  /// The names of the entity mappings, and of the policy classes of those that have one.
  package var entityMappings: [(name: String, policyClassName: String?)] {
    switch self {
    case .source(let file): file.entityMappings.map { ($0.name, $0.policyClassName) }
    case .compiled(let file):
      file.mappingModel.entityMappings.map { ($0.name, $0.entityMigrationPolicyClassName) }
    }
  }

  /// The expressions and predicates that are written in it, as texts.
  package var expressions: [String] {
    let drafts: [EntityMappingDraft] =
      switch self {
      case .source(let file): file.entityMappings
      case .compiled(let file):
        file.mappingModel.entityMappings.map { EntityMappingDraft(editing: $0) }
      }
    return drafts.flatMap(\.expressions)
  }

  /// The mapping model for two models. What Xcode compiled is as it is, whether or not it fits.
  /// - Throws: ``MappingFileError`` when an entity or property isn't in the models.
  public func mappingModel(
    source: ManagedObjectModel, destination: ManagedObjectModel
  ) throws -> MappingModel {
    switch self {
    case .source(let file): try file.mappingModel(source: source, destination: destination)
    case .compiled(let file): file.mappingModel
    }
  }
}

extension EntityMappingDraft {
  fileprivate var expressions: [String] {
    let sources = [attributes, relationships].flatMap { Array($0.written.values) }
    let texts = sources.compactMap { source -> String? in
      switch source {
      case .text(let text): text
      case .expression(let expression): expression.expressionFormat
      case .generated, .instances, .nothing, .unreadable: nil
      }
    }
    return texts + [sourcePredicate, sourceExpression?.expressionFormat].compactMap(\.self)
  }
}
