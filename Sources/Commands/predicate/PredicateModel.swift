/// The model and the entity for which a predicate is translated to SQL.
struct PredicateModel {
  let model: ManagedObjectModel
  let entity: EntityDescription

  /// The model made for a JSON object that `predicate` is about.
  /// - Throws: ``PredicateRequest/Problem`` for a value without keys.
  init(for object: Value, asked predicate: Predicate) throws {
    guard case .object(let keyed as KeyedValues) = object else {
      throw PredicateRequest.Problem("--sql needs an --object with keys, or --models and --entity.")
    }
    let model = try ShapeModel.model(for: keyed.values, asked: predicate)
    try self.init(model, entity: ShapeModel.rootName, named: "the object")
  }

  /// A version of a model of Xcode's.
  /// - Throws: `ModelFileError`, ``PredicateRequest/Problem`` for names that don't exist.
  init(path: String, version: String?, entity: String) throws {
    let loaded = try StoreModel.loadModel(orStoreAt: URL(fileURLWithPath: path))
    PassedOverStores.note(in: [loaded])
    let names = loaded.versions.compactMap(\.name)
    if let version, loaded.version(named: version) == nil {
      let hint = Spelling.hint(for: version, among: names, called: "versions")
      throw PredicateRequest.Problem("\(path) has no version '\(version)'\(hint)")
    }
    guard let model = version.map(loaded.version) ?? loaded.currentVersion else {
      throw PredicateRequest.Problem(
        "\(path) doesn't say which version is the current one; choose one with --version: "
          + names.joined(separator: ", "))
    }
    try self.init(model, entity: entity, named: model.name ?? path)
  }

  private init(_ model: ManagedObjectModel, entity name: String, named place: String) throws {
    guard let entity = model.entity(named: name) else {
      let hint = Spelling.hint(
        for: name, among: model.entitiesByName.keys, called: "entities of \(place)")
      throw PredicateRequest.Problem("\(place) has no entity '\(name)'\(hint)")
    }
    self.model = model
    self.entity = entity
  }
}
