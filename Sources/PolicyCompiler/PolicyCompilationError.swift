/// Policies that can't be compiled or loaded.
package struct PolicyCompilationError: MachineFaultCarrier, Sendable, Codable {
  /// What went wrong, in one sentence.
  package var message: String
  /// What the compiler said, in its order: errors, each followed by its notes.
  package var diagnostics: [PolicyDiagnostic]
  /// What to do next.
  package var advice: String?
  package var machineFault: MachineFault?

  package init(_ message: String, diagnostics: [PolicyDiagnostic] = [], advice: String? = nil) {
    self.message = message
    self.diagnostics = diagnostics
    self.advice = advice
  }

  /// The error for a compiler run that failed.
  init(module: String, compilerOutput output: String) {
    var diagnostics = PolicyDiagnostic.all(in: output).filter { $0.severity != .warning }
    if diagnostics.isEmpty { diagnostics = [.init(ofUnknownOutput: output)] }
    self.init(
      "the policies of module \(module) don't compile",
      diagnostics: diagnostics.uniqued(),
      advice: diagnostics.lazy.compactMap { Self.advice(for: $0.message) }.first)
  }

  /// What to do about the errors that policies meet here and not in their app.
  private static func advice(for message: String) -> String? {
    if let name = message.firstMatch(of: #/cannot find (?:type )?'(?<name>[^']+)' in scope/#)?.name
    {
      return "Only the policies' sources are compiled; if '\(name)' is declared in another file "
        + "of the app, add that file to them; '--stub-missing FOLDER' writes stubs of all that is missing."
    }
    return nil
  }
}

extension PolicyDiagnostic {
  fileprivate init(ofUnknownOutput output: String) {
    let text = output.trimmingCharacters(in: .whitespacesAndNewlines)
    self.init(
      file: nil, line: 0, column: 0, severity: .error,
      message: text.isEmpty ? "the compiler failed without a message" : text)
  }
}

// MARK: - Wording

extension PolicyCompilationError: CustomStringConvertible, LocalizedError, CustomNSError {
  /// Reports name an error that isn't Core Data's by its domain.
  package static var errorDomain: String { "HeavyweightPolicies" }
  package var errorDescription: String? { description }

  package var description: String {
    let lines =
      [message] + diagnostics.map(\.description)
      + [advice.map { "do: \($0)" }]
      .compactMap { $0 }
    return lines.joined(separator: "\n")
  }
}
