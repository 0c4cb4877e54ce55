/// The value transformer that keeps secure archives: it takes property lists and little more, and a
/// save fails for anything else.
enum SecureTransformer {
  /// What is wrong with the object in a transformable value; nil when nothing is.
  static func failure(
    of value: TransformableValue, for attribute: AttributeDescription
  ) -> CoreDataError? {
    guard isName(attribute.valueTransformerName), let object = value.givenObject,
      !isAllowed(object)
    else { return nil }
    return CoreDataError(
      .coreData,
      "Object of class \(type(of: object)) is not among allowed top level class list",
      advice: "The transformer \(attribute.valueTransformerName ?? "") keeps arrays, dictionaries, "
        + "sets, texts, numbers, dates, data, URLs and UUIDs; for anything else an app registers a "
        + "subclass of NSSecureUnarchiveFromDataTransformer."
    ).at(property: attribute.name)
  }

  private static func isName(_ name: String?) -> Bool {
    name == "NSSecureUnarchiveFromData" || name == "NSSecureUnarchiveFromDataTransformer"
      || name == "NSSecureUnarchiveFromDataTransformerName"
  }

  /// The classes that Foundation allows at the top.
  private static func isAllowed(_ object: Any) -> Bool {
    switch object {
    case is String, is Data, is Date, is URL, is UUID, is Bool, is any BinaryInteger,
      is any BinaryFloatingPoint, is Decimal:
      true
    case is NSString, is NSNumber, is NSData, is NSDate, is NSURL, is NSUUID, is NSNull: true
    case is NSArray, is NSDictionary, is NSSet, is [Any], is [AnyHashable: Any],
      is Set<AnyHashable>:
      true
    default: false
    }
  }
}
