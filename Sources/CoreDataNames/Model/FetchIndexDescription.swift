/// An index over properties of an entity, as Apple's header has it.
open class NSFetchIndexDescription: NSObject, NSCopying {
  open var name: String
  open var elements: [NSFetchIndexElementDescription]
  /// Which objects are in the index; nil for all.
  open var partialIndexPredicate: Predicate?

  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchIndexDescription(
      name: name, elements: elements.map { $0.copy() as! NSFetchIndexElementDescription })
    copy.partialIndexPredicate = partialIndexPredicate
    return copy
  }
}

/// What an index is over, a property or an `NSExpressionDescription`, and the direction.
open class NSFetchIndexElementDescription: NSObject, NSCopying {
  public let property: PropertyDescription?
  public let propertyName: String?
  open var collationType: NSFetchIndexElementType
  open var isAscending = true

  public init(property: PropertyDescription, collationType: NSFetchIndexElementType) {
    self.property = property
    propertyName = property.name
    self.collationType = collationType
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    NSFetchIndexElementDescription(copying: self)
  }

  private init(copying other: NSFetchIndexElementDescription) {
    (property, propertyName) = (other.property, other.propertyName)
    (collationType, isAscending) = (other.collationType, other.isAscending)
  }

  fileprivate init(_ element: FetchIndexDescription.Element, of entity: EntityDescription) {
    if let format = element.expressionFormat {
      let description = ExpressionDescription()
      // A text that is no expression is refused where the model is used.
      description.expression = try? Expression.parse(format)
      description.expressionResultType = element.expressionType
      property = description
      propertyName = nil
    } else {
      property = entity.propertiesByName[element.propertyName]
      propertyName = element.propertyName
    }
    collationType = element.collation == .rTree ? .rTree : .binary
    isAscending = element.isAscending
  }
}

public enum NSFetchIndexElementType: UInt, Sendable {
  case binary = 0
  case rTree = 1
}

extension EntityDescription {
  /// The names of the attributes of each index over several, in the older spelling.
  public var compoundIndexes: [[Any]] {
    indexes.map { $0.elements.compactMap(\.propertyName) }.filter { $0.count > 1 }
  }

  public var indexes: [NSFetchIndexDescription] {
    get {
      self.ObjectModel::indexes.map { index in
        let description = NSFetchIndexDescription(
          name: index.name, elements: index.elements.map { .init($0, of: self) })
        // The same with one that is no predicate.
        description.partialIndexPredicate = index.partialPredicateFormat.flatMap {
          try? Predicate.parse($0)
        }
        return description
      }
    }
    set {
      self.ObjectModel::indexes = newValue.map { index in
        FetchIndexDescription(
          name: index.name, elements: index.elements.map(\.element),
          partialPredicateFormat: index.partialIndexPredicate?.predicateFormat)
      }
    }
  }
}

extension NSFetchIndexElementDescription {
  /// The element as a model keeps it.
  fileprivate var element: FetchIndexDescription.Element {
    var element =
      if let described = property as? ExpressionDescription, let value = described.expression {
        FetchIndexDescription.Element(
          expressionFormat: value.expressionFormat, type: described.expressionResultType)
      } else {
        FetchIndexDescription.Element(propertyName: property?.name ?? propertyName ?? "")
      }
    element.isAscending = isAscending
    element.collation = collationType == .rTree ? .rTree : .binary
    return element
  }
}
