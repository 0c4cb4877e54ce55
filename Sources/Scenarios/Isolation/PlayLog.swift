/// What a run is about at the moment, for whoever finds out that its process died: the step, and
/// what the rows of its source store are called.
struct PlayLog: Equatable {
  var step: String
  /// Labels of the seed's objects by `Entity/primary key`, in the store that the step reads.
  var labels: [String: String]

  /// Of a store with more named rows than this nobody wants to read them all at each step.
  private static let mostLabels = 10_000

  private init(step: String, labels: [String: String]) {
    self.step = step
    self.labels = labels
  }

  init(step: String, _ provenance: Provenance) {
    self.step = step
    labels = [:]
    for (origin, keys) in zip(provenance.origins, provenance.current).prefix(Self.mostLabels) {
      for key in keys { labels["\(key.entity)/\(key.primaryKey)"] = origin.label }
    }
  }

  /// Written before each step and seldom read: texts with a NUL after each.
  func write(to file: URL) throws {
    var text = step + "\0"
    for (key, label) in labels { text += "\(key)\0\(label)\0" }
    try Data(text.utf8).write(to: file)
  }

  static func read(_ file: URL) -> PlayLog? {
    // Of half a log the report says half.
    guard let data = ProcessAnswer.note(file) else { return nil }
    let texts = String(decoding: data, as: UTF8.self).split(
      separator: "\0", omittingEmptySubsequences: false
    ).dropLast().map(String.init)
    guard let step = texts.first else { return nil }
    let pairs = stride(from: 1, to: texts.count - 1, by: 2).map { (texts[$0], texts[$0 + 1]) }
    return PlayLog(step: step, labels: Dictionary(firstOf: pairs))
  }
}
