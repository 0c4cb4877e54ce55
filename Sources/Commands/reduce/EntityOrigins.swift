/// The entities of the version that a chain starts from whose objects become those of an entity at its end, by what
/// the mapping models say.
struct EntityOrigins {
  /// Empty where nothing says so: a policy makes the objects, or a step has no mapping model.
  let names: Set<String>

  init(of entity: String, in scenario: CheckedScenario, from start: String) {
    names = scenario.steps(from: start).reversed().reduce([entity]) { names, step in
      // What a step without a mapping model comes to, its own failure tells.
      let choice = try? MigrationStep(step, in: scenario, PolicyRegistry()).chooseMapping()
      let mappings = choice?.mappings.flatMap { $0.model.entityMappings ?? [] } ?? []
      return Set(
        mappings.filter { $0.destinationEntityName.map(names.contains) == true }
          .compactMap(\.sourceEntityName))
    }
  }
}
