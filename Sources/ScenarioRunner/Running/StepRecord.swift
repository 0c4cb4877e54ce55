/// A step as reports for machines have it.
package struct StepRecord: Encodable {
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

extension StepRecord {
  package init(_ step: ExecutedStep) {
    hop = step.name
    mapping = step.mapping?.rawValue
    mappingModels = step.mappingNames
    staleMappings = step.stale.map(\.name)
    emptiedEntities = step.emptied.map {
      EmptiedEntityEntry(entity: $0.entity, objects: $0.count)
    }
    unknownOnDevice = step.unknowns.map(\.description)
    sourceObjects = step.sourceObjectCount
    destinationObjects = step.destinationObjectCount
    error = step.errorText
    seconds = step.seconds
    entityMappings = step.entityMappings.map { mapping in
      EntityMappingEntry(
        name: mapping.name, type: "\(mapping.type)", policy: mapping.policyClassName,
        sourceInstances: mapping.sourceCount, destinationInstances: mapping.destinationCount)
    }
  }
}
