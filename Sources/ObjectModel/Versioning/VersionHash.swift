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
    var text = Text(entity.name)
    text.append(entity.isAbstract ? 1 : 0)
    text.append(contentsOf: superentityHash ?? Data())
    for property in properties.filter(isPersistent).sorted(by: precedes) {
      text.append(contentsOf: digest(of: property, declaredBy: property.entity ?? entity))
    }
    text.append(entity.versionHashModifier ?? "")
    text.append(constraints(entity.uniquenessConstraints))
    return Data(text.digest)
  }

  /// The hash of a property, whatever its kind.
  static func property(_ property: PropertyDescription) -> Data {
    Data(digest(of: property, declaredBy: property.entity))
  }

  private static func digest(
    of property: PropertyDescription, declaredBy entity: EntityDescription?
  ) -> [UInt8] {
    switch property {
    case let attribute as AttributeDescription: self.attribute(attribute)
    case let relationship as RelationshipDescription:
      self.relationship(relationship, declaredBy: entity)
    default: common(property)
    }
  }

  /// What all properties have: name, optional and transient as bits of one number, modifier.
  private static func common(_ property: PropertyDescription) -> [UInt8] {
    var text = Text(property.name)
    text.append(
      littleEndian: UInt16((property.isOptional ? 1 : 0) + (property.isTransient ? 2 : 0)))
    text.append(property.versionHashModifier ?? "")
    return text.digest
  }

  /// A derived attribute is its expression's text alone: name and type play no part.
  private static func attribute(_ attribute: AttributeDescription) -> [UInt8] {
    if let derivation = attribute.compiledDerivation { return Text(derivation).digest }
    if attribute.attributeType == .composite { return composite(attribute) }
    var text = Text(common(attribute))
    text.append(littleEndian: Int32(attribute.attributeType.rawValue))
    if attribute.allowsExternalBinaryDataStorage { text.append(1) }
    if attribute.preservesValueInHistoryOnDeletion { text.append(1) }
    return text.digest
  }

  /// A composite attribute is its elements alone: its own name and whether it is optional play no part.
  // Core Data: observed in 58 of 58 entities.
  private static func composite(_ attribute: AttributeDescription) -> [UInt8] {
    var text = Text("")
    for element in attribute.elements.sorted(by: precedes) {
      text.append(contentsOf: digest(of: element, declaredBy: nil))
    }
    return text.digest
  }

  /// A relationship that is its own inverse adds no inverse, as one without.
  private static func relationship(
    _ relationship: RelationshipDescription, declaredBy entity: EntityDescription?
  ) -> [UInt8] {
    var text = Text(common(relationship))
    text.append(relationship.destinationEntityName)
    let isItsOwnInverse =
      relationship.inverseName == relationship.name
      && relationship.destinationEntityName == entity?.name
    text.append(isItsOwnInverse ? "" : relationship.inverseName ?? "")
    text.append(littleEndian: Int32(truncatingIfNeeded: relationship.maxCount))
    text.append(littleEndian: Int32(truncatingIfNeeded: relationship.minCount))
    if relationship.isOrdered { text.append(contentsOf: [1, 0]) }
    return text.digest
  }

  /// Names within a constraint keep their order, the constraints are sorted.
  private static func constraints(_ constraints: [[String]]) -> String {
    constraints.map { $0.joined(separator: ".") }.sorted(by: precedes).joined()
  }

  /// SHA-512 over name and hash of every entity, in Base64.
  package static func digest(of hashes: [String: Data]) -> String {
    let sorted = hashes.sorted { precedes($0.key, $1.key) }
    return Data(SHA2.hash(Data(sorted.flatMap { Data($0.key.utf8) + $0.value }), .bits512))
      .base64EncodedString()
  }

  /// SHA-256 over the hashes alone, in the order of the entities' names, in Base64.
  package static func checksum(of hashes: [String: Data]) -> String {
    let sorted = hashes.sorted { precedes($0.key, $1.key) }
    return Data(SHA2.hash(Data(sorted.flatMap(\.value)))).base64EncodedString()
  }

  private static func isPersistent(_ property: PropertyDescription) -> Bool {
    !property.isTransient && !(property is FetchedPropertyDescription)
  }

  private static func precedes(_ a: PropertyDescription, _ b: PropertyDescription) -> Bool {
    precedes(a.name, b.name)
  }

  /// Order by code point, which the order of UTF-8 bytes is.
  package static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}

/// The bytes that a hash is made of. A hundred versions of a model have tens of thousands of them to make.
private struct Text {
  private var bytes: [UInt8] = []

  init(_ text: String) { append(text) }

  init(_ digest: [UInt8]) { bytes = digest }

  var digest: [UInt8] { SHA2.hash(bytes) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(contentsOf more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  mutating func append(littleEndian value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
