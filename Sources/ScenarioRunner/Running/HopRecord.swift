/// A step as reports for machines have it.
package struct HopRecord: Encodable {
  let hop: String
  let mapping: String?
  let mappingModels: [String]
  let staleMappings: [String]
  let emptiedEntities: [EmptiedEntityEntry]
  let unknownOnDevice: [String]
  let sourceObjects: Int
  let destinationObjects: Int?
  let error: String?
  let seconds: Double
  let entityMappings: [EntityMappingEntry]

  package struct EmptiedEntityEntry: Encodable {
    let entity: String
    let objects: Int
  }

  package struct EntityMappingEntry: Encodable {
    let name: String
    let type: String
    let policy: String?
    let sourceInstances: Int
    let destinationInstances: Int
  }

  package init(
    hop: String, mapping: String?, mappingModels: [String], staleMappings: [String],
    emptiedEntities: [EmptiedEntityEntry], unknownOnDevice: [String], sourceObjects: Int,
    destinationObjects: Int?, error: String?, seconds: Double, entityMappings: [EntityMappingEntry]
  ) {
    self.hop = hop
    self.mapping = mapping
    self.mappingModels = mappingModels
    self.staleMappings = staleMappings
    self.emptiedEntities = emptiedEntities
    self.unknownOnDevice = unknownOnDevice
    self.sourceObjects = sourceObjects
    self.destinationObjects = destinationObjects
    self.error = error
    self.seconds = seconds
    self.entityMappings = entityMappings
  }
}

extension HopRecord {
  package init(_ hop: HopReport) {
    self.hop = hop.hop
    mapping = hop.mapping?.rawValue
    mappingModels = hop.mappingNames
    staleMappings = hop.stale.map(\.name)
    emptiedEntities = hop.emptied.map {
      EmptiedEntityEntry(entity: $0.entity, objects: $0.count)
    }
    unknownOnDevice = hop.unknowns.map(\.description)
    sourceObjects = hop.sourceObjectCount
    destinationObjects = hop.destinationObjectCount
    error = hop.errorText
    seconds = hop.seconds
    entityMappings = hop.entityMappings.map { mapping in
      EntityMappingEntry(
        name: mapping.name, type: "\(mapping.type)", policy: mapping.policyClassName,
        sourceInstances: mapping.sourceCount, destinationInstances: mapping.destinationCount)
    }
  }
}
