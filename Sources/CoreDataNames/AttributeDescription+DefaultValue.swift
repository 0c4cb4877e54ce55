extension AttributeDescription {
  /// The default value as a Foundation object, such as `value(forKey:)` gives of a new object.
  public var defaultValue: Any? { typedDefaultValue.boxed(as: attributeType) }
}
