import Resources

/// One call of `heavyweight schema`.
package struct SchemaSession {
  private let name: String?

  /// - Parameter name: Which; nil for a list of all.
  package init(_ name: String?) { self.name = name }

  package func run() -> ExitStatus {
    guard let name else { return Console.publish(Self.list, .passed) }
    if let schema = JSONSchema.named(name) { return Console.publish(schema.data, .passed) }
    let known = JSONSchema.all.map(\.name)
    let hint = Spelling.hint(for: name, among: known, called: "schemas")
    Console.complain("there is no schema '\(name)'\(hint)")
    return .badInput
  }

  private static var list: String {
    let width = JSONSchema.all.map(\.name.count).max() ?? 0
    return JSONSchema.all.map { "\($0.name.padded(to: width))  \($0.summary)\n" }.joined()
  }
}
