extension Value {
  /// The name of the class that Foundation has for the value, for messages.
  package var className: String {
    switch self {
    case .null: "nil"
    case .integer, .double: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .data: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .transformable(let value): "\(type(of: value.object))"
    case .object(let object): "\(type(of: object))"
    case .collection(let collection): collection.className
    }
  }
}

extension ValueCollection {
  fileprivate var className: String {
    switch kind {
    case .array: "NSArray"
    case .set: "NSSet"
    case .orderedSet: "NSOrderedSet"
    }
  }
}
