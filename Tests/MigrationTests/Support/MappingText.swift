import Migration

/// A mapping model as text: a line per entity mapping, and one per property mapping.
func text(of mapping: MappingModel) -> [String] {
  mapping.entityMappings.flatMap { entity in
    let policy = entity.entityMigrationPolicyClassName.map { " by \($0)" } ?? ""
    let properties = (entity.attributeMappings ?? []) + (entity.relationshipMappings ?? [])
    return ["\(entity)\(policy)"] + properties.map { "  \($0)" }
  }
}

/// The generated form for a relationship whose objects one mapping takes.
func instances(_ mapping: String, _ keyPath: String) -> String {
  #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:" , "#
    + #""\#(mapping)" , $source.\#(keyPath))"#
}

/// The generated form for a relationship whose objects several mappings take.
func related(_ relationship: String) -> String {
  #"FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:" , "#
    + #""\#(relationship)" , $source.\#(relationship))"#
}
