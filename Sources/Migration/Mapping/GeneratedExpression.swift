/// The forms of expression that Xcode and inference generate, which need no evaluation per object.
enum GeneratedExpression: Equatable {
  /// All instances of a source entity that match a predicate.
  case fetch(entityName: String, predicate: String)
  /// `$source.key`.
  case sourceKey(String)
  case constant(Value)
  /// The destination instances that one mapping made of the objects of a source relationship.
  case destinationInstances(mappingName: String, key: String)
  /// The destination instances, under any mapping, of the objects of a source relationship.
  case relatedInstances(relationshipName: String, key: String)

  /// The form of `expression`; nil when it is none of these.
  init?(_ expression: Expression) { return nil }
}
