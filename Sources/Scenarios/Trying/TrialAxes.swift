/// What is varied in the trials of a condition: values of attributes, and what relationships lead to.
struct TrialAxes {
  private enum Axis {
    case value(path: String, count: Int)
    case links(path: String, [MadeUpLinks])

    var count: Int {
      switch self {
      case .value(_, let count): count
      case .links(_, let choices): choices.count
      }
    }
  }
  private let first: Trial
  private let axes: [Axis]

  /// - Parameters:
  ///   - values: Those of the attributes that are varied, by path.
  ///   - links: The relationships for which objects are made up, by path.
  ///   - counts: As many objects are made up, too.
  ///   - replacesLinks: Whether made-up objects take the place of real ones.
  ///   - isLinked: Whether a relationship must lead somewhere.
  init(
    of values: [String: [Value]], links: [TriedPaths.Link], counts: Set<Int>,
    replacesLinks: Bool = false, isLinked: (String) -> Bool = { _ in false }
  ) {
    first = Trial(values: values, replacesLinks: replacesLinks)
    let most = values.values.map(\.count).max() ?? 1
    let several: [MadeUpLinks] =
      Set(counts.flatMap { [$0, $0 + 1] } + [1]).sorted().map { .alike($0) } + [.each(most)]
      + (1..<max(most, 2)).map { .pair($0) }
    axes =
      links.map { link in
        let some = link.relationship.isToMany ? several : [.alike(1)]
        return .links(path: link.path, isLinked(link.path) ? some : [.alike(0)] + some)
      } + values.sorted { $0.key < $1.key }.map { .value(path: $0.key, count: $0.value.count) }
  }

  /// The number of trials; nil where it is too large for any use.
  private var count: Int? {
    axes.reduce(1) { count, axis in
      count.flatMap { count in
        let (product, isTooLarge) = count.multipliedReportingOverflow(by: axis.count)
        return isTooLarge ? nil : product
      }
    }
  }

  private func trial(choosing choose: (Int) -> Int) -> Trial {
    var trial = first
    for axis in axes {
      let choice = choose(axis.count)
      switch axis {
      case .value(let path, _): trial.chosen[path] = choice
      case .links(let path, let choices): trial.links[path] = choices[choice]
      }
    }
    return trial
  }

  /// Makes trials until one is as it is wanted.
  /// - Parameters:
  ///   - limit: So many are made; of more, so many by chance, if any.
  ///   - takesSample: Whether those by chance are of use.
  /// - Returns: Nil where there are too many.
  func first(
    ofAtMost limit: Int, takesSample: Bool, where isWanted: (Trial) throws -> Bool
  ) rethrows -> Bool? {
    if let count, count <= limit {
      for index in 0..<count {
        var rest = index
        let trial = trial { size in
          defer { rest /= size }
          return rest % size
        }
        if try isWanted(trial) { return true }
      }
      return false
    }
    guard takesSample else { return nil }
    var chance = Chance(state: 0)
    for _ in 0..<limit {
      if try isWanted(trial { chance.index(below: $0) }) { return true }
    }
    return false
  }
}
