/// What `migrate --explain` says: the plan of each step, and the statements by which a device would do it in the store's
/// own file.
struct InPlaceExplanation {
  private let heading: String
  private let steps: [InPlaceRehearsal.Step]
  /// By step.
  private let plans: [[MigrationPlan]]

  /// Runs nothing, and reads the schema alone.
  /// - Throws: `CoreDataError` for a store that can't be read, and for a step without a mapping.
  init(of store: URL, by routes: any RouteFinder) throws {
    let route = try routes.route(forStoreAt: store)
    let source = try SQLiteStore.openReadOnly(at: store, model: route.source)
    defer { source.closeUnchanged() }
    steps = try InPlaceRehearsal(route.chain.steps, in: source.fileForSteps()).steps
    plans = try zip(steps, route.chain.steps).map { try $1.plans() }
    heading =
      store.relativePath
      + (route.isFromStoreModel
        ? " matches none of the versions; its own model is the source"
        : " is of version \(route.versions.first ?? route.source.shownName)")
  }

  /// Whether a step would fail.
  var hasObstacle: Bool { steps.contains { $0.obstacle != nil } }

  func text(style: TextStyle) -> String {
    let blocks =
      [[style.strong(heading)]] + zip(steps, plans).map { lines(of: $0, $1, style) } + [legend]
    return blocks.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }

  private func lines(
    of step: InPlaceRehearsal.Step, _ plans: [MigrationPlan], _ style: TextStyle
  ) -> [String] {
    let plan = plans.flatMap { "\($0)".split(separator: "\n") }.map { style.faint("  \($0)") }
    guard let statements = step.statements else {
      return [
        "\(step.name)  not in the store's own file: a migration manager, or the handlers of a stage, write another"
      ] + plan
    }
    let told = statements.map { statement in
      let basis = style.faint("\(statement.basis.rawValue.padded(to: 8))")
      let line = "  \(basis)  \(statement.sql)"
      guard let obstacle = step.obstacle, obstacle.statement == statement.sql else { return [line] }
      return [line, "  \(style.bad("134110  "))  SQLite: \(obstacle.message)"]
    }
    return ["\(step.name)  inferred, in the store's own file"] + plan + told.flatMap(\.self)
  }

  private var legend: [String] {
    steps.isEmpty
      ? ["no step is needed"]
      : [
        "observed: files that Core Data has migrated show it",
        "assumed: something must do it; by which statement, and in which order, isn't known",
      ]
  }
}
