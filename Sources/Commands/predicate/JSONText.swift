/// Values as the command line takes them: JSON, with `{"$date": seconds since 2001-01-01 UTC}` for
/// a date.
enum JSONText {
  /// The value that `text` writes; nil when it isn't JSON.
  static func value(_ text: String) -> Value? {
    parsed(Data(text.utf8)).map(value(of:))
  }

  /// The parts of JSON text as Foundation's objects; nil when it isn't JSON.
  static func parsed(_ data: Data) -> Any? {
    // What isn't JSON is the caller's error to tell.
    try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
  }

  /// A part of parsed JSON as predicates see it: objects have keys, null is nil.
  static func value(of json: Any) -> Value {
    switch json {
    case is NSNull: return .null
    case let fields as [String: Any]:
      if fields.count == 1, let seconds = fields["$date"] as? Double {
        return .date(Date(timeIntervalSinceReferenceDate: seconds))
      }
      return .object(KeyedValues(fields.mapValues(value(of:))))
    case let elements as [Any]:
      return .collection(ValueCollection(.array, elements.map(value(of:))))
    default: return Value(evaluating: json)
    }
  }
}
