/// Takes entity mapping drafts out of `xcmapping.xml`.
///
/// Starts at the one mapping model and follows references downward: real files hold objects that
/// nothing refers to any more, with numbers and names of their own.
struct XcodeMappingReader {
  private enum ObjectType {
    static let model = "XDDEVMAPPINGMODEL"
    static let entity = "XDDEVENTITYMAPPING"
    static let attribute = "XDDEVATTRIBUTEMAPPING"
    static let relationship = "XDDEVRELATIONSHIPMAPPING"
  }

  private let store: XMLStore

  private static let modelFields = ["sourcemodeldata", "destinationmodeldata"]

  /// - Parameter skipped: Fields whose values aren't wanted; by default the copies of the models.
  init(url: URL, skipping skipped: [String] = modelFields) throws {
    store = try XMLStore(contentsOf: url, skipping: Set(skipped))
  }

  private func model() throws -> XMLStore.Object {
    let models = store.objects(ofType: ObjectType.model)
    guard models.count == 1 else {
      throw MappingFileError(.modelCount(models.count), file: store.url)
    }
    return models[0]
  }

  func snapshots() throws -> XcodeMappingFile.Copies {
    let model = try model()
    let snapshots = Self.modelFields.map { field -> ManagedObjectModel? in
      let data = model.attributes[field].flatMap {
        Data(base64Encoded: $0, options: .ignoreUnknownCharacters)
      }
      // Without a copy of the model there is nothing to compare it with; what is wrong with it the check of
      // mapping models says.
      return data.flatMap { try? ModelSnapshot.decode($0) }
    }
    return (snapshots[0], snapshots[1])
  }

  func read(as folder: URL) throws -> XcodeMappingFile {
    let model = try model()
    let mappings = try store.objects("entitymappings", of: model, type: ObjectType.entity)
    let numbered = try mappings.map { (number: try number(of: $0), mapping: $0) }
    let drafts = try numbered.sorted { $0.number < $1.number }.map { try draft($0.mapping) }
    let meaningful = drafts.filter {
      $0.sourceEntityName != nil || $0.destinationEntityName != nil || $0.policyClassName != nil
    }
    return XcodeMappingFile(
      url: folder, sourceModelPath: model.attributes["sourcemodelpath"],
      destinationModelPath: model.attributes["destinationmodelpath"],
      entityMappings: meaningful, emptyMappingCount: drafts.count - meaningful.count)
  }

  /// The mapping's place in the order, from 1.
  private func number(of mapping: XMLStore.Object) throws -> Int {
    if let number = mapping.attributes["mappingnumber"].flatMap({ Int($0) }) { return number }
    throw MappingFileError(
      .missing(field: "mappingnumber", of: "entity mapping '\(mapping.id)'"), file: store.url,
      line: mapping.line)
  }

  private func draft(_ mapping: XMLStore.Object) throws -> EntityMappingDraft {
    let fields = mapping.attributes
    func text(_ key: String) -> String? { fields[key].flatMap { $0.isEmpty ? nil : $0 } }
    var draft = EntityMappingDraft(
      source: text("sourcename"), destination: text("destinationname"), name: text("name"),
      policy: text("migrationpolicyclassname"))
    draft.sourcePredicate = text("sourcefilterpredicatestring")
    try checkPredicate(of: draft, mapping)
    draft.sourceExpression = try writtenSourceExpression(of: mapping)
    draft.userInfo = try userInfo(of: mapping)
    draft.attributes = try properties(
      mapping, relationship: "attributemappings", type: ObjectType.attribute)
    draft.relationships = try properties(
      mapping, relationship: "relationshipmappings", type: ObjectType.relationship)
    return draft
  }

  /// Whether the fetch is generated the flag of an entity mapping says; an expression beside it is left over from
  /// what a person wrote before.
  // Core Data: assumed, as another reader of the format has it. Of 552 real entity mappings all have the flag and
  // none has an expression; an app's step with both loses its rows where the expression is taken. No test decides it,
  // since only Xcode compiles mapping models.
  private func writtenSourceExpression(of mapping: XMLStore.Object) throws -> Expression? {
    let isGenerated = (mapping.attributes["autogenerateexpression"] as NSString?)?.boolValue == true
    return isGenerated ? nil : try expression("sourceexpressiondata", of: mapping)
  }

  /// Broken text is told with its line here; later nobody knows it.
  private func checkPredicate(
    of draft: EntityMappingDraft, _ mapping: XMLStore.Object
  ) throws {
    guard let predicate = draft.sourcePredicate else { return }
    do { _ = try Predicate.parse(predicate) } catch {
      throw MappingFileError(
        .invalid(
          field: "source predicate of '\(draft.name)'", reason: "'\(predicate)': \(error)"),
        file: store.url, line: mapping.line)
    }
  }

  /// Only properties with a mapping object of their own are copied; nameless ones are leftovers.
  private func properties(
    _ mapping: XMLStore.Object, relationship: String, type: String
  ) throws -> EntityMappingDraft.PropertySelection {
    var written: [String: EntityMappingDraft.PropertySource] = [:]
    for property in try store.objects(relationship, of: mapping, type: type) {
      guard let name = property.attributes["name"] else { continue }
      written[name] = try source(of: property)
    }
    return .only(written)
  }

  /// A property's written expression wins: `autogenerateexpression` is set in relationship mappings that have one
  /// and that apps rely on, and attribute mappings haven't got it. One that can't be read spoils nothing else.
  private func source(
    of property: XMLStore.Object
  ) throws -> EntityMappingDraft.PropertySource {
    do {
      if let expression = try expression("valueexpressiondata", of: property) {
        return .expression(expression)
      }
    } catch let error as MappingFileError {
      return .unreadable(error)
    }
    let keyPath = property.attributes["sourcekeypath"]
    let mappingName = property.attributes["sourcemappingname"]
    if keyPath == nil && mappingName == nil { return .generated }
    return .instances(keyPath: keyPath.map(Self.withoutVariable), mappingName: mappingName)
  }

  /// Empty for `$source` alone, the source object itself.
  private static func withoutVariable(_ keyPath: String) -> String {
    if keyPath == "$source" { return "" }
    return keyPath.hasPrefix("$source.") ? String(keyPath.dropFirst("$source.".count)) : keyPath
  }

  // MARK: Archives

  private func expression(_ field: String, of object: XMLStore.Object) throws -> Expression? {
    try archive(field, of: object) { try ArchivedExpression($0).expression() }
  }

  private func userInfo(of mapping: XMLStore.Object) throws -> [AnyHashable: Any]? {
    try archive("userinfodata", of: mapping) { archived in
      archived.foundationObject as? [AnyHashable: Any]
    } ?? nil
  }

  /// Decodes a field that holds a keyed archive in base64; nil when there is none.
  private func archive<Result>(
    _ field: String, of object: XMLStore.Object, _ decode: (ArchivedValue) throws -> Result
  ) throws -> Result? {
    guard let text = object.attributes[field] else { return nil }
    func invalid(_ reason: String) -> MappingFileError {
      MappingFileError(.invalid(field: field, reason: reason), file: store.url, line: object.line)
    }
    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
      throw invalid("this isn't base64")
    }
    do { return try decode(try KeyedArchive(data).root) } catch { throw invalid("\(error)") }
  }
}
