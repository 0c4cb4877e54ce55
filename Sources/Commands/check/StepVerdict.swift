/// How a store gets from one version to another.
package enum StepVerdict: Sendable {
  /// The versions are equal to Core Data: the store is opened as it is.
  case unchanged
  case lightweight
  /// By mapping models, named.
  case mapped([String])
  /// Neither; the error says why (134140, because of a 134190).
  case impossible(CoreDataError)
}

extension StepVerdict {
  /// The word for reports.
  package var name: String {
    switch self {
    case .unchanged: "unchanged"
    case .lightweight: "lightweight"
    case .mapped: "mapped"
    case .impossible: "impossible"
    }
  }

  var isLightweight: Bool { if case .lightweight = self { true } else { false } }
  var isMapped: Bool { if case .mapped = self { true } else { false } }

  /// Core Data's error for an impossible step.
  package var error: CoreDataError? { if case .impossible(let error) = self { error } else { nil } }

  package var mappingNames: [String] { if case .mapped(let names) = self { names } else { [] } }
}

/// Two versions of a model, and how a store gets from one to the other.
package struct CheckedStep: Sendable {
  package let versions: VersionPair
  package let verdict: StepVerdict
  let source: ManagedObjectModel
  let destination: ManagedObjectModel

  /// Judges as Core Data decides: equal versions need nothing, a mapping model that fits comes before
  /// inference.
  init(
    from source: ManagedObjectModel, to destination: ManagedObjectModel,
    mappings: [MappingCandidate]
  ) {
    self.init(
      from: source, to: destination,
      fitting: mappings.fitting(source: source, destination: destination))
  }

  /// - Parameters:
  ///   - fitting: The mapping models that fit both versions.
  ///   - isOpening: Whether the app opens the store with the destination's model, so that Core Data itself looks for
  ///     the source model and the mapping model.
  init(
    from source: ManagedObjectModel, to destination: ManagedObjectModel,
    fitting: [MappingCandidate], isOpening: Bool = false
  ) {
    self.source = source
    self.destination = destination
    versions = VersionPair(source, destination)
    verdict = Self.verdict(from: source, to: destination, by: fitting, isOpening: isOpening)
  }

  private static func verdict(
    from source: ManagedObjectModel, to destination: ManagedObjectModel,
    by fitting: [MappingCandidate], isOpening: Bool
  ) -> StepVerdict {
    if source.entityVersionHashesByName == destination.entityVersionHashesByName {
      return .unchanged
    }
    // The mapping itself is wanted by nobody here.
    let isWithoutSource = isOpening && source.isPartlyVersionedMerge
    if fitting.isEmpty, !isWithoutSource, MappingModel.canBeInferred(from: source, to: destination)
    {
      return .lightweight
    }
    do {
      var step = MigrationStep(from: source, to: destination, mappings: fitting)
      (step.way, step.takesOneMapping) = (isOpening ? .opening : .stepwise, isOpening)
      let choice = try step.chooseMapping()
      return choice.kind == .inferred ? .lightweight : .mapped(choice.mappings.map(\.name))
    } catch let error as CoreDataError {
      return .impossible(error)
    } catch {
      return .impossible(CoreDataError(.migrationMissingMappingModel, "\(error)"))
    }
  }
}
