/// Initializers that give an instance of whichever predicate class the text describes.
///
/// An initializer of a class can't do that; one in a protocol extension can.
public protocol PredicateFormatting {}

extension PredicateFormatting where Self: Predicate {
  /// The predicate that `format` describes, with `arguments` in place of `%@`, `%K`, `%d` and the
  /// other specifiers, left to right.
  ///
  /// Raises an exception for a format that can't be parsed, as Core Data does, and gives
  /// FALSEPREDICATE. Use ``Predicate/parse(_:arguments:)`` to catch the error.
  public init(format: String, _ arguments: Any?...) {
    self.init(format: format, argumentArray: arguments)
  }

  /// The predicate that `format` describes; see ``init(format:_:)``.
  public init(format: String, argumentArray arguments: [Any?]?) {
    do {
      self = Self.instance(of: try Predicate.parse(format, arguments: arguments ?? []))
    } catch {
      ExceptionTrap.raise(error)
      self = Self.instance(of: Predicate(value: false))
    }
  }

  /// A condition in code; can't be printed as a format, archived, or translated for a store.
  public init(block: @escaping @Sendable (Any?, [String: Any]?) -> Bool) {
    self = Self.instance(of: BlockPredicate(block))
  }

  /// A predicate as the class that the initializer was called on. A format says itself which class
  /// its predicate has, so that one of an app's own subclasses can't have it.
  private static func instance(of predicate: Predicate) -> Self {
    if Self.self == Predicate.self { return unsafeDowncast(predicate, to: Self.self) }
    if let predicate = predicate as? Self { return predicate }
    fatalError(
      "NSPredicate(format:) gives an instance of \(type(of: predicate)), which can't become an "
        + "instance of \(Self.self).")
  }
}

extension Predicate {
  /// The predicate that `format` describes.
  ///
  /// - Parameter arguments: What specifiers (`%@ %K %d …`) stand for, left to right. More
  ///   arguments than specifiers are ignored.
  /// - Throws: ``PredicateFormatError`` with the column of the first mistake.
  public static func parse(_ format: String, arguments: [Any?] = []) throws -> Predicate {
    if let predicate = KnownFormats.shared.predicate(of: format, arguments: arguments) {
      return predicate
    }
    var parser = try FormatParser(format, arguments: arguments)
    return try parser.wholePredicate()
  }
}

extension Expression {
  /// The expression that `format` describes; raises an exception, and gives nil as a constant,
  /// when it can't be parsed.
  public convenience init(format: String, _ arguments: Any?...) {
    self.init(format: format, argumentArray: arguments)
  }

  /// The expression that `format` describes; see ``init(format:_:)``.
  public convenience init(format: String, argumentArray arguments: [Any?]) {
    do {
      self.init(try Expression.parse(format, arguments: arguments).node)
    } catch {
      ExceptionTrap.raise(error)
      self.init(.constant(.null))
    }
  }

  /// The expression that `format` describes.
  /// - Throws: ``PredicateFormatError`` with the column of the first mistake.
  public static func parse(_ format: String, arguments: [Any?] = []) throws -> Expression {
    var parser = try FormatParser(format, arguments: arguments)
    return try parser.wholeExpression()
  }
}
