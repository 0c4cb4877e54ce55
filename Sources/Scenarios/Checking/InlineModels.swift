/// The models written in scenarios that were made in this process, by what they say.
///
/// The scenarios of a suite often have the same ones. A model in use can't be changed, so they share it, as they
/// do a model of Xcode's, and with it what is computed once for each: version hashes and archives.
enum InlineModels {
  private static let models = RecentValues<String, ManagedObjectModel>(most: 256)

  /// A model that is told to be wrong wherever it is written, and so isn't kept.
  private struct WrongModel: Error {}

  /// The model of a version, made if there is none yet.
  /// - Parameter make: Returns nil for one that is wrong, which is told for each scenario.
  static func model(
    named name: String, _ entities: [EntityNotation], orMake make: () -> ManagedObjectModel?
  ) -> ManagedObjectModel? {
    // What is wrong with it was told.
    try? models.value(of: content(name, entities)) {
      guard let model = make() else { throw WrongModel() }
      return model
    }
  }

  /// All that a model is made of. Lengths keep neighbours apart.
  private static func content(_ name: String, _ entities: [EntityNotation]) -> String {
    var content = ""
    func add(_ text: String?) {
      content += text.map { "\($0.utf8.count):\($0)" } ?? "-"
    }
    func add(_ lists: [[Located<String>]]) {
      content += "\(lists.count)["
      for list in lists {
        content += "\(list.count)("
        for text in list { add(text.value) }
      }
    }
    add(name)
    for entity in entities {
      content += entity.isAbstract ? "\na" : "\ne"
      add(entity.name.value)
      add(entity.parent?.value)
      add(entity.was?.value)
      add(entity.modifier)
      add(entity.className)
      add(entity.unique)
      add(entity.indexes)
      content += "\(entity.userInfo.count){"
      for (key, value) in entity.userInfo.sorted(by: { $0.key < $1.key }) {
        add(key)
        add(value)
      }
      for property in entity.properties {
        add(property.name.value)
        add(property.text.value)
      }
    }
    return content
  }
}
