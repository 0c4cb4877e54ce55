// What a data source can do with the objects of an entity, each ability by a protocol of its own.

/// An entity whose objects can be shown in sections.
public protocol Groupable: FetchableEntity {
  /// The name of an object's section. May be computed from stored properties, as long as the
  /// default sort descriptors order objects alike.
  static func groupIndex(of object: ManagedObject) throws -> String?
}

/// An entity whose objects can be narrowed to those that belong to another object.
public protocol RelationshipFilterable: FetchableEntity {
  /// - Returns: nil for all objects.
  static func relationshipFilterPredicate(for constraintObject: ManagedObject?) -> Predicate?
}

/// An entity whose objects can be searched for text.
public protocol TextSearchable: FetchableEntity {
  /// - Returns: nil for all objects: for no term, or an empty one.
  static func searchPredicate(for searchTerm: String?) -> Predicate?
}

/// All abilities together.
public protocol GenericDataObject: Sortable, Groupable, RelationshipFilterable, TextSearchable {}

extension Predicate {
  /// Finds a term anywhere in the text at a key path, without regard to case and diacritics; nil
  /// for no term, or an empty one.
  ///
  /// Key path and term become arguments, so that neither is ever taken for a part of the format.
  public static func text(at keyPath: String, contains term: String?) -> Predicate? {
    guard let term, !term.isEmpty else { return nil }
    return ComparisonPredicate(
      leftExpression: Expression(forKeyPath: keyPath),
      rightExpression: Expression(forConstantValue: term), type: .contains,
      options: [.caseInsensitive, .diacriticInsensitive])
  }
}

/// What shows the objects of a data source: a table view, a collection view, or a test.
public protocol DataSourceView: AnyObject {
  /// Everything may have changed.
  func reloadData()
  /// Some rows and sections changed. Reloads, unless it is done better.
  func apply(_ change: FetchedResultsChange)
}

extension DataSourceView {
  public func apply(_ change: FetchedResultsChange) { reloadData() }
}
