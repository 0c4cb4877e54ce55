/// Text in documents whose format gives some characters a meaning.
extension String {
  /// As the text of an element, or the value of an attribute in double quotes, of XML and HTML.
  package var markupEscaped: String {
    var text = ""
    text.reserveCapacity(utf8.count)
    for scalar in withoutControls.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// As the value of an attribute of XML, which would lose line breaks and tabs.
  var attributeEscaped: String {
    markupEscaped.replacing("\n", with: "&#10;").replacing("\t", with: "&#9;")
  }
}
