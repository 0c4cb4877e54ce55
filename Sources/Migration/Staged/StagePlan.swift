/// What the stages of a staged migration come to for one store and one model.
struct StagePlan {
  /// A thing to do, in order.
  enum Action {
    /// An inferred step to a model.
    case lightweight(to: ManagedObjectModel)
    case custom(CustomMigrationStage, from: ManagedObjectModel, to: ManagedObjectModel)
  }
  let stages: [MigrationStage]
  /// The models that lightweight stages name, where each version is to be passed.
  var modelsOnTheWay: [ManagedObjectModel] = []

  init(_ stages: [MigrationStage]) { self.stages = stages }

  /// - Throws: `CoreDataError`: `.coreData` for a checksum in two stages,
  ///   `.managedObjectModelReferenceNotFound` (134504) for an unknown version or model,
  ///   `.stagedMigrationBackwardMigration` (134506) when the model comes before the store's.
  func actions(
    from source: ManagedObjectModel, to target: ManagedObjectModel
  ) throws -> [Action] {
    try checkDuplicates()
    guard let start = start(of: source.versionChecksum) else {
      throw CoreDataError.unstagedVersion(checksum: source.versionChecksum)
    }
    guard let end = stages.lastIndex(where: { $0.checksums.contains(target.versionChecksum) })
    else {
      throw CoreDataError.unstagedModel(target)
    }
    if end < start { throw CoreDataError.backwards(source, target) }
    return try walk(from: source, to: target, stages: start...end)
  }

  /// The versions on the way, by checksum, where a custom stage ends, and the next custom stage begins at another.
  func gaps(on step: MigrationStep) -> [String: StepDoubt] {
    guard let start = start(of: step.sourceModel.versionChecksum),
      let end = self.start(of: step.destinationModel.versionChecksum)
    else { return [:] }
    var gaps: [String: StepDoubt] = [:]
    let customs = stages.map { $0 as? CustomMigrationStage }
    for (stage, next) in zip(customs, customs.dropFirst()).prefix(end).dropFirst(start) {
      guard let stage, let next, let end = try? stage.nextModel.resolve(),
        next.currentModel.versionChecksum != end.versionChecksum
      else { continue }
      gaps[end.versionChecksum] = .stageGap(
        end: "\(end)", next: (try? next.currentModel.resolve()).map { "\($0)" } ?? "\(next)")
    }
    return gaps
  }

  // MARK: Checks

  /// A version belongs to one stage; only between two custom stages in a row one's end is the other's
  /// start.
  private func checkDuplicates() throws {
    var seen: [String: Int] = [:]
    for (place, stage) in stages.enumerated() {
      for (position, checksum) in stage.checksums.enumerated() {
        if let before = seen[checksum], !isJoint(checksum, position, of: place, after: before) {
          throw CoreDataError.duplicateChecksum(checksum, first: stages[before], second: stage)
        }
        seen[checksum] = place
      }
    }
  }

  private func isJoint(
    _ checksum: String, _ position: Int, of place: Int, after before: Int
  ) -> Bool {
    guard let previous = stages[before] as? CustomMigrationStage else { return false }
    return stages[place] is CustomMigrationStage && position == 0 && before == place - 1
      && previous.nextModel.versionChecksum == checksum
  }

  /// The stage that takes the store on: of two custom ones that meet in its version, the second.
  private func start(of checksum: String) -> Int? {
    stages.lastIndex { $0.checksums.contains(checksum) }
  }

  // MARK: The way

  /// Where source and target are in one lightweight stage and inference can't lead from one to the
  /// other, the stages after it may.
  /// Core Data: observed in reports of developers.
  private func walk(
    from source: ManagedObjectModel, to target: ManagedObjectModel, stages range: ClosedRange<Int>
  ) throws -> [Action] {
    var range = range
    if range.count == 1, stages[range.lowerBound] is LightweightMigrationStage,
      !canInfer(from: source, to: target)
    {
      range = range.lowerBound...(stages.count - 1)
    }
    var way = Way(position: source, modelsOnTheWay: modelsOnTheWay)
    for stage in stages[range] {
      guard !way.isAt(target) else { break }
      if let custom = stage as? CustomMigrationStage {
        try way.take(custom)
      } else {
        way.pass(stage.checksums)
      }
    }
    way.go(to: target)
    return way.actions
  }

  private func canInfer(from source: ManagedObjectModel, to target: ManagedObjectModel) -> Bool {
    // Why not is said by the step that needs it.
    let mapping = try? MappingModel.inferredMappingModel(
      forSourceModel: source, destinationModel: target)
    return mapping != nil
  }

  /// Actions one after the other, and where they lead.
  private struct Way {
    private(set) var position: ManagedObjectModel
    let modelsOnTheWay: [ManagedObjectModel]
    private(set) var actions: [Action] = []

    init(position: ManagedObjectModel, modelsOnTheWay: [ManagedObjectModel]) {
      self.position = position
      self.modelsOnTheWay = modelsOnTheWay
    }

    func isAt(_ model: ManagedObjectModel) -> Bool {
      position.versionChecksum == model.versionChecksum
    }

    mutating func go(to model: ManagedObjectModel) {
      if isAt(model) { return }
      actions.append(.lightweight(to: model))
      position = model
    }

    mutating func pass(_ checksums: [String]) {
      let rest = checksums.firstIndex(of: position.versionChecksum).map {
        checksums.dropFirst($0 + 1)
      }
      for checksum in rest ?? checksums[...] {
        if let model = modelsOnTheWay.first(where: { $0.versionChecksum == checksum }) {
          go(to: model)
        }
      }
    }

    /// A custom stage that starts later takes an inferred step to its start.
    mutating func take(_ stage: CustomMigrationStage) throws {
      let (current, next) = (try stage.currentModel.resolve(), try stage.nextModel.resolve())
      if isAt(next) { return }
      go(to: current)
      actions.append(.custom(stage, from: current, to: next))
      position = next
    }
  }
}
