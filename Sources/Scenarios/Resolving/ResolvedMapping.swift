/// A mapping model that was read. What runs get are objects of their own, for policies may change them.
///
/// Drafts and files are only read; their `userInfo` is all that the compiler can't know to be safe.
package enum ResolvedMapping: @unchecked Sendable {
  /// Written in the scenario.
  case inline([EntityMappingDraft], InlineMapping)
  case file(XcodeMappingFile, path: String)
  /// A file as it lies in an app. What is read of it is the mapping model itself, so that each run reads it.
  case compiledFile(URL, path: String)

  /// The mapping model for two versions, for one run.
  /// - Throws: What keeps it from being made, which was looked for when the scenario was checked.
  package func candidate(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws -> MappingCandidate {
    switch self {
    case .inline(let drafts, let written):
      let builder = MappingBuilder(source: source, destination: destination)
      return MappingCandidate(
        name: "mapping in line \(written.place.line)",
        model: try builder.mappingModel(written.copiesRest ? builder.withRest(drafts) : drafts))
    case .file(let file, let path):
      return MappingCandidate(
        name: path, model: try file.mappingModel(source: source, destination: destination))
    case .compiledFile(let url, let path):
      return MappingCandidate(
        name: path, model: try CompiledMappingFile.load(contentsOf: url).mappingModel)
    }
  }
}
