// In predicates, an object and its identifier are the same.

extension ManagedObject: IdentifiedObject {
  public var identity: AnyObject { objectID }
}

extension ManagedObjectID: IdentifiedObject {
  public var identity: AnyObject { self }
}
