// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Runs `body`. Objects are freed at once here, so there is no pool to drain.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
  try body()
}

/// The name of a method, as `#selector` gives it.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral {
  public var name: String
  public init(_ name: String) { self.name = name }
  public init(stringLiteral name: String) { self.name = name }
}

public func NSStringFromSelector(_ selector: Selector) -> String { selector.name }

extension SortDescriptor {
  public convenience init(key: String?, ascending: Bool, selector: Selector?) {
    self.init(key: key, ascending: ascending, selectorName: selector?.name)
  }
}
