internal import Crypto

/// The serialisations behind Core Data's version hashes (`NSStoreModelVersionHashesVersion` 3).
///
/// Every rule was found on, and reproduces, the hashes that real stores record. Integers are
/// little-endian; strings are their UTF-8 bytes without length or terminator.
package enum VersionHash {
  /// The hash of an entity whose parts are given one by one.
  ///
  /// - Parameters:
  ///   - properties: Own and inherited ones, in any order; those that aren't stored are left out.
  ///   - superentityHash: The hash of the superentity, which also carries its constraints.
  static func entity(
    _ entity: EntityDescription, properties: [PropertyDescription], superentityHash: Data?
  ) -> Data {
    var text = Data(entity.name.utf8)
    text.append(entity.isAbstract ? 1 : 0)
    text.append(superentityHash ?? Data())
    for property in properties.filter(isPersistent).sorted(by: precedes) {
      text.append(self.property(property))
    }
    text.append(constraints(entity.uniquenessConstraints))
    text.append(contentsOf: (entity.versionHashModifier ?? "").utf8)
    return sha256(text)
  }

  /// The hash of a property, whatever its kind.
  static func property(_ property: PropertyDescription) -> Data {
    switch property {
    case let attribute as AttributeDescription: self.attribute(attribute)
    case let relationship as RelationshipDescription: self.relationship(relationship)
    default: common(property)
    }
  }

  /// What all properties have: name, optional and transient as bits of one number, modifier.
  private static func common(_ property: PropertyDescription) -> Data {
    var text = Data(property.name.utf8)
    text.append(
      littleEndian: UInt16((property.isOptional ? 1 : 0) + (property.isTransient ? 2 : 0)))
    text.append(contentsOf: (property.versionHashModifier ?? "").utf8)
    return sha256(text)
  }

  /// A derived attribute is its expression's text alone: name and type play no part.
  private static func attribute(_ attribute: AttributeDescription) -> Data {
    if let derivation = attribute.derivationExpression { return sha256(Data(derivation.utf8)) }
    var text = common(attribute)
    text.append(littleEndian: Int32(attribute.attributeType.rawValue))
    if attribute.allowsExternalBinaryDataStorage { text.append(1) }
    if attribute.preservesValueInHistoryOnDeletion { text.append(1) }
    // No recorded hash shows how Core Data does it; without this a changed part would go unnoticed.
    for element in attribute.elements.sorted(by: precedes) { text.append(self.property(element)) }
    return sha256(text)
  }

  private static func relationship(_ relationship: RelationshipDescription) -> Data {
    var text = common(relationship)
    text.append(contentsOf: relationship.destinationEntityName.utf8)
    text.append(contentsOf: (relationship.inverseName ?? "").utf8)
    text.append(littleEndian: Int32(truncatingIfNeeded: relationship.maxCount))
    text.append(littleEndian: Int32(truncatingIfNeeded: relationship.minCount))
    if relationship.isOrdered { text.append(contentsOf: [1, 0]) }
    return sha256(text)
  }

  /// Names within a constraint keep their order, the constraints are sorted.
  private static func constraints(_ constraints: [[String]]) -> Data {
    let texts = constraints.map { $0.joined(separator: ".") }.sorted(by: precedes)
    return Data(texts.joined().utf8)
  }

  /// SHA-512 over name and hash of every entity, in Base64.
  package static func digest(of hashes: [String: Data]) -> String {
    let sorted = hashes.sorted { precedes($0.key, $1.key) }
    return Data(SHA512.hash(data: Data(sorted.flatMap { Data($0.key.utf8) + $0.value })))
      .base64EncodedString()
  }

  /// SHA-256 over the hashes alone, in the order of the entities' names, in Base64.
  package static func checksum(of hashes: [String: Data]) -> String {
    let sorted = hashes.sorted { precedes($0.key, $1.key) }
    return sha256(Data(sorted.flatMap(\.value))).base64EncodedString()
  }

  private static func isPersistent(_ property: PropertyDescription) -> Bool {
    !property.isTransient && !(property is FetchedPropertyDescription)
  }

  private static func precedes(_ a: PropertyDescription, _ b: PropertyDescription) -> Bool {
    precedes(a.name, b.name)
  }

  /// Order by code point, which the order of UTF-8 bytes is.
  static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }

  private static func sha256(_ data: Data) -> Data { Data(SHA256.hash(data: data)) }
}

extension Data {
  fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}
