/// An index over one or several properties of an entity.
public struct FetchIndexDescription: Hashable, Sendable {
  /// How an index orders what it holds. Raw values are Core Data's own.
  public enum Collation: UInt, Sendable, Hashable, CaseIterable {
    case binary = 0
    /// By place in a space of several dimensions, for numbers.
    case rTree = 1
  }

  /// What an index is over: a property, or what an expression gives.
  public struct Element: Hashable, Sendable {
    /// Empty for an element over an expression.
    public var propertyName: String
    public var isAscending: Bool
    /// The expression's text, such as `lowercase:(title)`; nil for an element over a property.
    public var expressionFormat: String?
    /// The type of the expression's values.
    public var expressionType = AttributeType.undefined
    public var collation = Collation.binary

    public init(propertyName: String, isAscending: Bool = true) {
      self.propertyName = propertyName
      self.isAscending = isAscending
    }

    /// An element over what an expression gives.
    public init(
      expressionFormat: String, type: AttributeType = .undefined, isAscending: Bool = true
    ) {
      self.init(propertyName: "", isAscending: isAscending)
      self.expressionFormat = expressionFormat
      expressionType = type
    }
  }
  public var name: String
  public var elements: [Element]
  /// Which objects are in the index; nil for all.
  public var partialPredicateFormat: String?

  public init(name: String, elements: [Element], partialPredicateFormat: String? = nil) {
    self.name = name
    self.elements = elements
    self.partialPredicateFormat = partialPredicateFormat
  }
}

extension FetchIndexDescription {
  /// Whether it is kept as an R-tree.
  package var isRTree: Bool { elements.contains { $0.collation == .rTree } }

  /// The index in a line.
  package var summary: String {
    let predicate = partialPredicateFormat.map { " where \($0)" } ?? ""
    return "\(name)(\(elements.map(\.summary).joined(separator: ", ")))\(predicate)"
  }
}

extension FetchIndexDescription.Element {
  private static func word(_ collation: FetchIndexDescription.Collation) -> String {
    collation == .rTree ? " R-tree" : ""
  }

  fileprivate var summary: String {
    (expressionFormat ?? propertyName) + (isAscending ? "" : " descending") + Self.word(collation)
  }
}
