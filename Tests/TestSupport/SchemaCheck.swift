import Foundation

/// The part of JSON Schema that is needed to find keys that nobody described.
public struct SchemaCheck {
  private let definitions: [String: Any]

  public init(_ schema: [String: Any]) { definitions = schema }

  /// What of a report the schema doesn't describe, or wants and doesn't find.
  public func problems(_ report: Any) -> [String] { problems(report, definitions, at: "report") }

  private func problems(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
    let schema = resolved(schema)
    if let forms = schema["oneOf"] as? [[String: Any]] {
      let all = forms.map { problems(value, $0, at: path) }
      return all.count(where: \.isEmpty) == 1 ? [] : all.min { $0.count < $1.count } ?? []
    }
    if let allowed = schema["enum"] as? [NSObject], let value = value as? NSObject,
      !allowed.contains(value)
    {
      return ["\(path): \(value) isn't one of \(allowed)"]
    }
    if let wanted = schema["const"] as? NSObject, wanted != value as? NSObject {
      return ["\(path): \(value) isn't \(wanted)"]
    }
    if let wanted = schema["type"], !Self.fits(value, wanted) {
      return ["\(path): \(value) isn't of type \(wanted)"]
    }
    if let items = value as? [Any] {
      let element = schema["items"] as? [String: Any] ?? [:]
      return items.enumerated().flatMap { problems($1, element, at: "\(path)[\($0)]") }
    }
    guard let fields = value as? [String: Any] else { return [] }
    let known = schema["properties"] as? [String: [String: Any]] ?? [:]
    let others = schema["additionalProperties"] as? [String: Any]
    let missing = (schema["required"] as? [String] ?? []).filter { fields[$0] == nil }
    return missing.map { "\(path): no \($0)" }
      + fields.flatMap { (key, value) -> [String] in
        // Without words on what it holds, it holds what it likes.
        if known[key] == nil, others?.isEmpty == true { return [] }
        return (known[key] ?? others).map { problems(value, $0, at: "\(path).\(key)") } ?? [
          "\(path): \(key)?"
        ]
      }
  }

  /// Numbers and truths are one in Foundation.
  private static func fits(_ value: Any, _ wanted: Any) -> Bool {
    let names = wanted as? [String] ?? (wanted as? String).map { [$0] } ?? []
    return names.contains { name in
      switch name {
      case "string": value is String
      case "integer", "number", "boolean": value is NSNumber
      case "array": value is [Any]
      case "object": value is [String: Any]
      case "null": value is NSNull
      default: false
      }
    }
  }

  private func resolved(_ schema: [String: Any]) -> [String: Any] {
    guard let name = (schema["$ref"] as? String)?.split(separator: "/").last.map(String.init)
    else { return schema }
    return (definitions["$defs"] as? [String: [String: Any]])?[name] ?? [:]
  }
}
