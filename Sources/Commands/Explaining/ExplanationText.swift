/// Explanations as they are printed.
enum ExplanationText {
  /// All there is to say about one thing.
  static func page(_ topic: Explanation, _ style: TextStyle) -> String {
    var lines = ["\(style.strong(topic.identifier))  \(style.faint(topic.name))", topic.meaning]
    lines += section("usual causes", topic.causes, style)
    lines += section("what to do", topic.remedies, style)
    return lines.map { $0 + "\n" }.joined()
  }

  private static func section(
    _ title: String, _ items: [String], _ style: TextStyle
  ) -> [String] {
    items.isEmpty ? [] : ["", style.faint(title)] + items.map { "  - \($0)" }
  }

  /// One line for each thing that can be looked up.
  static func list(
    _ groups: [(title: String, topics: [Explanation])], _ style: TextStyle
  ) -> String {
    groups.map { title, topics in
      let width = topics.map(\.identifier.count).max() ?? 0
      let lines = topics.map { topic in
        let gap = String(repeating: " ", count: width - topic.identifier.count + 2)
        return "  \(topic.identifier)\(gap)\(topic.meaning)\n"
      }
      return style.strong(title) + "\n" + lines.joined()
    }.joined(separator: "\n")
  }

  /// A list of objects.
  static func json(_ topics: [Explanation]) -> [JSONObject] {
    topics.map { topic in
      [
        "identifier": topic.identifier, "name": topic.name, "meaning": topic.meaning,
        "causes": topic.causes, "remedies": topic.remedies,
      ]
    }
  }
}
