/// One message of the Swift compiler about a policy source.
package struct PolicyDiagnostic: Hashable, Sendable, Codable {
  package enum Severity: String, Sendable, Codable { case error, warning, note, remark }
  /// The file, by the path with which it was named; nil for messages about no place.
  package var file: String?
  /// Counted from 1; 0 without a file.
  package var line: Int
  /// Counted from 1, in UTF-8 bytes; 0 without a file.
  package var column: Int
  package var severity: Severity
  package var message: String
  /// The module that isn't here and may have the name that is missed.
  var origin: String?
}

extension PolicyDiagnostic: CustomStringConvertible {
  /// `file:line:column: error: message`, as compilers say it.
  package var description: String {
    let place = file.map { "\(ShownPath.of($0)):\(line):\(column): " } ?? ""
    return "\(place)\(severity.rawValue): \(message)"
  }
}

extension PolicyDiagnostic {
  /// The messages in a compiler's output; source lines and markers between them are left out.
  static func all(in output: String) -> [PolicyDiagnostic] {
    output.split(separator: "\n").compactMap { PolicyDiagnostic(line: $0) }
  }

  private init?(line text: Substring) {
    let located = #/(?<file>.+?):(?<line>\d+):(?<column>\d+): (?<kind>\w+): (?<message>.+)/#
    let general = #/(?:<unknown>:0: )?(?<kind>error|warning): (?<message>.+)/#
    if let match = text.wholeMatch(of: located), let severity = Severity(rawValue: "\(match.kind)")
    {
      self.init(
        file: String(match.file), line: Int(match.line) ?? 0, column: Int(match.column) ?? 0,
        severity: severity, message: String(match.message))
    } else if let match = text.wholeMatch(of: general),
      let severity = Severity(rawValue: "\(match.kind)")
    {
      self.init(file: nil, line: 0, column: 0, severity: severity, message: String(match.message))
    } else {
      return nil
    }
  }
}
