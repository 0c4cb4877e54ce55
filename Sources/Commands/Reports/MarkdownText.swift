/// Text that is to be shown as it is on a page made of Markdown.
package enum MarkdownText {
  /// Characters that mean something in Markdown, or in HTML within it, without their meaning.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.withoutControls {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "@": result += "&#64;"
      case "\\", "`", "*", "_", "{", "}", "[", "]", "#", "|", "~", "!", "$":
        result += "\\\(character)"
      default: result.append(character)
      }
    }
    return result
  }
}
