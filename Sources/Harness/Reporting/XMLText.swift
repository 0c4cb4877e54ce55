/// Text in documents whose format gives some characters a meaning.
extension String {
  /// With characters that steer a terminal, or that XML doesn't allow at all, replaced by pictures
  /// of them; line breaks and tabs stay.
  var withoutControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars { text.append(scalar.isControl ? scalar.picture : scalar) }
    return String(text)
  }

  /// As the text of an element, or the value of an attribute in double quotes, of XML and HTML.
  var markupEscaped: String {
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

extension Unicode.Scalar {
  /// Whether it steers a terminal, or XML doesn't allow it; line breaks and tabs are none.
  var isControl: Bool {
    switch value {
    case 0x9, 0xA: false
    case ..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF: true
    default: false
    }
  }

  /// `␛` for Escape; the replacement character where there is no picture.
  var picture: Unicode.Scalar {
    switch value {
    case ..<0x20: Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    default: "\u{FFFD}"
    }
  }
}
