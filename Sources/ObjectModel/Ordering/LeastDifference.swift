/// The order of a few versions in which neighbours differ least, where claims leave several.
struct LeastDifference {
  /// The order, and the versions of which another would do as well.
  private(set) var result: (order: [Int], doubtful: Set<Int>)

  /// More than that many orders take too long to try.
  private static let mostVersions = 8

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
    guard segment.count <= Self.mostVersions else {
      result.doubtful = Set(segment)
      return
    }
    var search = Search(segment, after: last, before: next, in: graph, distances)
    search.go()
    distances = search.distances
    guard let first = search.best.first else { return }
    result.order = first
    for other in search.best.dropFirst() {
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

  /// Tries all orders that claims allow.
  private struct Search {
    let segment: [Int]
    let last: Int?
    let next: Int?
    let graph: ClaimGraph
    var distances: VersionDistances
    var best: [[Int]] = []
    private var least = Int.max
    private var order: [Int] = []

    init(
      _ segment: [Int], after last: Int?, before next: Int?, in graph: ClaimGraph,
      _ distances: VersionDistances
    ) {
      (self.segment, self.last, self.next, self.graph, self.distances) =
        (segment, last, next, graph, distances)
    }

    mutating func go(cost: Int = 0) {
      if cost > least { return }
      guard order.count < segment.count else { return finish(cost) }
      for place in segment where !order.contains(place) && isReady(place) {
        let step = (order.last ?? last).map { distances.distance($0, place) } ?? 0
        order.append(place)
        go(cost: cost + step)
        order.removeLast()
      }
    }

    private func isReady(_ place: Int) -> Bool {
      segment.allSatisfy { !graph.isBefore($0, place) || order.contains($0) }
    }

    private mutating func finish(_ cost: Int) {
      let step = next.flatMap { next in order.last.map { distances.distance($0, next) } } ?? 0
      let total = cost + step
      if total < least { (least, best) = (total, []) }
      if total == least { best.append(order) }
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
