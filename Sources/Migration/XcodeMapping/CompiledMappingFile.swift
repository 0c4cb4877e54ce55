/// A mapping model that Xcode compiled: a `.cdm`, which is a keyed archive of `NSMappingModel`.
///
/// It says nothing of paths or versions; what it is for follows from its version hashes.
/// Core Data: observed in public compiled mapping models beside their sources.
public struct CompiledMappingFile {
  public let url: URL
  public let mappingModel: MappingModel

  /// Reads a compiled mapping model.
  /// - Throws: ``MappingFileError`` for a file that is damaged or something else.
  public static func load(contentsOf url: URL) throws -> CompiledMappingFile {
    let data = try Data(readingMapping: url)
    do {
      let root = try KeyedArchive(data).root
      return CompiledMappingFile(
        url: url, mappingModel: try CompiledMappingReader(file: url).mappingModel(root))
    } catch let error as KeyedArchiveError {
      throw MappingFileError(.badArchive(error), file: url)
    }
  }
}

/// Takes a mapping model out of an archive.
private struct CompiledMappingReader {
  let file: URL

  func mappingModel(_ root: ArchivedValue) throws -> MappingModel {
    guard let model = root.objectValue, model.classNames.contains("NSMappingModel") else {
      throw MappingFileError(.notAMappingModel(className: root.objectValue?.className), file: file)
    }
    let mappings = model["NSEntityMappings"].elements
    return MappingModel(entityMappings: try mappings.map(entityMapping))
  }

  private func entityMapping(_ value: ArchivedValue) throws -> EntityMapping {
    guard let archived = value.objectValue, archived.className == "NSEntityMapping" else {
      throw invalid("NSEntityMappings", "not an entity mapping")
    }
    let mapping = EntityMapping()
    if let name = archived["NSMappingName"].stringValue { mapping.name = name }
    mapping.mappingType = try type(of: archived, in: mapping.name)
    mapping.sourceEntityName = archived["NSSourceEntityName"].stringValue
    mapping.sourceEntityVersionHash = archived["NSSourceEntityVersionHash"].dataValue
    mapping.destinationEntityName = archived["NSDestinationEntityName"].stringValue
    mapping.destinationEntityVersionHash = archived["NSDestinationEntityVersionHash"].dataValue
    mapping.entityMigrationPolicyClassName =
      archived["NSEntityMigrationPolicyClassName"].stringValue
    mapping.userInfo = archived["NSUserInfo"].foundationObject as? [AnyHashable: Any]
    mapping.sourceExpression = try expression(
      archived["NSSourceExpression"], "the source expression of '\(mapping.name ?? "")'")
    mapping.attributeMappings = try properties(archived["NSAttributeMappings"], of: mapping)
    mapping.relationshipMappings = try properties(archived["NSRelationshipMappings"], of: mapping)
    return mapping
  }

  private func type(
    of archived: ArchivedObject, in name: String?
  ) throws -> EntityMappingType {
    guard let number = archived["NSMappingType"].integerValue else {
      return .undefinedEntityMappingType
    }
    guard let type = UInt(exactly: number).flatMap(EntityMappingType.init) else {
      throw invalid("the type of '\(name ?? "")'", "\(number) isn't a mapping type")
    }
    return type
  }

  private func properties(
    _ value: ArchivedValue, of mapping: EntityMapping
  ) throws -> [PropertyMapping]? {
    if value.isNull { return nil }
    return try value.elements.map { element in
      let place = "a property mapping of '\(mapping.name ?? "")'"
      guard let archived = element.objectValue, archived.className == "NSPropertyMapping",
        let name = archived["NSDestinationPropertyName"].stringValue
      else { throw invalid(place, "it has no name") }
      let property = PropertyMapping(
        name: name,
        valueExpression: try expression(
          archived["NSValueExpression"], "the value of '\(name)' in '\(mapping.name ?? "")'"))
      property.userInfo = archived["NSUserInfo"].foundationObject as? [AnyHashable: Any]
      return property
    }
  }

  private func expression(_ value: ArchivedValue, _ field: String) throws -> Expression? {
    if value.isNull { return nil }
    do { return try ArchivedExpression(value).expression() } catch let error
      as ArchivedExpressionError
    {
      throw invalid(field, error.description)
    }
  }

  private func invalid(_ field: String, _ reason: String) -> MappingFileError {
    MappingFileError(.invalid(field: field, reason: reason), file: file)
  }
}
