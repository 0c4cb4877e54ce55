/// One of the user's Swift files, as it is and as it is compiled here.
///
/// Outside Apple's systems Swift has no Objective-C runtime, so what needs it is rewritten; see
/// ``SourceRewriter``. Every line and nearly every column stays where it is.
package struct PolicySource: Sendable {
  /// The file's path as the user named it; diagnostics say it.
  package let path: String
  package let text: String
  /// The text that the compiler gets.
  private(set) var code: String
  /// What the file shows to Objective-C.
  private(set) var exposure: ObjectiveCExposure
  let imports: [SourceImport]
  /// What in it can't be compiled, and why.
  let problems: [PolicyDiagnostic]

  package init(path: String, text: String) {
    self.path = path
    self.text = text
    let rewriter = SourceRewriter(text)
    code = rewriter.rewritten()
    exposure = rewriter.exposure
    imports = rewriter.imports
    problems = rewriter.problems.map { position, message in
      PolicyDiagnostic(
        file: path, line: position.line + 1, column: position.character + 1, severity: .error,
        message: message)
    }
  }

  /// The sources of a module as they are compiled together, and which of them in one file.
  /// - Parameter keyNames: What `@objc(name)` calls properties of the module, by Swift name.
  static func module(
    of sources: [PolicySource], imports rules: ImportRules, keyNames: [String: String],
    optionalMembers: Set<String> = [], conditions: BuildConditions = BuildConditions()
  ) -> (sources: [PolicySource], files: [[Int]]) {
    var rules = rules
    let optional = sources.reduce(optionalMembers) { $0.union($1.exposure.allOptionalMembers) }
    var rewriters = sources.map {
      SourceRewriter(
        $0.text, imports: rules, keyNames: keyNames, optionalMembers: optional,
        conditions: conditions)
    }
    let outlines = sources.map { SourceOutline(SourceDeclarations($0.text)) }
    let typeNames = outlines.reduce(into: Set<String>()) { $0.formUnion($1.typeNames) }
    rules.ambiguous = typeNames.intersection(rules.renamed.keys)
    let observers = outlines.inheritedObservers
    if !rules.ambiguous.isEmpty || observers.contains(where: { !$0.isEmpty }) {
      rewriters = zip(sources, observers).map {
        SourceRewriter(
          $0.text, imports: rules, keyNames: keyNames, optionalMembers: optional,
          inheritedObservers: $1, conditions: conditions)
      }
    }
    let moved = MovedMembers(rewriters, outlines: outlines, paths: sources.map(\.path))
    let rewritten = zip(sources, moved.rewriters).map { source, rewriter in
      var source = source
      source.code = rewriter.rewritten()
      source.exposure = rewriter.exposure
      return source
    }
    return (rewritten, moved.files)
  }

  /// What the file asks of the platform, with the answers that it is compiled with: `P.swift:2: os(iOS) is true`.
  package func platformAnswers(_ conditions: BuildConditions) -> [String] {
    SourceRewriter(text, conditions: conditions).platformConditions.map {
      "\(path):\($0.position.line + 1): \($0.answer)"
    }
  }

  /// - Throws: ``PolicyCompilationError`` naming the file when it can't be read as UTF-8.
  package init(contentsOf url: URL, path: String? = nil) throws {
    let path = path ?? url.relativePath
    guard url.pathExtension == "swift" else {
      throw PolicyCompilationError(
        "\(path) isn't a Swift file",
        advice: "Policies in Objective-C must be rewritten in Swift.")
    }
    do {
      self.init(path: path, text: try String(contentsOf: url, encoding: .utf8))
    } catch {
      MachineFaultWatch.note(error)
      throw PolicyCompilationError(
        "can't read the policy source \(path)",
        advice: "Check the path and the file: \(error.plainText).")
    }
  }
}

/// A place in a source file, in lines and UTF-8 columns from 0, as symbol graphs give it.
package struct SourcePosition: Hashable, Comparable, Codable {
  package var line: Int
  var character: Int

  package static func < (a: SourcePosition, b: SourcePosition) -> Bool {
    (a.line, a.character) < (b.line, b.character)
  }
}

/// The declarations of a file that carry `@objc`, by the place of their names.
struct ObjectiveCExposure: Hashable, Sendable {
  /// Places of names marked `@objc`, with the explicit name or selector if one is given.
  var names: [SourcePosition: String?] = [:]
  /// Bodies whose members are all exposed: those of an `@objc extension`.
  var bodies: [ClosedRange<SourcePosition>] = []
  /// The names of the classes that say `@objcMembers`, which counts for extensions and subclasses.
  var memberClasses: Set<SourcePosition> = []
  /// The names of the protocols that say `@objc`.
  var protocols: Set<String> = []
  /// The optional requirements by protocol, under their full names.
  var optionalMembers: [String: Set<String>] = [:]
  /// Places of names that say `@nonobjc`.
  var hidden: Set<SourcePosition> = []
  /// Places of properties that say `@NSManaged`.
  var managed: Set<SourcePosition> = []
  /// What `@objc(name)` calls properties, by their Swift names.
  var keyNames: [String: String] = [:]

  var allOptionalMembers: Set<String> { Set(optionalMembers.values.joined()) }

  func explicitName(at position: SourcePosition) -> String? {
    names[position] ?? nil
  }

  /// Whether what stands there says so, or the extension around it. Of a class that says `@objcMembers` see
  /// ``memberClasses``.
  func isExposed(at position: SourcePosition) -> Bool {
    if hidden.contains(position) { return false }
    return names[position] != nil || bodies.contains { $0.contains(position) }
  }
}
