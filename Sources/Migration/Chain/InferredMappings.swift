/// Mapping models that were inferred for one run, for others that take the same steps: of runs from every version of
/// a model, each takes nearly all steps of the others.
package final class InferredMappings {
  private struct Pair: Hashable {
    let source: ObjectIdentifier
    let destination: ObjectIdentifier
  }

  /// With its models, which are known by their identity as long as they live.
  private struct Entry {
    let source: ManagedObjectModel
    let destination: ManagedObjectModel
    let mapping: MappingModel
  }

  private var entries: [Pair: Entry] = [:]
  /// A model of more versions is rare, and a process may play any number of scenarios.
  private static let mostEntries = 500

  package init() {}

  /// - Throws: As ``MappingModel/inferredMappingModel(forSourceModel:destinationModel:)``.
  func mapping(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws -> MappingModel {
    let pair = Pair(source: ObjectIdentifier(source), destination: ObjectIdentifier(destination))
    if let entry = entries[pair] { return entry.mapping }
    let mapping = try MappingModel.inferredMappingModel(
      forSourceModel: source, destinationModel: destination)
    if entries.count >= Self.mostEntries { entries = [:] }
    entries[pair] = Entry(source: source, destination: destination, mapping: mapping)
    return mapping
  }
}
