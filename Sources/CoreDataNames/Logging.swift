// The name is Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Foundation's `NSLog`, which here takes any object for `%@` and not only what C can.
public func NSLog(_ format: String, _ arguments: Any?...) { logAsFoundation(format, arguments) }

public func logAsFoundation(_ format: String, _ arguments: [Any?]) {
  withVaList(arguments.map { $0 as? any CVarArg ?? $0.map { "\($0)" } ?? "(null)" }) {
    NSLogv(format, $0)
  }
}
