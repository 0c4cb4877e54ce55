import TestSupport
import Testing

@testable import ObjectModel

/// All hashes that were collected from public stores.
@Suite struct RecordedVersionHashTests {
  @Test func everyRecordedHashIsReproduced() throws {
    let vectors = try RecordedHashes.load().vectors
    #expect(vectors.count == 243)
    for vector in vectors {
      let entity = vector.entity.description()
      let superentityHash = vector.entity.superentity.map { Data(hexadecimal: $0.hash) }
      let hash = VersionHash.entity(
        entity, properties: entity.ownProperties, superentityHash: superentityHash)
      #expect(hash.hexadecimal == vector.hash, "\(entity.name) of \(vector.sources[0])")
    }
  }

  @Test func everyRecordedDigestIsReproduced() throws {
    let digests = try RecordedHashes.load().digests
    #expect(digests.count == 3)
    for recorded in digests {
      let hashes = recorded.hashes.mapValues { Data(hexadecimal: $0) }
      #expect(VersionHash.digest(of: hashes) == recorded.digest, "\(recorded.source)")
    }
  }
}

/// The collection's file.
private struct RecordedHashes: Decodable {
  static func load() throws -> RecordedHashes {
    try JSONDecoder().decode(
      RecordedHashes.self, from: Data(contentsOf: Fixture.url("version-hashes.json")))
  }

  let vectors: [Vector]
  let digests: [Digest]

  struct Vector: Decodable {
    let hash: String
    let entity: Entity
    let sources: [String]
  }

  struct Digest: Decodable {
    let source: String
    let hashes: [String: String]
    let digest: String
  }

  struct Entity: Decodable {
    let name: String
    let properties: [Property]
    let superentity: Superentity?
    let abstract: Bool?
    let unique: [[String]]?
    let modifier: String?

    func description() -> EntityDescription {
      let entity = EntityDescription(name: name)
      entity.isAbstract = abstract ?? false
      entity.uniquenessConstraints = unique ?? []
      entity.versionHashModifier = modifier
      entity.ownProperties = properties.map { $0.description() }
      return entity
    }
  }

  struct Superentity: Decodable {
    let hash: String
  }

  struct Property: Decodable {
    let name: String
    let optional: Bool?
    let modifier: String?
    let type: String?
    let external: Bool?
    let preserve: Bool?
    let derivation: String?
    let destination: String?
    let inverse: String?
    let max: Int?
    let min: Int?
    let ordered: Bool?

    func description() -> PropertyDescription {
      let property = type.flatMap(AttributeType.init(xcodeName:)).map(attribute) ?? relationship()
      property.isOptional = optional ?? false
      property.versionHashModifier = modifier
      return property
    }

    private func attribute(_ type: AttributeType) -> PropertyDescription {
      let attribute = AttributeDescription(name: name, type: type)
      attribute.allowsExternalBinaryDataStorage = external ?? false
      attribute.preservesValueInHistoryOnDeletion = preserve ?? false
      attribute.derivationExpression = derivation
      return attribute
    }

    private func relationship() -> PropertyDescription {
      let relationship = RelationshipDescription(
        name: name, destinationEntityName: destination ?? "", toMany: max != 1)
      relationship.inverseName = inverse
      relationship.maxCount = max ?? 0
      relationship.minCount = min ?? 0
      relationship.isOrdered = ordered ?? false
      return relationship
    }
  }
}

extension Data {
  fileprivate init(hexadecimal: String) {
    let digits = Array(hexadecimal.utf8).map { UInt8($0 > 57 ? $0 - 87 : $0 - 48) }
    self.init(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }
}
