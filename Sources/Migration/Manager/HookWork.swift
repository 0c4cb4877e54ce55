/// What the calls of one hook of an entity mapping did.
public struct HookWork: Hashable, Sendable, Codable {
  public var entityMapping: String
  public var hook: MigrationTrace.Event.Kind
  public var calls = 0
  public var work = ContextWork()
}

extension MigrationManager {
  /// Runs a hook, and notes what it did where somebody measures.
  final func noting(
    _ hook: MigrationTrace.Event.Kind, of program: EntityMappingProgram, _ body: () throws -> Void
  ) rethrows {
    guard run?.isMetered == true else { return try body() }
    let before = workSoFar
    defer {
      let index = program.hookWork.firstIndex { $0.hook == hook } ?? program.hookWork.count
      if index == program.hookWork.count {
        program.hookWork.append(HookWork(entityMapping: program.mapping.name ?? "", hook: hook))
      }
      let work = workSoFar.combined(with: before, -)
      program.hookWork[index].calls += 1
      program.hookWork[index].work = program.hookWork[index].work.combined(with: work, +)
    }
    try body()
  }

  private var workSoFar: ContextWork {
    sourceContext.workWithStatements.combined(with: destinationContext.workWithStatements, +)
  }

  /// What the calls of all hooks did, mapping by mapping; empty unless a meter is set.
  final var hookWork: [HookWork] { (run?.programs ?? []).flatMap(\.hookWork) }

  /// How many objects were fetched so far, from either side.
  final var fetchedSoFar: Int { sourceContext.work.fetched + destinationContext.work.fetched }
}
