/// Makes sure that collections in an archive end: none contains itself, is nested absurdly deep, or
/// comes to an absurd number of values by repeating its parts.
///
/// Works through a list of its own instead of calling itself, so that no archive can exhaust the
/// stack.
struct NestingCheck {
  let entries: [KeyedArchive.Entry]
  let deepest: Int
  let largest: Int
  /// Whether objects count, too. They end a nesting for who reads their fields on demand; not for
  /// Foundation, which decodes all that an object leads to.
  var followsObjects = false

  private enum State {
    case unknown
    case onPath
    case done(depth: Int, size: Int)
  }

  func run() throws {
    var states = [State](repeating: .unknown, count: entries.count)
    for start in entries.indices {
      var path = [start]
      while let current = path.last {
        guard case .unknown = states[current] else {
          if case .onPath = states[current] { states[current] = try summary(of: current, states) }
          path.removeLast()
          continue
        }
        states[current] = .onPath
        path += try unfinishedMembers(of: current, states)
      }
    }
  }

  private func unfinishedMembers(of index: Int, _ states: [State]) throws -> [Int] {
    try members(of: index).filter {
      switch states[$0] {
      case .unknown: true
      case .onPath: throw KeyedArchiveError(.endlessNesting(index))
      case .done: false
      }
    }
  }

  private func summary(of index: Int, _ states: [State]) throws -> State {
    var (depth, size) = (0, 1)
    for member in members(of: index) {
      guard case .done(let memberDepth, let memberSize) = states[member] else {
        throw KeyedArchiveError(.endlessNesting(index))
      }
      depth = max(depth, memberDepth + 1)
      size += memberSize
      if depth > deepest || size > largest { throw KeyedArchiveError(.endlessNesting(index)) }
    }
    return .done(depth: depth, size: size)
  }

  /// The entries that a collection holds, and those that an object leads to where they count.
  private func members(of index: Int) -> [Int] {
    switch entries[index] {
    case .value: []
    case .object(let content):
      followsObjects ? Self.references(in: Array(content.fields.values)) : []
    case .array(let fields): Self.references(in: fields)
    case .dictionary(let keys, let values):
      Self.references(in: keys) + Self.references(in: values)
    }
  }

  private static func references(in fields: [KeyedArchive.Field]) -> [Int] {
    fields.flatMap { field -> [Int] in
      switch field {
      case .value: []
      case .reference(let index): [index]
      case .list(let fields): references(in: fields)
      }
    }
  }
}
