/// Where an entity's attributes have their values, by their names: what is asked with every value that a policy reads
/// or sets. Immutable, and an object: so nothing in it is counted a reference of.
final class AttributePlaces: Sendable {
  typealias Place = (slot: Int, type: AttributeType)

  private let names: ContiguousArray<String>
  private let places: ContiguousArray<Place>
  /// Of entities with more attributes than can be compared one by one as fast as a name is hashed.
  private let indexes: [String: Int]

  private static let mostCompared = 16

  init(_ attributes: [AttributeDescription]) {
    names = ContiguousArray(attributes.map(\.name))
    places = ContiguousArray(attributes.map { ($0.slot, $0.attributeType) })
    let isLong = names.count > Self.mostCompared
    indexes =
      isLong ? Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) }) : [:]
  }

  subscript(name: String) -> Place? {
    if names.count > Self.mostCompared { return indexes[name].map { places[$0] } }
    for index in names.indices where names[index] == name { return places[index] }
    return nil
  }
}
