/// A piece of SQL and the values for its `?` parameters, in order.
///
/// Made by interpolation, which keeps both in step: an interpolated fragment brings its bindings,
/// an interpolated value becomes a parameter, and text is written as `raw`.
public struct SQLFragment: Hashable, Sendable {
  public private(set) var sql: String
  public private(set) var bindings: [Value]

  public init(sql: String, bindings: [Value] = []) {
    self.sql = sql
    self.bindings = bindings
  }

  mutating func append(_ other: SQLFragment) {
    sql += other.sql
    bindings += other.bindings
  }
}

extension SQLFragment: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(sql: text) }

  public init(stringInterpolation: Interpolation) { self = stringInterpolation.fragment }

  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var fragment = SQLFragment(sql: "")

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ text: String) {
      fragment.append(SQLFragment(sql: text))
    }

    public mutating func appendInterpolation(_ other: SQLFragment) { fragment.append(other) }

    public mutating func appendInterpolation(_ value: Value) {
      fragment.append(SQLFragment(sql: "?", bindings: [value]))
    }

    public mutating func appendInterpolation(raw text: String) { appendLiteral(text) }

    public mutating func appendInterpolation(_ number: Int) { appendLiteral(String(number)) }
  }
}

extension [SQLFragment] {
  package func joined(by separator: String) -> SQLFragment {
    var result = SQLFragment(sql: "")
    for (index, fragment) in enumerated() {
      if index > 0 { result.append(SQLFragment(sql: separator)) }
      result.append(fragment)
    }
    return result
  }

  /// Most conditions joined without further parentheses.
  private static var longestChain: Int { 100 }

  /// Conditions joined by AND or OR, many of them in groups of groups: SQLite makes a tree of a chain that is
  /// as deep as it is long, and takes no more than 1,000 levels (`SQLITE_MAX_EXPR_DEPTH`).
  func joinedInGroups(by separator: String) -> SQLFragment {
    var parts = self
    while parts.count > Self.longestChain {
      parts = stride(from: 0, to: parts.count, by: Self.longestChain).map { start in
        let group = Array(parts[start..<Swift.min(start + Self.longestChain, parts.count)])
        return group.count == 1 ? group[0] : "(\(group.joined(by: separator)))"
      }
    }
    return parts.joined(by: separator)
  }
}
