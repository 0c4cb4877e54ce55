/// Finds the order of a model's versions by what tells it.
struct VersionSorter {
  typealias Claim = VersionOrder.Claim

  private let models: [ManagedObjectModel]
  private let names: [String]
  private let parsed: [VersionName]
  private var graph: ClaimGraph
  private var contradictions: [VersionOrder.Contradiction] = []
  /// Versions between which mapping files lead both ways.
  private var bothWays: [(source: Int, destination: Int, VersionOrder.Contradiction)] = []

  /// - Parameters:
  ///   - models: The versions, in numeric order of names.
  ///   - steps: What mapping files lead from and to, with the files' names.
  ///   - given: Names in the order that a person gave; the others find their places.
  static func order(
    of models: [ManagedObjectModel], modelName: String, current: String?,
    steps: [(source: String, destination: String, file: String)] = [], given: [String] = []
  ) -> (models: [ManagedObjectModel], order: VersionOrder) {
    var sorter = VersionSorter(models)
    sorter.take(given: given)
    sorter.take(steps: steps)
    sorter.takeNumbers()
    sorter.take(modelName: modelName, current: current)
    sorter.take(current: current)
    sorter.takeRenamings()
    return sorter.sorted()
  }

  private init(_ models: [ManagedObjectModel]) {
    self.models = models
    names = models.map { $0.name ?? "" }
    parsed = names.map { VersionName($0) }
    graph = ClaimGraph(count: models.count)
  }

  // MARK: Evidence

  private mutating func note(_ earlier: Int, later: Int, evidence: VersionOrder.Evidence) {
    if earlier == later { return }
    guard let path = graph.path(from: later, to: earlier) else {
      return graph.add(earlier, later: later, evidence: evidence)
    }
    let others = path.map { claim($0.earlier, later: $0.later, evidence: $0.evidence) }
    // A person's word ends the discussion.
    if others.contains(where: { $0.evidence == .given }) { return }
    contradictions.append(
      VersionOrder.Contradiction(
        claim: claim(earlier, later: later, evidence: evidence), others: others))
  }

  private func claim(_ earlier: Int, later: Int, evidence: VersionOrder.Evidence) -> Claim {
    Claim(earlier: names[earlier], later: names[later], evidence: evidence)
  }

  private mutating func take(given: [String]) {
    let places = given.compactMap(names.firstIndex)
    for (earlier, later) in zip(places, places.dropFirst()) {
      note(earlier, later: later, evidence: .given)
    }
  }

  /// Files that lead both ways, as of an app that goes back, too, say nothing: a contradiction where nothing else does.
  private mutating func take(steps: [(source: String, destination: String, file: String)]) {
    let placed = steps.compactMap { step -> (source: Int, destination: Int, file: String)? in
      guard let source = names.firstIndex(of: step.source),
        let destination = names.firstIndex(of: step.destination), source != destination
      else { return nil }
      return (source, destination, step.file)
    }
    for (index, step) in placed.enumerated() {
      let opposite = placed.firstIndex {
        $0.source == step.destination && $0.destination == step.source
      }
      guard let opposite else {
        note(step.source, later: step.destination, evidence: .mapping(step.file))
        continue
      }
      if opposite < index { continue }
      let contradiction = VersionOrder.Contradiction(
        claim: claim(step.source, later: step.destination, evidence: .mapping(step.file)),
        others: [
          claim(step.destination, later: step.source, evidence: .mapping(placed[opposite].file))
        ])
      bothWays.append((step.source, step.destination, contradiction))
    }
  }

  private mutating func takeNumbers() {
    for earlier in names.indices {
      for later in names.indices
      where parsed[earlier].precedes(parsed[later], among: parsed) == true {
        note(earlier, later: later, evidence: .numbers)
      }
    }
  }

  /// The current version may bear the model's name, too, where the old ones were put aside.
  private mutating func take(modelName: String, current: String?) {
    let first = names.firstIndex { $0.caseInsensitiveCompare(modelName) == .orderedSame }
    guard let first, names[first] != current else { return }
    let isNumberedLater = names.indices.contains {
      parsed[$0].precedes(parsed[first], among: parsed) == true
    }
    if isNumberedLater { return }
    for other in names.indices { note(first, later: other, evidence: .modelName) }
  }

  /// Versions that numbers or mapping files put behind the current one aren't released yet.
  private mutating func take(current: String?) {
    guard let current = names.firstIndex(where: { $0 == current }) else { return }
    for other in names.indices where !graph.isBefore(current, other) {
      note(other, later: current, evidence: .current)
    }
  }

  /// Before a version that renamed something there was one that had it by the old name.
  ///
  /// Inference takes renaming identifiers from either side, and some set them in the older version. So
  /// they tell only what nothing else does, and nothing where they point both ways.
  private mutating func takeRenamings() {
    let elements = models.mapOnAllCores { NamedElements($0) }
    var claims: [[Int]: String] = [:]
    // A version has most renamings from the one before it.
    var known: [NamedElements.Renaming: [Int]] = [:]
    for later in names.indices {
      for renaming in elements[later].renamings {
        let withOldName =
          known[renaming] ?? names.indices.filter { elements[$0].has(renaming) }
        known[renaming] = withOldName
        let holders = withOldName.filter { $0 != later }
        if holders.contains(where: { graph.isBefore($0, later) }) { continue }
        for holder in holders where !graph.isBefore(later, holder) {
          claims[[holder, later]] = claims[[holder, later]] ?? renaming.text
        }
      }
    }
    for (pair, text) in claims.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
    where claims[pair.reversed()] == nil {
      note(pair[0], later: pair[1], evidence: .renaming(text))
    }
  }

  // MARK: The order

  private mutating func sorted() -> (models: [ManagedObjectModel], order: VersionOrder) {
    contradictions += bothWays.filter { source, destination, _ in
      !graph.isBefore(source, destination) && !graph.isBefore(destination, source)
    }.map(\.2)
    var places: [Int] = []
    var unknown: [[String]] = []
    var distances = VersionDistances(models)
    let segments = graph.segments()
    for (index, segment) in segments.enumerated() {
      let next = segments.dropFirst(index + 1).first.flatMap { $0.count == 1 ? $0[0] : nil }
      let (order, doubtful) = LeastDifference(
        segment, after: places.last, before: next, in: graph, &distances
      ).result
      places += order
      if !doubtful.isEmpty { unknown.append(doubtful.sorted().map { names[$0] }) }
    }
    let doubtful = Set(unknown.flatMap { $0 })
    let evidence = zip(places, places.dropFirst()).map { pair -> VersionOrder.Evidence? in
      if let evidence = graph.evidence(pair.0, pair.1) { return evidence }
      return doubtful.contains(names[pair.0]) && doubtful.contains(names[pair.1])
        ? nil : .difference
    }
    return (
      places.map { models[$0] },
      VersionOrder(
        places.map { names[$0] }, evidence: evidence, contradictions: contradictions,
        unknown: unknown)
    )
  }
}

/// What claims say of versions, by their places in a list.
struct ClaimGraph {
  struct Edge {
    let earlier: Int
    let later: Int
    let evidence: VersionOrder.Evidence
  }
  private var edges: [[Edge]]
  /// Whether one is before another, by however many claims.
  private var before: [[Bool]]

  init(count: Int) {
    edges = Array(repeating: [], count: count)
    before = Array(repeating: Array(repeating: false, count: count), count: count)
  }

  func isBefore(_ earlier: Int, _ later: Int) -> Bool { before[earlier][later] }

  func evidence(_ earlier: Int, _ later: Int) -> VersionOrder.Evidence? {
    edges[earlier].first { $0.later == later }?.evidence
  }

  /// - Precondition: The later one isn't before the earlier one.
  mutating func add(_ earlier: Int, later: Int, evidence: VersionOrder.Evidence) {
    if self.evidence(earlier, later) == nil {
      edges[earlier].append(Edge(earlier: earlier, later: later, evidence: evidence))
    }
    if before[earlier][later] { return }
    let ahead = before.indices.filter { $0 == earlier || before[$0][earlier] }
    let behind = before.indices.filter { $0 == later || before[later][$0] }
    for a in ahead { for b in behind { before[a][b] = true } }
  }

  /// The fewest claims that put one before another; nil where none do.
  func path(from start: Int, to end: Int) -> [Edge]? {
    guard before[start][end] else { return nil }
    var ways: [Int: Edge] = [:]
    var queue = [start]
    while let next = queue.first {
      queue.removeFirst()
      if next == end { break }
      for edge in edges[next] where edge.later != start && ways[edge.later] == nil {
        ways[edge.later] = edge
        queue.append(edge.later)
      }
    }
    var path: [Edge] = []
    var place = end
    while place != start, let edge = ways[place] {
      path.insert(edge, at: 0)
      place = edge.earlier
    }
    return path
  }

  /// The versions in groups that follow each other; only within a group something is open.
  func segments() -> [[Int]] {
    // Whoever is before more comes earlier; a total order follows.
    let ranked = before.indices.map { place in
      (place, rank: before.indices.count { before[$0][place] })
    }.sorted { ($0.rank, $0.0) < ($1.rank, $1.0) }.map(\.0)
    var segments: [[Int]] = []
    var open: [Int] = []
    for (index, place) in ranked.enumerated() {
      open.append(place)
      let rest = ranked[(index + 1)...]
      if open.allSatisfy({ a in rest.allSatisfy { before[a][$0] } }) {
        segments.append(open)
        open = []
      }
    }
    return segments
  }
}
