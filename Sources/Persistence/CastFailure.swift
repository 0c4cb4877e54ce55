extension CoreDataError {
  /// The error where a device stops with a failed cast.
  ///
  /// Most often the value is a managed object and the type a subclass: during a migration all
  /// objects are plain ones.
  public static func castFailure(of value: Any, to type: Any.Type) -> CoreDataError {
    let advice =
      value is ManagedObject
      ? "During a migration objects are plain NSManagedObjects: declare the type as "
        + "NSManagedObject and use value(forKey:)."
      : "Compare the declared type with the expression's value."
    return CoreDataError(
      .coreData,
      "Could not cast value of type '\(className(of: value))' to '\(String(reflecting: type))'.",
      advice: advice)
  }

  /// The class as Core Data names it at run time.
  private static func className(of value: Any) -> String {
    if let object = value as? ManagedObject { return "NSManagedObject_\(object.entity.name)_" }
    return String(reflecting: Swift.type(of: value))
  }
}
