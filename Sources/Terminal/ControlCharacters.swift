extension String {
  /// With characters that steer a terminal, or that XML doesn't allow at all, replaced by pictures
  /// of them; line breaks and tabs stay.
  package var withoutControls: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars { text.append(scalar.isControl ? scalar.picture : scalar) }
    return String(text)
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
