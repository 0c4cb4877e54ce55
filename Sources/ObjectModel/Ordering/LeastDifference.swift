/// The order of a few versions in which neighbours differ least, where claims leave several.
struct LeastDifference {
  /// The order, and the versions of which another would do as well.
  private(set) var result: (order: [Int], doubtful: Set<Int>)

  /// Where claims leave more than that, it takes too long to try.
  private static let (mostStates, mostOrders) = (20_000, 1_000)

  /// - Parameters:
  ///   - segment: The versions, in an order that the claims allow.
  ///   - last: The version before them.
  ///   - next: The version after them, if it is known.
  init(
    _ segment: [Int], after last: Int?, before next: Int?, in graph: ClaimGraph,
    _ distances: inout VersionDistances
  ) {
    result = (segment, [])
    if segment.count == 1 { return }
    var search = Search(segment, after: last, before: next, in: graph, distances)
    let best = search.best(of: Self.mostOrders, within: Self.mostStates)
    distances = search.distances
    guard let best, let first = best.first else {
      result.doubtful = Set(segment)
      return
    }
    result.order = first
    for other in best.dropFirst() {
      for (a, b) in Self.swapped(first, other) where distances.distance(a, b) > 0 {
        result.doubtful.formUnion([a, b])
      }
    }
  }

  /// The pairs that two orders have the other way round.
  private static func swapped(_ a: [Int], _ b: [Int]) -> [(Int, Int)] {
    a.indices.flatMap { i in
      a[(i + 1)...].compactMap { later in
        let (x, y) = (b.firstIndex(of: a[i]) ?? 0, b.firstIndex(of: later) ?? 0)
        return x > y ? (a[i], later) : nil
      }
    }
  }

  /// Finds the best of all orders that claims allow. What the rest costs depends on which versions are placed, and
  /// on the last of them: of two series by numbers that is far less than all orders.
  private struct Search {
    private struct State: Hashable {
      /// The versions that are placed, a bit each.
      var placed: UInt64 = 0
      var last: Int?
    }

    private let segment: [Int]
    private let next: Int?
    private let start: State
    /// For each version those that must come before it.
    private let earlier: [UInt64]
    private(set) var distances: VersionDistances
    private var costs: [State: Int] = [:]

    init(
      _ segment: [Int], after last: Int?, before next: Int?, in graph: ClaimGraph,
      _ distances: VersionDistances
    ) {
      (self.segment, self.next, self.distances) = (segment, next, distances)
      start = State(last: last)
      earlier = segment.map { later in
        segment.indices.reduce(0) {
          graph.isBefore(segment[$1], later) ? $0 | 1 << UInt64($1) : $0
        }
      }
    }

    /// - Returns: The orders that cost least; nil where there are too many of them, or of states.
    mutating func best(of mostOrders: Int, within mostStates: Int) -> [[Int]]? {
      guard segment.count <= UInt64.bitWidth, cost(after: start, within: mostStates) != nil
      else { return nil }
      var open: [(order: [Int], state: State)] = [([], start)]
      for _ in segment {
        open = open.flatMap { order, state in
          steps(from: state).filter { $0.cost + costs[$0.state, default: 0] == costs[state] }
            .map { (order + [segment[$0.index]], $0.state) }
        }
        if open.count > mostOrders { return nil }
      }
      return open.map(\.order)
    }

    private mutating func steps(from state: State) -> [(index: Int, state: State, cost: Int)] {
      segment.indices.compactMap { index in
        let bit = UInt64(1) << UInt64(index)
        guard state.placed & bit == 0, earlier[index] & ~state.placed == 0 else { return nil }
        let cost = state.last.map { distances.distance($0, segment[index]) } ?? 0
        return (index, State(placed: state.placed | bit, last: segment[index]), cost)
      }
    }

    /// The least that all versions cost that aren't placed yet.
    private mutating func cost(after state: State, within most: Int) -> Int? {
      if let known = costs[state] { return known }
      if costs.count >= most { return nil }
      let steps = steps(from: state)
      var least = steps.isEmpty ? end(after: state) : Int.max
      for step in steps {
        guard let rest = cost(after: step.state, within: most) else { return nil }
        least = min(least, step.cost + rest)
      }
      costs[state] = least
      return least
    }

    private mutating func end(after state: State) -> Int {
      guard let next, let last = state.last else { return 0 }
      return distances.distance(last, next)
    }
  }
}

/// How much versions differ: in how many features of entities and properties.
struct VersionDistances {
  private let models: [ManagedObjectModel]
  private var features: [Int: Set<String>] = [:]
  private var known: [[Int]: Int] = [:]

  init(_ models: [ManagedObjectModel]) { self.models = models }

  mutating func distance(_ a: Int, _ b: Int) -> Int {
    let key = [min(a, b), max(a, b)]
    if let distance = known[key] { return distance }
    let distance = features(of: a).symmetricDifference(features(of: b)).count
    known[key] = distance
    return distance
  }

  /// What is renamed stays what it was, and gets another name.
  private mutating func features(of place: Int) -> Set<String> {
    if let features = features[place] { return features }
    var features: Set<String> = []
    for entity in models[place].entities {
      let identity = entity.renamingIdentifier
      let versioned = VersionFeatures(of: entity)
      features.formUnion(["\(identity)", "\(identity) is \(entity.name)"])
      for (feature, value) in versioned.entity {
        features.insert("\(identity) \(feature) \(value)")
      }
      for (name, values) in versioned.properties {
        let property = entity.property(named: name)?.renamingIdentifier ?? name
        features.formUnion(["\(identity).\(property)", "\(identity).\(property) is \(name)"])
        for (feature, value) in values {
          features.insert("\(identity).\(property) \(feature) \(value)")
        }
      }
    }
    self.features[place] = features
    return features
  }
}
