/// Which scenario of which file: `Songs.scenario.yaml`, or `Songs.scenario.yaml#2` where the file has
/// several.
package struct ScenarioAddress: Hashable, Sendable, Codable {
  package let path: String
  /// Counts from 1 in the order of the file; nil for the only one.
  package let number: Int?

  package init(path: String, number: Int?) {
    self.path = path
    self.number = number
  }

  /// Reads what somebody wrote. A file of just this name wins, for names may have a `#`.
  package init(_ text: String) {
    let parts = text.split(separator: "#", omittingEmptySubsequences: false)
    // A number alone is of no file: its path would be that of the working folder.
    if parts.count > 1, text.first != "#", let last = parts.last, let number = Int(last),
      number > 0,
      case .missing = FileKind(of: URL(fileURLWithPath: text))
    {
      self.init(path: String(text.dropLast(last.count + 1)), number: number)
    } else {
      self.init(path: text, number: nil)
    }
  }
}

extension ScenarioAddress: CustomStringConvertible {
  package var description: String { number.map { "\(path)#\($0)" } ?? path }
}
