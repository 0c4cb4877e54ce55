/// Where an entity's attributes have their values, by their names: what is asked with every value that a policy reads
/// or sets.
struct AttributePlaces {
  typealias Place = (slot: Int, type: AttributeType)

  private var names: ContiguousArray<String> = []
  private var places: ContiguousArray<Place> = []
  /// Of entities with more attributes than can be compared one by one as fast as a name is hashed.
  private var indexes: [String: Int] = [:]

  private static let mostCompared = 16

  init() {}

  init(_ attributes: [AttributeDescription]) {
    names = ContiguousArray(attributes.map(\.name))
    places = ContiguousArray(attributes.map { ($0.slot, $0.attributeType) })
    guard names.count > Self.mostCompared else { return }
    indexes = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
  }

  subscript(name: String) -> Place? {
    if names.count > Self.mostCompared { return indexes[name].map { places[$0] } }
    for index in names.indices where names[index] == name { return places[index] }
    return nil
  }
}
