/// What a step is migrated with, and why.
public struct MappingChoice {
  public enum Kind: String, Sendable, Hashable {
    case custom, inferred
  }
  /// A mapping model that doesn't fit the step's models. Core Data ignores such a mapping without
  /// a word; its policies are then never called.
  public struct Stale: Hashable, Sendable, CustomStringConvertible {
    public var name: String
    public var misfits: [MappingMisfit]

    public var description: String {
      "\(name): "
        + (misfits.isEmpty ? "it maps nothing" : misfits.map(\.description).joined(separator: "; "))
    }
  }

  public var kind: Kind
  /// What to run, in this order.
  public var mappings: [MappingCandidate]
  /// What was on offer and doesn't fit.
  public var stale: [Stale]
  /// What an inferred mapping does of which nobody knows whether a device does it.
  public var doubts: [InferenceDoubt] = []
}

extension MigrationStep {
  /// Chooses custom mappings that fit before inference, as Core Data does.
  /// - Throws: `CoreDataError.migrationMissingMappingModel` (134140) when nothing fits and nothing
  ///   can or may be inferred; the reason is its underlying error. The same where two mapping models
  ///   would do the same.
  public func chooseMapping() throws -> MappingChoice {
    switch way {
    case .opening where sourceModel.isPartlyVersionedMerge:
      throw CoreDataError.noSource(sourceModel)
    case .opening where hasModelsInCode: throw CoreDataError.modelsInCode(sourceModel)
    case .direct where mappings.isEmpty:
      throw missingMapping("Can't find mapping model for migration", [])
    case .direct: return MappingChoice(kind: .custom, mappings: mappings, stale: [])
    default: return try chooseFittingMapping()
    }
  }

  private func chooseFittingMapping() throws -> MappingChoice {
    var fitting: [MappingCandidate] = []
    var stale: [MappingChoice.Stale] = []
    for candidate in mappings {
      if candidate.fits(sourceModel, destinationModel) {
        fitting.append(candidate)
      } else {
        let misfits = candidate.model.misfits(source: sourceModel, destination: destinationModel)
        stale.append(.init(name: candidate.name, misfits: misfits))
      }
    }
    if !fitting.isEmpty {
      let running = try running(fitting)
      return MappingChoice(
        kind: .custom, mappings: takesOneMapping ? Array(running.prefix(1)) : running, stale: stale)
    }
    return try inferMapping(insteadOf: stale)
  }

  private func running(_ fitting: [MappingCandidate]) throws -> [MappingCandidate] {
    do { return try fitting.running(from: sourceModel, to: destinationModel) } catch {
      throw CoreDataError(
        .migrationMissingMappingModel, "\(error)", advice: MappingOverlap.advice)
    }
  }

  private func inferMapping(insteadOf stale: [MappingChoice.Stale]) throws -> MappingChoice {
    guard infersMapping else {
      throw missingMapping("Can't find mapping model for migration", stale)
    }
    do {
      let model = try inferredMapping()
      let candidate = MappingCandidate(name: "inferred", model: model)
      var choice = MappingChoice(kind: .inferred, mappings: [candidate], stale: stale)
      choice.doubts = InferenceDoubt.inferred(from: sourceModel, to: destinationModel).filter {
        makesObjects ? $0.isOfInference : $0.kind != .rootRemoved || migratesRemovedRoots == nil
      }
      return choice
    } catch let error as CoreDataError {
      var missing = missingMapping(
        "Can't find or automatically infer mapping model for migration", stale)
      missing.place = error.place
      missing.underlying = error
      throw missing
    }
  }

  /// A migration manager of the app's own may change what it is given.
  private func inferredMapping() throws -> MappingModel {
    guard let inferences, !isManaged else {
      return try .inferredMappingModel(
        forSourceModel: sourceModel, destinationModel: destinationModel)
    }
    return try inferences.mapping(from: sourceModel, to: destinationModel)
  }

  private func missingMapping(_ reason: String, _ stale: [MappingChoice.Stale]) -> CoreDataError {
    let texts = stale.map(\.description)
    let advice =
      stale.isEmpty
      ? "Give the step a mapping model."
      : "Mapping models that don't fit, or no longer: \(texts.joined(separator: " | ")). "
        + "Rebuild them after the last change to a model."
    return CoreDataError(.migrationMissingMappingModel, reason, advice: advice)
  }
}
