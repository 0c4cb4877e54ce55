/// The migration policies that an app has in Objective-C, which can't be run here.
struct ObjectiveCPolicies {
  /// By class name, where each is declared.
  private(set) var places: [String: (file: URL, line: Int)] = [:]
  /// By class name, what is between `@implementation` and `@end`, and in which file.
  private var implementations: [String: (file: URL, text: String)] = [:]
  /// By class name.
  private(set) var superclasses: [String: String] = [:]

  /// - Parameter files: The app's headers and implementations.
  init(_ files: [URL]) {
    for file in files.sorted(by: { $0.pathExtension > $1.pathExtension }) {
      guard let data = try? Data(reading: file) else { continue }
      let text = String(decoding: data, as: UTF8.self)
      let code = text.replacing(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/) { match in
        String(repeating: "\n", count: match.output.count { $0 == "\n" })
      }
      for match in code.matches(of: /@(?:interface|implementation)\s+(\w+)\s*(?::\s*\w*Policy\b)?/)
      where match.output.0.hasPrefix("@implementation") || match.output.0.contains(":") {
        let line = code[..<match.range.lowerBound].count { $0 == "\n" } + 1
        places[String(match.output.1)] = (file, line)
      }
      for match in code.matches(of: /@interface\s+(\w+)\s*:\s*(\w+)/) {
        superclasses[String(match.output.1)] = String(match.output.2)
      }
      // Categories are parts of it, too.
      for match in text.matches(of: /@implementation\s+(\w+)[^\n]*\n([\s\S]*?)\n@end/) {
        implementations[String(match.output.1), default: (file, "")].text += match.output.2 + "\n"
      }
    }
  }

  /// A Swift class in place of one in Objective-C: each method traps until somebody has translated what is beside it.
  /// - Returns: Nil for a class whose implementation isn't there, or isn't understood: without one of its methods it
  ///   would do something else.
  func standIn(for name: String, from root: URL) -> String? {
    guard let (file, text) = implementations[name] else { return nil }
    let found = Self.methods(in: text)
    guard found.count == text.matches(of: /(?m)^[-+]\s*\(/).count else { return nil }
    let methods = found.map { method in
      let comment = method.text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "  //" : "  // \($0)" }
      return
        (comment + [
          "  \(method.signature) {",
          "    fatalError(\"the stand-in for \(name) isn't translated yet: \(method.selector)\")",
          "  }",
        ]).joined(separator: "\n")
    }
    return """
      // In place of \(name) of \(RelativePath.text(from: root, to: file)), which is written in Objective-C and doesn't run
      // here. Translate what the comments have, method by method: until then, the step ends at the first one.
      import CoreData

      @objc(\(name))
      class \(name): \(superclasses[name] ?? "NSEntityMigrationPolicy") {
      \(methods.joined(separator: "\n\n"))
      }

      """
  }

  private struct Method {
    let selector: String
    let signature: String
    let text: String
  }

  /// Those at the uppermost level: `- (BOOL)name:(Type)parameter … {`, up to the brace that closes it.
  private static func methods(in text: String) -> [Method] {
    text.matches(of: /(?m)^-\s*\(([^)]*)\)\s*([^{;]*?)\s*\{/).compactMap { match in
      var depth = 0
      let end = text[match.range.lowerBound...].firstIndex { character in
        depth += character == "{" ? 1 : character == "}" ? -1 : 0
        return character == "}" && depth == 0
      }
      let names = match.output.2.matches(of: /(\w+)\s*:\s*\([^)]*\)\s*(\w+)/).map {
        (label: String($0.1), name: String($0.2))
      }
      let bare = String(match.output.2.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
      let selector = names.isEmpty ? bare : names.map { $0.label + ":" }.joined()
      guard let end, !selector.isEmpty else { return nil }
      return Method(
        selector: selector,
        signature: hooks[selector]
          ?? own(selector, names.map(\.name), isVoid: match.output.1.contains("void")),
        text: String(text[match.range.lowerBound...end]))
    }
  }

  /// A method that a mapping model calls with `FUNCTION($entityPolicy, …)`, or that others use.
  private static func own(_ selector: String, _ names: [String], isVoid: Bool) -> String {
    let parameters = names.map { "_ \($0): Any?" }.joined(separator: ", ")
    let name = selector.prefix { $0 != ":" }
    return "@objc(\(selector)) func \(name)(\(parameters))" + (isVoid ? "" : " -> Any?")
  }

  private static let hooks = Dictionary(
    uniqueKeysWithValues: [
      ("beginEntityMapping:manager:", "begin(_ mapping: NSEntityMapping, with manager"),
      (
        "createDestinationInstancesForSourceInstance:entityMapping:manager:",
        "createDestinationInstances(\n    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager"
      ),
      (
        "endInstanceCreationForEntityMapping:manager:",
        "endInstanceCreation(\n    forMapping mapping: NSEntityMapping, manager"
      ),
      (
        "createRelationshipsForDestinationInstance:entityMapping:manager:",
        "createRelationships(\n    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager"
      ),
      (
        "endRelationshipCreationForEntityMapping:manager:",
        "endRelationshipCreation(\n    forMapping mapping: NSEntityMapping, manager"
      ),
      (
        "performCustomValidationForEntityMapping:manager:",
        "performCustomValidation(\n    forMapping mapping: NSEntityMapping, manager"
      ),
      ("endEntityMapping:manager:", "end(_ mapping: NSEntityMapping, manager"),
    ].map { (selector, start) in
      (selector + ("error:"), "override func \(start): NSMigrationManager) throws")
    })
}
