/// A mapping model as Xcode's editor keeps it: an `.xcmappingmodel` folder with `xcmapping.xml`.
///
/// The file names entities and properties only. Which mapping type and which generated expressions
/// that means depends on the two models: see ``mappingModel(source:destination:)``.
public struct XcodeMappingFile {
  public let url: URL
  /// Path of the source `.xcdatamodel`, relative to the Xcode project's folder.
  public let sourceModelPath: String?
  /// Path of the destination `.xcdatamodel`, relative to the Xcode project's folder.
  public let destinationModelPath: String?
  /// The entity mappings in the order in which they run.
  public let entityMappings: [EntityMappingDraft]
  /// How many entity mappings have neither a source nor a destination: Xcode leaves such behind, and
  /// they do nothing.
  public let emptyMappingCount: Int

  /// The file's name without suffix.
  public var name: String { url.deletingPathExtension().lastPathComponent }

  /// Reads a mapping file.
  /// - Parameter url: The `.xcmappingmodel` folder, or the `xcmapping.xml` in it.
  /// - Throws: ``MappingFileError`` with file and line.
  public static func load(contentsOf url: URL) throws -> XcodeMappingFile {
    let isXML = url.pathExtension == "xml"
    let folder = isXML ? url.deletingLastPathComponent() : url
    let file = isXML ? url : xml(in: folder)
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw MappingFileError(.noContents, file: folder)
    }
    return try XcodeMappingReader(url: file).read(as: folder)
  }

  private static func xml(in folder: URL) -> URL { folder.appendingPathComponent("xcmapping.xml") }

  /// The mapping model for two models, with the generated expressions, mapping types and version
  /// hashes that Xcode's compiler would write.
  /// - Throws: ``MappingFileError`` when an entity or property isn't in the models.
  public func mappingModel(
    source: ManagedObjectModel, destination: ManagedObjectModel
  ) throws -> MappingModel {
    do {
      return try MappingBuilder(source: source, destination: destination)
        .mappingModel(entityMappings)
    } catch let error as MappingBuilderError {
      throw MappingFileError(
        .invalid(field: "entity mapping '\(error.entityMapping)'", reason: error.message), file: url
      )
    }
  }

  /// The copies of both models that the mapping editor keeps in the file: as they were at the last
  /// refresh. A copy that can't be decoded is nil.
  /// - Throws: ``MappingFileError`` for a file that is broken.
  /// - Complexity: Reads the whole file again; it may have megabytes.
  package func modelSnapshots() throws -> Copies {
    try XcodeMappingReader(url: Self.xml(in: url), skipping: []).snapshots()
  }

  /// Copies of both models.
  package typealias Copies = (source: ManagedObjectModel?, destination: ManagedObjectModel?)

  /// The versions that a file names, without reading all of it: it may have megabytes.
  /// - Returns: Nil where the file isn't there as a whole, or names none.
  package static func namedModels(
    in folder: URL
  ) -> (source: ModelPathHint, destination: ModelPathHint)? {
    // Whoever uses the file reads it as a whole, and is told what is wrong with it.
    guard let data = try? Data(reading: xml(in: folder), options: .mappedIfSafe) else {
      return nil
    }
    func path(_ field: String) -> ModelPathHint? {
      guard let name = data.range(of: Data("name=\"\(field)\"".utf8)),
        let start = data[name.upperBound...].firstIndex(of: UInt8(ascii: ">")),
        let end = data[start...].firstIndex(of: UInt8(ascii: "<"))
      else { return nil }
      return ModelPathHint(String(decoding: data[(start + 1)..<end], as: UTF8.self))
    }
    guard let source = path("sourcemodelpath"), let destination = path("destinationmodelpath")
    else { return nil }
    return (source, destination)
  }

  /// Where the source model may be: see ``ModelPathHint``.
  public var sourceModelHint: ModelPathHint? { sourceModelPath.map { ModelPathHint($0) } }
  public var destinationModelHint: ModelPathHint? { destinationModelPath.map { ModelPathHint($0) } }
}

/// A model's place as a mapping file states it. Paths are relative to an Xcode project's folder
/// that the file doesn't know, so the last components decide.
public struct ModelPathHint: Hashable, Sendable {
  public let path: String

  public init(_ path: String) { self.path = path }

  /// The version's name: the `.xcdatamodel`'s, without suffix.
  public var versionName: String { Self.base(components.last) }

  /// The model's name: the `.xcdatamodeld`'s, without suffix; nil for a model without versions.
  public var modelName: String? {
    components.dropLast().last.flatMap { $0.hasSuffix(".xcdatamodeld") ? Self.base($0) : nil }
  }

  private var components: [String] { path.split(separator: "/").map(String.init) }

  private static func base(_ component: String?) -> String {
    ((component ?? "") as NSString).deletingPathExtension
  }

  /// The model's folder: the path taken from `folder` or any folder above it, whichever exists
  /// first; of each only the path's last components need be there.
  public func find(from folder: URL) -> URL? {
    var base = folder.standardizedFileURL
    while true {
      for count in stride(from: components.count, to: 0, by: -1) {
        let tail = components.suffix(count).joined(separator: "/")
        let candidate = base.appendingPathComponent(tail)
        if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
      }
      let parent = base.deletingLastPathComponent()
      if parent.path == base.path { return nil }
      base = parent
    }
  }

  /// The nearest `.xcdatamodeld` that may be meant; nil where none is there, or no name is given.
  package func modelFolder(from file: URL) -> URL? {
    guard modelName != nil, components.count > 1 else { return nil }
    let folder = ModelPathHint(components.dropLast().joined(separator: "/"))
    return folder.find(from: file.deletingLastPathComponent())
  }
}
