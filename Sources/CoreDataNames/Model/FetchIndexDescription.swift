/// An index over properties of an entity, as Apple's header has it.
open class NSFetchIndexDescription: NSObject {
  open var name: String
  open var elements: [NSFetchIndexElementDescription]

  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
  }
}

/// A property in an index, and the direction.
open class NSFetchIndexElementDescription: NSObject {
  public let property: PropertyDescription?
  public let propertyName: String?
  open var collationType: NSFetchIndexElementType
  open var isAscending = true

  public init(property: PropertyDescription, collationType: NSFetchIndexElementType) {
    self.property = property
    propertyName = property.name
    self.collationType = collationType
  }

  init(named name: String, isAscending: Bool, of entity: EntityDescription) {
    property = entity.propertiesByName[name]
    propertyName = name
    collationType = .binary
    self.isAscending = isAscending
  }
}

public enum NSFetchIndexElementType: UInt, Sendable {
  case binary = 0
  case rTree = 1
}

extension EntityDescription {
  public var indexes: [NSFetchIndexDescription] {
    get {
      self.ObjectModel::indexes.map { index in
        NSFetchIndexDescription(
          name: index.name,
          elements: index.elements.map {
            .init(named: $0.propertyName, isAscending: $0.isAscending, of: self)
          })
      }
    }
    set {
      self.ObjectModel::indexes = newValue.map { index in
        FetchIndexDescription(
          name: index.name,
          elements: index.elements.map {
            .init(
              propertyName: $0.property?.name ?? $0.propertyName ?? "", isAscending: $0.isAscending)
          })
      }
    }
  }
}
