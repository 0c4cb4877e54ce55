/// The model that a store carries along in its table `Z_MODELCACHE`.
///
/// A keyed archive of `NSManagedObjectModel`, compressed. Core Data strips it: class names, user
/// info and fetch request templates are left out. What a migration needs is there.
/// Core Data: observed in real stores; assumed for configurations, validation bounds, composite attributes,
/// fetch requests, and indexes with predicates or expressions, since no store with them was at hand.
public enum ModelArchive {
  /// Reads the content of `Z_MODELCACHE`.
  /// - Throws: ``KeyedArchiveError`` when the data is damaged, ``ModelArchiveError`` when it holds
  ///   no model, ``ModelError`` when the model contradicts itself.
  public static func decode(_ data: Data) throws -> ManagedObjectModel {
    try decodeCompiledModel(RawDeflate.expand(data))
  }

  /// Reads a compiled model (`.mom`), which has the same form without compression.
  /// - Throws: As ``decode(_:)``.
  public static func decodeCompiledModel(
    _ data: Data, name: String? = nil
  ) throws -> ManagedObjectModel {
    try ModelArchiveReader(KeyedArchive(data)).model(named: name)
  }

  /// The content of `Z_MODELCACHE` for a store of this model.
  ///
  /// What Core Data strips is left out. Decoding gives a model that differs from `model` in nothing
  /// else.
  /// - Parameter predicates: Parses the predicates of fetched properties and indexes; without one they
  ///   are left out, too.
  /// - Throws: ``KeyedArchiveError`` when compression fails.
  public static func encode(
    _ model: ManagedObjectModel, predicates: (any PredicateArchiving)? = nil
  ) throws -> Data {
    func archive() throws -> Data {
      try RawDeflate.compress(ModelArchiveWriter(model, predicates: predicates).data())
    }
    // Whoever makes stores of one model makes several, and always parses predicates in the same way.
    return predicates != nil && model.isInUse
      ? try model.archiveStorage.get(archive) : try archive()
  }

  /// The content of a `.mom` for this model, with what a store's model cache leaves out.
  package static func encodeCompiledModel(
    _ model: ManagedObjectModel, predicates: (any PredicateArchiving)? = nil
  ) -> Data {
    ModelArchiveWriter(model, form: .compiledModel, predicates: predicates).data()
  }
}
