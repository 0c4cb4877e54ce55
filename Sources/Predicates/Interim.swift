// Stand-ins with the agreed signatures, until the format language lands; this file goes then.
extension Predicate {
  public static func parse(_ format: String, arguments: [Any?] = []) throws -> Predicate { Predicate() }
  public func equalityProbe() -> (key: String, value: Value)? { nil }
  public func evaluate(_ object: Value, variables: [String: Value] = [:]) throws -> Bool { true }
}
open class Expression: NSObject, @unchecked Sendable {
  public convenience init(forKeyPath keyPath: String) { self.init() }
  public func value(for object: Value, variables: [String: Value] = [:]) throws -> Value { .null }
}
