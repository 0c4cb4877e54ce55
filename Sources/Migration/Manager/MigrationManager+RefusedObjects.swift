// To which mapping and which source object a refused new object belongs.

extension MigrationManager {
  /// A validation error with the entity mapping and the source of each object it is about.
  ///
  /// Takes time in proportion to all new objects, so it is for errors only.
  final func tracingOrigins(of error: CoreDataError) -> CoreDataError {
    let refused = error.details.isEmpty ? [error] : error.details
    let origins = origins(of: Set(refused.compactMap(\.place.object)))
    func traced(_ error: CoreDataError) -> CoreDataError {
      guard let origin = error.place.object.flatMap({ origins[$0] }) else { return error }
      var traced = error.at(entityMapping: origin.mapping)
      traced.place.sourceObject = origin.source
      return traced
    }
    if error.details.isEmpty { return traced(error) }
    var several = error
    several.details = error.details.map(traced)
    return several
  }

  private typealias Origin = (mapping: String?, source: String?)

  /// Where the objects with some descriptions come from; the first mapping counts.
  private func origins(of objects: Set<String>) -> [String: Origin] {
    var found: [String: Origin] = [:]
    for plan in run?.plans ?? [] {
      for row in 0..<plan.associations.count {
        let object = plan.associations.destinationID(at: row).map { "\($0)" } ?? ""
        guard objects.contains(object), found[object] == nil else { continue }
        let source = sourceInstance(plan.associations.sourceKey(at: row))
        found[object] = (plan.mapping.name, source.map { "\($0.objectID)" })
      }
    }
    return found
  }
}
