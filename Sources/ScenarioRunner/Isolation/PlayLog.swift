/// What a run is about at the moment, for whoever finds out that its process died: the step, and
/// what the rows of its source store are called.
struct PlayLog: Codable, Equatable {
  var step: String
  /// Labels of the seed's objects by `Entity/primary key`, in the store that the step reads.
  var labels: [String: String]

  /// Of a store with more named rows than this nobody wants to read them all at each step.
  private static let mostLabels = 10_000

  init(step: String, _ provenance: Provenance) {
    self.step = step
    labels = [:]
    for (origin, keys) in zip(provenance.origins, provenance.current).prefix(Self.mostLabels) {
      for key in keys { labels["\(key.entity)/\(key.primaryKey)"] = origin.label }
    }
  }

  func write(to file: URL) throws {
    try PropertyListEncoder().encode(self).write(to: file, options: .atomic)
  }

  static func read(_ file: URL) -> PlayLog? {
    // Without it the report on a process that died says less.
    guard let data = try? Data(contentsOf: file) else { return nil }
    return try? PropertyListDecoder().decode(PlayLog.self, from: data)
  }
}
