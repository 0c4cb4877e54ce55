/// Which of a member's types Objective-C can't represent, so that Xcode refuses `@objc` on it.
///
/// Says no only where that is sure: what isn't known here may be an Objective-C type.
/// Source of the rules: Swift's own, "is representable in Objective-C".
struct ObjectiveCTypes {
  private let reader: PolicyClassReader

  init(_ reader: PolicyClassReader) { self.reader = reader }

  /// What Xcode says of `@objc` before a member; nil where it accepts it.
  func problem(of symbol: SymbolGraph.Symbol) -> String? {
    if symbol.kind.identifier == "swift.property" {
      let isFine = isRepresentable(Self.type(in: symbol.declarationFragments))
      return isFine
        ? nil
        : "Property cannot be marked @objc because its type cannot be represented in Objective-C"
    }
    let parameters = symbol.functionSignature?.parameters ?? []
    // Not those of a class that is generic in Swift only because it is here, such as a fetch request.
    if symbol.declaration.contains(#/func [^(]*</#) {
      return "Method cannot be marked @objc because it has generic parameters"
    }
    if symbol.declaration.contains("...") {
      return "Method cannot be marked @objc because it has a variadic parameter"
    }
    for (index, parameter) in parameters.enumerated() {
      if isRepresentable(Self.type(in: parameter.declarationFragments)) { continue }
      let which = parameters.count == 1 ? "the parameter" : "the parameter \(index + 1)"
      return "Method cannot be marked @objc because the type of \(which) cannot be represented in "
        + "Objective-C"
    }
    let result = (symbol.functionSignature?.returns ?? []).map(\.spelling).joined()
    if !isRepresentable(result) {
      return "Method cannot be marked @objc because its result type cannot be represented in "
        + "Objective-C"
    }
    return symbol.keywords.contains("throws") ? problem(ofThrowing: result) : nil
  }

  /// A throwing method says by nil that it threw; one without a result by NO.
  private func problem(ofThrowing result: String) -> String? {
    let start = "Throwing method cannot be marked @objc because it returns a value of"
    if result.hasSuffix("?") {
      return "\(start) optional type '\(result)'; 'nil' indicates failure to Objective-C"
    }
    let name = result.split(separator: ".").last.map(String.init) ?? result
    return PolicyClassReader.scalarTypes.contains(name)
      ? "\(start) type '\(result)'; return 'Void' or a type that bridges to an Objective-C class"
      : nil
  }

  /// The mistakes of a module, where `@objc` is written before a member.
  func problems() -> [PolicyDiagnostic] {
    reader.members.values.flatMap { $0 }.compactMap { symbol in
      guard
        ["swift.method", "swift.property", "swift.type.method"].contains(symbol.kind.identifier),
        let place = symbol.location?.position, let file = symbol.file,
        reader.exposure(of: symbol)?.names[place] != nil, let message = problem(of: symbol)
      else { return nil }
      return PolicyDiagnostic(
        file: file, line: place.line + 1, column: place.character + 1, severity: .error,
        message: message)
    }.sorted { ($0.file ?? "", $0.line) < ($1.file ?? "", $1.line) }
  }

  /// The type in `name: Type = value { get }`.
  private static func type(in fragments: [SymbolGraph.Symbol.Fragment]) -> String {
    let text = fragments.map(\.spelling).joined()
    guard let colon = text.firstIndex(of: ":") else { return "" }
    let type = text[text.index(after: colon)...].prefix { $0 != "{" && $0 != "=" }
    return type.trimmingCharacters(in: .whitespaces)
  }

  private func isRepresentable(_ text: String) -> Bool {
    var type = text.trimmingCharacters(in: .whitespaces)
    if type.hasPrefix("inout ") { return false }
    if type.contains("->") { return isRepresentable(function: type) }
    for word in ["@escaping ", "any ", "some ", "__owned ", "borrowing ", "consuming "]
    where type.hasPrefix(word) { type.removeFirst(word.count) }
    let isOptional = type.hasSuffix("?") || type.hasSuffix("!")
    if isOptional { type.removeLast() }
    if type.hasSuffix("?") || type.hasSuffix("!") { return false }
    if type.hasPrefix("("), type.hasSuffix(")") {
      let inside = type.dropFirst().dropLast()
      return inside.isEmpty || (!inside.contains(",") && isRepresentable(String(inside)))
    }
    if type.hasPrefix("["), type.hasSuffix("]") {
      return type.dropFirst().dropLast().split(separator: ":").allSatisfy {
        isElement(String($0))
      }
    }
    if let bracket = type.firstIndex(of: "<") {
      let arguments = type[type.index(after: bracket)...].dropLast()
      switch type[..<bracket] {
      case "Array", "Set", "Dictionary":
        return arguments.split(separator: ",").allSatisfy { isElement(String($0)) }
      case "Optional": return isRepresentable(arguments + "?")
      case "Result", "Range", "ClosedRange", "KeyPath", "Task": return false
      default: return true
      }
    }
    return isRepresentable(named: type, isOptional: isOptional)
  }

  /// Whether a function type is one of a block; one of functions itself is taken for one.
  private func isRepresentable(function type: String) -> Bool {
    let parts = type.components(separatedBy: "->")
    guard parts.count == 2, let open = parts[0].firstIndex(of: "("),
      let close = parts[0].lastIndex(of: ")"), !parts[0][open...].dropFirst().contains("(")
    else { return true }
    let types =
      parts[0][parts[0].index(after: open)..<close].split(separator: ",") + [parts[1][...]]
    return types.allSatisfy {
      isRepresentable($0.split(separator: ":").last.map(String.init) ?? "")
    }
  }

  /// What is in a collection is an object there, whatever number it is.
  private func isElement(_ text: String) -> Bool {
    let type = text.trimmingCharacters(in: .whitespaces)
    return !type.hasSuffix("?") && isRepresentable(type)
  }

  private func isRepresentable(named name: String, isOptional: Bool) -> Bool {
    let own = name.split(separator: ".").last.map(String.init) ?? name
    if isOptional, PolicyClassReader.scalarTypes.contains(own) { return false }
    guard let symbol = reader.types[own] else {
      return !["Character", "Substring", "AttributedString", "Duration"].contains(own)
    }
    switch symbol.kind.identifier {
    case "swift.struct": return false
    case "swift.enum":
      let isExposed = symbol.location.flatMap { place in
        reader.exposure(of: symbol).map { $0.names[place.position] != nil }
      }
      return isExposed == true && !isOptional
    case "swift.class": return reader.superclasses[symbol.identifier.precise] != nil
    default: return true
    }
  }
}
