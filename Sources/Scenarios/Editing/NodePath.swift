/// The way from a file's root to one of its values.
struct NodePath: Hashable {
  enum Step: Hashable {
    case key(String)
    case item(Int)
  }
  var steps: [Step] = []

  func appending(_ step: Step) -> NodePath { NodePath(steps: steps + [step]) }
}

/// A value in a file, with what surrounds it.
struct FoundNode {
  let path: NodePath
  /// The document that it stands in; counts from 0.
  var document = 0
  let node: SourceNode
  let key: SourcePlace?
  /// The values around it, the root first.
  let ancestors: [SourceNode]
}

extension SourceNode {
  /// The values that a repair may mean: just one, unless aliases make one place appear twice.
  func values(for target: Repair.Target) -> [FoundNode] {
    switch target {
    case .value(let line, let column):
      allValues.filter { $0.node.place.line == line && $0.node.place.column == column }
    case .key(let line, let column): keyed(line, column)
    case .list(let line, let column):
      allValues.filter { found in
        found.node.list?.contains { $0.place.line == line && $0.place.column == column } ?? false
      }
    case .sibling(let name, let line, let column):
      keyed(line, column).compactMap { found in
        guard let map = found.ancestors.last?.map,
          let entry = map.first(where: { $0.key.value == name })
        else { return nil }
        let path = NodePath(steps: found.path.steps.dropLast() + [.key(name)])
        return FoundNode(
          path: path, node: entry.value, key: entry.key.place, ancestors: found.ancestors)
      }
    }
  }

  private func keyed(_ line: Int, _ column: Int) -> [FoundNode] {
    allValues.filter { found in
      guard let key = found.key, key.line == line else { return false }
      return (key.column..<key.column + key.length).contains(column)
    }
  }

  /// Every value in the tree.
  private var allValues: [FoundNode] {
    var all: [FoundNode] = []
    collect(NodePath(), key: nil, ancestors: [], into: &all)
    return all
  }

  private func collect(
    _ path: NodePath, key: SourcePlace?, ancestors: [SourceNode], into all: inout [FoundNode]
  ) {
    all.append(FoundNode(path: path, node: self, key: key, ancestors: ancestors))
    for (index, item) in (list ?? []).enumerated() {
      item.collect(
        path.appending(.item(index)), key: nil, ancestors: ancestors + [self], into: &all)
    }
    for entry in map ?? [] {
      entry.value.collect(
        path.appending(.key(entry.key.value)), key: entry.key.place, ancestors: ancestors + [self],
        into: &all)
    }
  }

  /// The tree with another value at a path.
  func replacing(_ path: ArraySlice<NodePath.Step>, with new: SourceNode) -> SourceNode {
    guard let step = path.first else { return new }
    let rest = path.dropFirst()
    switch (step, content) {
    case (.item(let index), .list(var items)) where items.indices.contains(index):
      items[index] = items[index].replacing(rest, with: new)
      return SourceNode(content: .list(items), place: place)
    case (.key(let key), .map(let entries)):
      let changed = entries.map { entry in
        entry.key.value == key
          ? Entry(key: entry.key, value: entry.value.replacing(rest, with: new)) : entry
      }
      return SourceNode(content: .map(changed), place: place)
    default: return self
    }
  }

  /// Whether a file with this would say the same, wherever it stands and however it is written.
  func says(theSameAs other: SourceNode) -> Bool {
    if isNull || other.isNull { return isNull && other.isNull }
    switch (content, other.content) {
    case (.scalar(let a, _), .scalar(let b, _)): return a == b
    case (.list(let a), .list(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { $0.says(theSameAs: $1) }
    case (.map(let a), .map(let b)):
      return a.count == b.count
        && zip(a, b).allSatisfy {
          $0.key.value == $1.key.value && $0.value.says(theSameAs: $1.value)
        }
    default: return false
    }
  }
}
